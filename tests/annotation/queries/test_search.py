"""Search finds what is there, by the index or without it, and treats % and _ as what they are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection

from annotation.models import Campaign, Variant
from annotation.queries import search
from annotation.queries.search import holding

Texts = Callable[..., Campaign]
TEXTS = ("The Bridge closes.", "50% off_now", "500 men", "Zeitgeist ÜBER alles", "a\u200bb", "x' OR 1=1 --", 'say "no"')


@pytest.fixture(params=["index", "walking", "no index"])
def campaign(request: pytest.FixtureRequest, make_campaign: Texts, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    campaign = make_campaign("suspicion", items=len(TEXTS))
    for item, text in zip(campaign.items.order_by("number"), TEXTS, strict=True):
        Variant.objects.filter(pk=item.first_id).update(text=text)
    if request.param == "walking":
        monkeypatch.setattr(search, "FEW", 0)
    if request.param == "no index":
        monkeypatch.setattr(search, "INDEX", "there_is_none")
    return campaign


@pytest.mark.database
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bridge", [1]),
        ("50%", [2]),
        ("off_", [2]),
        ("%%%", []),
        ("___", []),
        ("50", [2, 3]),
        ("ÜBER", [4]),
        ("\u200b", [5]),
        ("' OR 1=1", [6]),
        ('"no"', [7]),
        ("AND NOT", []),
        ("*", []),
    ],
)
def test_search(text: str, expected: list[int], campaign: Campaign) -> None:
    assert sorted(holding(campaign.items.all(), text).values_list("number", flat=True)) == expected


@pytest.mark.database
def test_the_index_follows_every_change(make_campaign: Texts) -> None:
    campaign = make_campaign("suspicion", items=2)
    first = campaign.items.get(number=1)

    def found(text: str) -> list[int]:
        return list(holding(campaign.items.all(), text).values_list("number", flat=True))

    assert found("brdige number 1") == [1]
    Variant.objects.filter(pk=first.first_id).update(text="quokka")
    assert (found("quokka"), found("brdige number 1")) == ([1], [])
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO annotation_variant_search (annotation_variant_search) VALUES ('integrity-check')")
