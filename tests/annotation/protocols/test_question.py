"""Question: the majority counts; ties are a state of their own."""

from __future__ import annotations

import pytest

from annotation.models import Decision
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign


@pytest.mark.parametrize(
    ("labels", "tie", "how", "label"),
    [
        (("faulty", "grammatical", "faulty"), "unresolved", "majority", "faulty"),
        (("faulty", "grammatical", "ungrammatical"), "unresolved", "unresolved", None),
        (("grammatical", "faulty", "ungrammatical"), "first", "first", "grammatical"),
        (("grammatical", "faulty"), "first", "first", "grammatical"),
    ],
)
def test_the_majority_decides(
    make_campaign: MakeCampaign,
    make_annotator: MakeAnnotator,
    answer: Answer,
    labels: tuple[str, ...],
    tie: str,
    how: str,
    label: str | None,
) -> None:
    campaign = make_campaign("question", items=1, slots=len(labels), settings={"tie": tie})
    for number, given in enumerate(labels):
        answer(campaign, make_annotator(campaign, f"p{number}"), given)
    decision = Decision.objects.get()
    assert (decision.how, decision.label and decision.label.key) == (how, label)


def test_answers_by_variant_and_agreement_of_the_first_two(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign("question", preset="task-label", items=2)
    for number, labels in enumerate((("credible", "credible"), ("credible", "credible"), ("non_credible", "credible"))):
        person = make_annotator(campaign, f"p{number}")
        for label in labels:
            answer(campaign, person, label)
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    values = {figure.key: figure.estimate for figure in analysis.figures}
    assert (values["raw_agreement"].value, values["raw_agreement"].n) == (1.0, 2)
    assert values["kappa"].reason is not None
    assert values["kappa"].reason.code == "one_label"
    assert [list(row) for row in analysis.tables[0].rows] == [["deepwordbug", 6, 5, 1]]


def test_an_item_that_waits_for_answers_is_open_whatever_its_majority(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign("question", items=2, slots=3)
    label = campaign.labels.order_by("value")[0].key
    for name in ("ada", "ben"):
        person = make_annotator(campaign, name)
        for _ in range(2):
            answer(campaign, person, label)
    answer(campaign, make_annotator(campaign, "cem"), label)
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    tables = {table.key: table for table in analysis.tables}
    assert sum(row[1] for row in tables["decisions"].rows) == 1
    assert [tuple(row) for row in tables["how"].rows] == [("the majority", 1), ("waiting for a judgement", 1)]
