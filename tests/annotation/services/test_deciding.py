"""Two agree, or a third, blind person decides by the rule."""

from __future__ import annotations

import pytest

from annotation.errors import NothingToClaim
from annotation.models import Decision
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of
from annotation.services.claiming import claim_next
from annotation.services.deciding import decide_all
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

PEOPLE = ("ada", "ben", "cem")


@pytest.mark.parametrize(
    ("answers", "tie", "how", "label"),
    [
        ([("preserve", 3)], "unresolved", "open", None),
        ([("preserve", 3), ("preserve", 1)], "unresolved", "agreed", "preserve"),
        ([("preserve", 3), ("change", 5)], "unresolved", "open", None),
        ([("preserve", 3), ("change", 5), ("preserve", 1)], "unresolved", "majority", "preserve"),
        ([("preserve", 3), ("change", 4), ("no_sense", 5)], "unresolved", "confidence", "no_sense"),
        ([("preserve", 4), ("change", 4), ("no_sense", 1)], "unresolved", "unresolved", None),
        ([("preserve", 4), ("change", 4), ("no_sense", 1)], "first", "first", "preserve"),
    ],
)
def test_the_rule(
    make_campaign: MakeCampaign,
    make_annotator: MakeAnnotator,
    answer: Answer,
    answers: list[tuple[str, int]],
    tie: str,
    how: str,
    label: str | None,
) -> None:
    campaign = make_campaign(items=1, settings={"tie": tie})
    for name, (given, confidence) in zip(PEOPLE, answers, strict=False):
        answer(campaign, make_annotator(campaign, name), given, confidence)
    decision = Decision.objects.get()
    assert (decision.how, decision.label and decision.label.key, decision.n_judgements) == (how, label, len(answers))


def test_the_third_slot_opens_on_conflict_only_and_only_for_a_third_person(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(items=1)
    ada, ben, cem = (make_annotator(campaign, name) for name in PEOPLE)
    answer(campaign, ada, "preserve")
    item = campaign.items.get()
    assert item.slots.count() == 2
    answer(campaign, ben, "change")
    assert item.slots.count() == 3
    for person in (ada, ben):
        with pytest.raises(NothingToClaim):
            claim_next(campaign=campaign, annotator=person)
    assert claim_next(campaign=campaign, annotator=cem).slot.position == 3


def test_the_third_changes_the_decision_but_not_kappa(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(items=4)
    ada, ben, cem = (make_annotator(campaign, name) for name in PEOPLE)
    for label in ("preserve", "change", "preserve", "change"):
        answer(campaign, ada, label)
    for label in ("preserve", "change", "change", "change"):
        answer(campaign, ben, label)

    def kappa() -> float | None:
        analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
        return next(figure.estimate.value for figure in analysis.figures if figure.key == "kappa")

    before = kappa()
    assert before == pytest.approx(0.5)
    assert Decision.objects.filter(how="open").count() == 1
    answer(campaign, cem, "preserve")
    assert Decision.objects.filter(how="majority", label__key="preserve").count() == 1
    assert kappa() == before


def test_deciding_all_at_once_gives_what_deciding_one_by_one_gave(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(items=3)
    for name, labels in zip(PEOPLE[:2], (["preserve", "change", "no_sense"], ["preserve", "no_sense", "no_sense"]), strict=True):
        person = make_annotator(campaign, name)
        for label in labels:
            answer(campaign, person, label)
    rows = list(Decision.objects.order_by("item").values_list("item", "label__key", "how", "n_judgements"))
    assert decide_all(campaign=campaign) == 3
    assert list(Decision.objects.order_by("item").values_list("item", "label__key", "how", "n_judgements")) == rows


def test_suspicion_is_decided_by_the_median(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign("suspicion", items=1)
    for name, score in zip(PEOPLE, ("1", "5", "4"), strict=True):
        answer(campaign, make_annotator(campaign, name), score)
    decision = Decision.objects.get()
    assert (decision.value, decision.how, decision.label) == (4.0, "median", None)
