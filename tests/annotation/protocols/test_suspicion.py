"""Suspicion: medians, deviations and means by variant."""

from __future__ import annotations

import pytest

from annotation.models import Original, Variant
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of
from annotation.services.answering import submit
from annotation.services.campaigns import NewItem, add_items, create_campaign, open_campaign
from annotation.services.claiming import claim_next
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign, variant


def test_figures_and_tables(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign("suspicion", items=2)
    # Both items are handed out in one order to everybody, so the items' scores are (1, 2, 5) and (3, 3, 3).
    for name, scores in (("ada", "13"), ("ben", "23"), ("cem", "53")):
        person = make_annotator(campaign, name)
        for score in scores:
            answer(campaign, person, score)
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    values = {figure.key: figure.estimate for figure in analysis.figures}
    assert (values["deviation"].value, values["deviation"].n) == ((4 / 3 + 0) / 2, 2)
    assert values["mean"].value == 17 / 6
    tables = {table.key: table for table in analysis.tables}
    assert list(tables["likert"].rows[0])[:7] == ["deepwordbug", 6, 1, 1, 3, 0, 1]
    assert [(row[0], row[1].value, row[1].n, row[2].value) for row in tables["splits"].rows] == [
        ("all", 1 / 3, 3, 5 / 6),
        ("deepwordbug", 1 / 3, 3, 5 / 6),
    ]
    columns = list(tables["deviation"].columns)
    counts = dict(zip(columns, tables["deviation"].rows[-1], strict=True))
    assert (counts["C·δ = 0"], counts["C·δ = 4"], counts["items"]) == (1, 1, 2)


def test_variants_are_tested_as_papers_do_and_within_originals(make_annotator: MakeAnnotator) -> None:
    """Four originals, each in two variants that people of two groups see; bae is one or two points more suspicious."""
    campaign = create_campaign(name="s", title="S", protocol="suspicion", settings={"slots": 1})
    for number in range(4):
        original = Original.objects.create(task="headlines", key=f"o{number}")
        for kind in (Variant.UNCHANGED, "bae"):
            text = f"text {number} {kind}"
            add_items(campaign=campaign, items=[NewItem(original, variant(original, kind, text))])
    open_campaign(campaign=campaign)
    kinds = {item.pk: (item.first.kind, item.original_id) for item in campaign.items.select_related("first")}
    for name in ("ada", "ben"):
        person = make_annotator(campaign, name)
        for _ in range(4):
            claim = claim_next(campaign=campaign, annotator=person)
            kind, original_id = kinds[claim.item_id]
            score = 1 + original_id % 2 + (1 + (original_id % 3 == 0)) * (kind == "bae")
            submit(claim_id=claim.pk, annotator=person, data={"label": str(score)})
    tables = {table.key: table for table in protocol_of(campaign).analyse(campaign, votes_of(campaign)).tables}
    tests = {row[0]: row[1:] for row in tables["variance"].rows}
    assert [row[1] for row in tests.values()] == ["1, 6", "1, 3"]
    within, plain = tests["within originals, one mean of each variant"], next(iter(tests.values()))
    assert within[0].value > plain[0].value and within[2].value < plain[2].value
    ((pair, difference, p),) = tables["tukey"].rows
    # Of two groups, Tukey's test is the analysis of variance.
    assert (pair, difference.value > 0, p.value) == ("bae and original", True, pytest.approx(plain[2].value, abs=1e-6))


def test_a_shift_between_two_campaigns_is_told_apart_from_one_of_some_variants(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    here, there = (make_campaign("suspicion", items=3, name=name) for name in ("here", "there"))
    for campaign, scores in ((here, "121"), (there, "332")):
        for name in ("ada", "ben", "cem"):
            person = make_annotator(campaign, f"{name}-{campaign.name}")
            for score in scores:
                answer(campaign, person, score)
    shift, tests = protocol_of(here).beside(votes_of(here), votes_of(there))
    assert [(row[0], round(row[1].value, 9), row[1].n) for row in shift.rows] == [
        ("deepwordbug", round(8 / 3 - 4 / 3, 9), 18),
        ("all variants, each counting alike", round(8 / 3 - 4 / 3, 9), 18),
    ]
    assert [row[0] for row in tests.rows] == ["the level is the same", "all variants shift alike"]
    assert tests.rows[0][1].value == pytest.approx(1 - 2 / 5**0.5)  # t = 2 √2 with 2 degrees of freedom
    assert tests.rows[1][1].reason.code == "one_variant"


def test_campaigns_without_a_common_variant_say_so(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    here, there = (make_campaign("suspicion", name=name) for name in ("here", "there"))
    [told] = protocol_of(here).beside(votes_of(here), votes_of(there))
    assert (told.rows, told.note) == ([], "No variant was judged under both instructions, so they cannot be compared.")
