"""Preference: items count once, sides are told apart from variants."""

from __future__ import annotations

from annotation.models import Decision, Slot
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of
from annotation.services.answering import submit
from annotation.services.claiming import claim_next
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign


def test_the_left_button_stores_the_variant_that_stands_on_the_left(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign("preference", items=6)
    for number in range(5):
        person = make_annotator(campaign, f"p{number}")
        for _ in range(6):
            claim = claim_next(campaign=campaign, annotator=person)
            left = protocol_of(campaign).options(claim.slot)[0].label
            assert left.key == ("second" if claim.slot.swapped else "first")
            given = submit(claim_id=claim.pk, annotator=person, data={"label": left.key}).judgement
            assert protocol_of(campaign).said(claim.slot, given) == "the left one"
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    values = {figure.key: figure.estimate for figure in analysis.figures}
    assert (values["left"].value, values["left"].n) == (1.0, 30)
    swapped = Slot.objects.filter(item__campaign=campaign, swapped=True).count()
    assert 0 < swapped < 30


def test_items_count_once_by_their_majority(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign("preference", items=2)
    for number, labels in enumerate((("first", "second"),) * 3 + (("second", "second"),) * 2):
        person = make_annotator(campaign, f"p{number}")
        for label in labels:
            answer(campaign, person, label)
    assert sorted(Decision.objects.values_list("label__key", flat=True)) == ["first", "second"]
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    values = {figure.key: figure.estimate for figure in analysis.figures}
    assert (values["preferred"].value, values["preferred"].n) == (0.5, 2)
    assert values["p"].value == 1.0
    # Three of five and none of five for the first: of the variance, some is due to the items.
    assert values["dependence"].value is not None and 0 < values["dependence"].value < 1
    assert values["left_p"].n == 10


def test_open_items_are_left_out_by_name(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    """Of three items one has its five answers, one has three that agree, and one has none: what the decisions say."""
    campaign = make_campaign("preference", items=3)
    for number in range(5):
        person = make_annotator(campaign, f"p{number}")
        for label in ("first", "second")[: 2 if number < 3 else 1]:
            answer(campaign, person, label)
    assert sorted(Decision.objects.values_list("how", "label__key")) == [("majority", "first"), ("open", None)]
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    values = {figure.key: figure.estimate for figure in analysis.figures}
    for key in ("preferred", "p"):
        assert (values[key].value, values[key].n, values[key].left_out) == (1.0, 1, {"open": 2})
    assert analysis.figures[0].detail == "1 of 1 items, 2 open"
    assert values["left"].n == 8
    assert analysis.tables[0].rows == [("5 for the first", 1)]
