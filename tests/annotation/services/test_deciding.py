"""Two agree, or a third, blind person decides by the rule."""

from __future__ import annotations

import pytest

from annotation.errors import NothingToClaim
from annotation.exchange.tables import TABLES
from annotation.models import Campaign, Decision
from annotation.protocols import protocol_of
from annotation.protocols.votes import CastVote, votes_of
from annotation.queries.items import counts_of, standing
from annotation.services.answering import submit
from annotation.services.asking import ask_one_more
from annotation.services.claiming import claim_next
from annotation.services.deciding import decide_all, item_agreement
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


def test_items_repeat_what_lists_filter_by(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign(items=1)
    ada, ben, cem = (make_annotator(campaign, name) for name in PEOPLE)

    def described() -> tuple[object, ...]:
        item = campaign.items.select_related("decided").get()
        facts = (item.wanted, item.answered, item.complete, item.disagreed, item.agreement, item.how)
        return (*facts, item.decided and item.decided.key)

    assert (described(), campaign.items.get().task) == ((2, 0, False, False, None, "", None), "headlines")
    answer(campaign, ada, "preserve")
    assert described() == (2, 1, False, False, None, "open", None)
    answer(campaign, ben, "change")
    assert described() == (3, 2, False, True, 0.0, "open", None)
    answer(campaign, cem, "change")
    expected = (3, 3, True, True, 0.0, "majority", "change")
    assert described() == expected
    campaign.items.update(answered=0, complete=False, disagreed=False, agreement=None, how="", decided=None, wanted=9)
    decide_all(campaign=campaign)
    assert described() == expected


@pytest.mark.parametrize(
    ("values", "weights", "agreement"),
    [
        ([], "none", None),
        ([1], "none", None),
        ([1, 1], "none", 1.0),
        ([1, 4], "none", 0.0),
        ([1, 2], "linear", 2 / 3),
        ([1, 2], "quadratic", 8 / 9),
        ([1, 4], "quadratic", 0.0),
        ([1, 1, 2], "none", 1 / 3),
    ],
)
def test_agreement_on_one_item(values: list[int], weights: str, agreement: float | None) -> None:
    votes = [CastVote(place, str(value), value, None, place, False) for place, value in enumerate(values, start=1)]
    assert item_agreement(votes, weights=weights, span=3) == (agreement if agreement is None else pytest.approx(agreement))


ONE_ANSWER: dict[str, dict[str, object]] = {
    "suspicion": {"label": "4"},
    "mark_words": {"words": [1]},
    "binary": {"label": "altered"},
    "preference": {"label": "first"},
    "question": {"label": "faulty"},
}


@pytest.mark.parametrize("protocol", ONE_ANSWER)
def test_nothing_is_decided_while_answers_are_wanted(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, protocol: str
) -> None:
    """Neither in the table of decisions, nor in the filter, nor when all is decided anew."""
    campaign = make_campaign(protocol, items=1, slots=3)

    def stands() -> tuple[str, bool, bool, int]:
        how, value, label = _of_decisions(campaign)
        undecided = standing(campaign.items.all(), campaign, "undecided").count()
        assert undecided == counts_of(campaign).states["undecided"]
        return how, label is None, value is None, undecided

    for number, name in enumerate(PEOPLE):
        claim = claim_next(campaign=campaign, annotator=make_annotator(campaign, name))
        submit(claim_id=claim.pk, annotator=claim.annotator, data=ONE_ANSWER[protocol])
        before = stands()
        decide_all(campaign=campaign)
        assert stands() == before
        assert (before == ("open", True, True, 1)) is (number < 2)
    assert before[0] != "open"
    assert before[3] == 0


def test_a_tie_is_none_while_an_answer_that_everybody_is_asked_for_is_not_there(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign("preference", items=1)
    stood = []
    for number, label in enumerate(("first", "second", "first", "second", "second")):
        answer(campaign, make_annotator(campaign, f"p{number}"), label)
        stood.append(_stands(campaign))
    assert stood == [("open", None)] * 4 + [("majority", "second")]


def test_a_tie_stays_one_while_a_further_person_is_asked(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign("question", items=1, slots=2)
    for name, label in zip(PEOPLE, ("faulty", "grammatical"), strict=False):
        answer(campaign, make_annotator(campaign, name), label)
    assert _stands(campaign) == ("unresolved", None)
    make_annotator(campaign, "cem")
    ask_one_more(item=campaign.items.get(), by=campaign.created_by)
    assert _stands(campaign) == ("unresolved", None)


def test_two_who_agree_wait_for_a_third_who_was_planned(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    """The item asks for more answers than the campaign does now, so its third slot is none that a conflict asked for."""
    campaign = make_campaign(items=1, slots=3)
    assert campaign.settings["slots"] == 2
    for name, stands in zip(PEOPLE, ("open", "open", "agreed"), strict=True):
        answer(campaign, make_annotator(campaign, name), "preserve")
        assert _stands(campaign)[0] == stands
        assert standing(campaign.items.all(), campaign, "complete").count() == (stands != "open")


def _stands(campaign: Campaign) -> tuple[str, str | None]:
    """How the only item is decided, whether at once or by deciding all anew."""
    rows = Decision.objects.filter(item__campaign=campaign).values_list("how", "label__key")
    before = rows.get()
    decide_all(campaign=campaign)
    assert rows.get() == before
    return before


def _of_decisions(campaign: Campaign) -> tuple[str, object, object]:
    table = TABLES["decisions"](campaign, 0)
    [row] = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return str(row["decided_how"]), row["decision_value"], row["decision"]
