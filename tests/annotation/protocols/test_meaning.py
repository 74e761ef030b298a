"""Meaning: agreement of the first two, whatever a third says."""

from __future__ import annotations

import pytest

from annotation.models import Campaign, Decision
from annotation.protocols import AnswerError, protocol_of
from annotation.protocols.analysis import Analysis, Table
from annotation.protocols.votes import votes_of
from annotation.services.answering import submit
from annotation.services.claiming import claim_next
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign


def table(analysis: Analysis, key: str) -> Table:
    return next(table for table in analysis.tables if table.key == key)


def test_figures_and_tables(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign(items=4)
    ada, ben, cem = (make_annotator(campaign, name) for name in ("ada", "ben", "cem"))
    for label in ("preserve", "preserve", "change", "no_sense"):
        answer(campaign, ada, label)
    for label in ("preserve", "change", "change", "no_sense"):
        answer(campaign, ben, label)
    answer(campaign, cem, "preserve")
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    values = {figure.key: figure.estimate for figure in analysis.figures}
    assert values["raw_agreement"].value == 0.75
    # observed 3/4; chance (2·1 + 1·2 + 1·1)/16
    assert values["kappa"].value == (0.75 - 5 / 16) / (1 - 5 / 16)
    assert (values["kept"].value, values["kept"].n) == (0.5, 4)
    assert [list(row)[1:] for row in table(analysis, "confusion").rows] == [[1, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert [row[1] for row in table(analysis, "decisions").rows] == [2, 1, 1]
    assert [row[1] for row in table(analysis, "thirds").rows] == [1, 0]
    assert [tuple(row) for row in table(analysis, "how").rows] == [
        ("both annotators agreed", 3),
        ("the majority", 1),
    ]


def decided(campaign: Campaign) -> tuple[str, str | None, float | None]:
    decision = Decision.objects.get(item__campaign=campaign)
    return decision.how, decision.label and decision.label.key, decision.value


@pytest.mark.parametrize(
    ("distance", "answers", "outcome"),
    [
        (2, ("identical", "identical"), ("agreed", "identical", None)),
        (2, ("identical", "slightly_different"), ("close", "slightly_different", 3.5)),
        (2, ("opposite", "different"), ("close", "opposite", 1.5)),
        (2, ("identical", "different"), ("open", None, None)),
        (1, ("identical", "slightly_different"), ("open", None, None)),
        (2, ("identical", "different", "identical"), ("majority", "identical", None)),
    ],
)
def test_a_conflict_begins_at_the_distance_that_is_set(
    make_campaign: MakeCampaign,
    make_annotator: MakeAnnotator,
    answer: Answer,
    distance: int,
    answers: tuple[str, ...],
    outcome: tuple[str, str | None, float | None],
) -> None:
    campaign = make_campaign(preset="four-point", items=1, settings={"conflict_distance": distance})
    for number, label in enumerate(answers):
        answer(campaign, make_annotator(campaign, f"p{number}"), label)
    assert decided(campaign) == outcome
    assert campaign.items.get().slots.filter(extra=True).exists() == (outcome[0] in ("open", "majority"))


def test_under_adjudication_a_conflict_waits_and_asks_nobody_else(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(items=1, settings={"conflicts": "adjudicate"})
    for name, label in (("ada", "preserve"), ("ben", "change")):
        answer(campaign, make_annotator(campaign, name), label)
    assert (decided(campaign), campaign.items.get().slots.count()) == (("conflict", None, None), 2)


@pytest.mark.parametrize("tie", ["unresolved", "first"])
def test_without_confidence_three_different_answers_stay_unresolved(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, tie: str
) -> None:
    campaign = make_campaign(items=1, settings={"confidence": False, "tie": tie})
    for name, label in (("ada", "preserve"), ("ben", "change"), ("cem", "no_sense")):
        answer(campaign, make_annotator(campaign, name), label, None)
    assert decided(campaign) == ("unresolved", None, None)


@pytest.mark.parametrize(("weights", "kappa"), [("none", 1 / 3), ("linear", 0.6), ("quadratic", 0.8)])
def test_kappa_is_weighted_as_set(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, weights: str, kappa: float
) -> None:
    """Ratings (1,1), (4,4), (2,3), (3,2): by hand, chance disagreement 3/4, 1.25 and 2.5; observed 1/2, 1/2 and 1/2."""
    campaign = make_campaign(preset="four-point", items=4, settings={"weights": weights})
    for name, values in (("ada", (1, 4, 2, 3)), ("ben", (1, 4, 3, 2))):
        person = make_annotator(campaign, name)
        keys = dict(campaign.labels.values_list("value", "key"))
        for _ in range(4):
            claim = claim_next(campaign=campaign, annotator=person)
            submit(claim_id=claim.pk, annotator=person, data={"label": keys[values[claim.item.number - 1]], "confidence": "3"})
    figure = protocol_of(campaign).analyse(campaign, votes_of(campaign)).figures[0]
    assert figure.estimate.value == pytest.approx(kappa)
    assert figure.title == "Cohen's kappa" + ("" if weights == "none" else f", {weights} weights")


def test_local_is_offered_for_long_texts_only(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(preset="modification-types", items=1)
    item = campaign.items.get()
    protocol = protocol_of(campaign)
    assert item.second is not None
    for sentences, offered in ((4, False), (5, True)):
        item.second.text = "It rains in the north. " * sentences
        assert ("local" in [label.key for label in protocol.offered(item)]) == offered
        if offered:
            assert protocol.read_answer(item, {"label": "local", "confidence": 3}).label is not None
        else:
            with pytest.raises(AnswerError, match="is not an answer to this item"):
                protocol.read_answer(item, {"label": "local", "confidence": 3})


def test_several_labels_can_keep_the_meaning(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign(preset="four-point", items=4)
    for name in ("ada", "ben"):
        person = make_annotator(campaign, name)
        for label in ("identical", "slightly_different", "different", "opposite"):
            answer(campaign, person, label)
    values = {figure.key: figure.estimate for figure in protocol_of(campaign).analyse(campaign, votes_of(campaign)).figures}
    assert (values["kept"].value, values["kept"].n) == (0.5, 4)
