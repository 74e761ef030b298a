"""What attackers changed, counted on the results page and told in exports."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import pytest
from django.apps import apps

from annotation.exchange.export import FILES
from annotation.exchange.imports import import_upload
from annotation.exchange.tables import pivot
from annotation.models import Campaign, Example, User
from annotation.queries.edits import edits_tables
from annotation.services.campaigns import add_items
from annotation.services.copying import copy_campaign
from annotation.services.sampling import single_texts
from annotation.services.uploads import store_upload
from scoring.texts.edit_kinds import MEANINGS

pytestmark = pytest.mark.django_db
MakeCampaign = Callable[..., Campaign]
PAIRS = "original,adversarial\na clean room,a c lean room\nthe end,teh end\nsome rain,some rain or not\n"


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=0, opened=False)
    mapping = {"columns": {"original": "original", "adversarial": "adversarial"}, "values": {}}
    upload = store_upload(
        campaign=campaign, name="pairs.csv", chunks=[PAIRS.encode()], most=1000, by=None, format="table", mapping=mapping,
        kept=False,
    )  # fmt: skip
    import_upload(upload, by=None)
    return campaign


def test_edits_are_counted_by_attacker(campaign: Campaign) -> None:
    [table] = edits_tables(campaign)
    assert len(table.columns) == 2
    assert [list(row) for row in table.rows] == [["pairs", 3], ["split", 1], ["swap", 1], ["word inserted", 2]]
    assert table.note == ""


def test_texts_shown_alone_are_compared_with_the_original_of_their_example(
    campaign: Campaign, make_campaign: MakeCampaign
) -> None:
    alone = make_campaign("suspicion", items=0, opened=False, name="alone")
    example = Example.objects.select_related("before__original", "after").get(after__text="teh end")
    add_items(campaign=alone, items=single_texts([example]))
    assert list(alone.items.order_by("number").values_list("edits", "character_score")) == [
        (None, None),
        ({"swap": 1}, pytest.approx(1 - 2 / 7)),
    ]
    [table] = edits_tables(alone)
    assert [list(row) for row in table.rows] == [["pairs", 1], ["swap", 1]]


def test_a_copy_repeats_what_was_counted(campaign: Campaign, organiser: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.services.campaigns.compared", None)
    copy = copy_campaign(campaign=campaign, name="copy", title="Copy", by=organiser)
    assert edits_tables(copy)[0].rows == edits_tables(campaign)[0].rows


def test_items_that_were_there_before_are_counted_in_batches(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    migration = import_module("annotation.migrations.0026_fill_item_compared")
    monkeypatch.setattr(migration, "AT_ONCE", 2)
    expected = list(campaign.items.order_by("number").values_list("edits", "character_score"))
    first = campaign.items.order_by("number").first()
    assert first is not None
    # One was done by an attempt that was stopped, and is left alone.
    campaign.items.exclude(pk=first.pk).update(edits=None, character_score=None)
    campaign.items.filter(pk=first.pk).update(edits={"split": 7})
    migration.fill(apps, None)
    assert list(campaign.items.order_by("number").values_list("edits", "character_score")) == [
        ({"split": 7}, expected[0][1]),
        *expected[1:],
    ]


def test_without_an_original_there_is_nothing_to_count(make_campaign: MakeCampaign) -> None:
    assert edits_tables(make_campaign(items=0, opened=False)) == []


def test_the_export_tells_every_item_s_edits_and_the_codebook_what_they_are(campaign: Campaign) -> None:
    table = pivot(campaign, 0)
    column = table.columns.index("edits")
    assert [row[column] for row in table.rows] == ["split 1", "swap 1", "word_inserted 2"]
    codebook = "".join(FILES["codebook.md"](campaign))
    assert [kind for kind, meaning in MEANINGS.items() if f"`{kind}`: {meaning}" not in codebook] == []
