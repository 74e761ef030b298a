"""What attackers changed, counted on the results page and told in exports."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from annotation.exchange.export import FILES
from annotation.exchange.imports import import_upload
from annotation.exchange.tables import pivot
from annotation.models import Campaign
from annotation.queries import edits
from annotation.queries.edits import edits_tables
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
    assert list(table.columns) == ["attacker", "pairs", "split", "swap", "word inserted"]
    assert [list(row[1:]) for row in table.rows] == [[3, 1, 1, 2]]
    assert table.note == ""


def test_a_large_campaign_is_sampled_and_says_so(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edits, "MOST_PAIRS", 2)
    [table] = edits_tables(campaign)
    assert [row[1] for row in table.rows] == [1]
    assert table.note == "Counted in 1 of 3 pairs, evenly spread."


def test_long_texts_are_sampled_too(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edits, "MOST_CHARACTERS", 40)
    [table] = edits_tables(campaign)
    assert [row[1] for row in table.rows] == [2]


def test_without_an_original_there_is_nothing_to_count(make_campaign: MakeCampaign) -> None:
    assert edits_tables(make_campaign(items=0, opened=False)) == []


def test_the_export_tells_every_item_s_edits_and_the_codebook_what_they_are(campaign: Campaign) -> None:
    table = pivot(campaign, 0)
    column = table.columns.index("edits")
    assert [row[column] for row in table.rows] == ["split 1", "swap 1", "word_inserted 2"]
    codebook = "".join(FILES["codebook.md"](campaign))
    assert [kind for kind, meaning in MEANINGS.items() if f"`{kind}`: {meaning}" not in codebook] == []
