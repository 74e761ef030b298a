"""Answers, second thoughts and settings at the same moment, each in a thread of its own."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest

from annotation.errors import DomainError, NothingToClaim
from annotation.models import Claim, EarlierAnswer, Judgement, Slot, User
from annotation.services.answering import Submitted, submit
from annotation.services.claiming import claim_next
from annotation.services.revising import change
from annotation.services.settings import change_settings
from tests.annotation.at_once import at_once
from tests.annotation.conftest import MakeAnnotator, MakeCampaign

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("on_postgresql")]
ROUNDS = 5


def test_an_answer_sent_twice_at_once_is_one_answer(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign(items=ROUNDS)
    ann = make_annotator(campaign, "ann")
    for _ in range(ROUNDS):
        claim = claim_next(campaign=campaign, annotator=ann)
        once = partial(submit, claim_id=claim.pk, annotator=ann, data={"label": "preserve", "confidence": 3})
        results = at_once(once, once, once)
        assert sorted(result.first for result in results if isinstance(result, Submitted)) == [False, False, True]
    assert Judgement.objects.count() == ROUNDS


def test_changes_at_once_are_kept_one_after_the_other(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign(items=1)
    ann = make_annotator(campaign, "ann")
    claim = claim_next(campaign=campaign, annotator=ann)
    submit(claim_id=claim.pk, annotator=ann, data={"label": "preserve", "confidence": 1})
    for _ in range(ROUNDS):
        at_once(
            *(
                partial(change, claim_id=claim.pk, annotator=ann, data={"label": label, "confidence": confidence})
                for label, confidence in (("change", 2), ("no_sense", 3), ("preserve", 4), ("change", 5))
            )
        )
    said = list(EarlierAnswer.objects.order_by("number").values_list("label__key", "confidence"))
    now = Judgement.objects.get()
    assert now.label is not None
    assert all(one != other for one, other in pairwise([*said, (now.label.key, now.confidence)]))


def test_changing_and_taking_the_extra_slot_do_not_wait_for_each_other(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign(items=8)
    people = [make_annotator(campaign, f"p{number}") for number in range(8)]

    def work(person: User, number: int) -> None:
        labels = ("preserve", "change") if number % 2 else ("change", "preserve")
        while True:
            try:
                claim = claim_next(campaign=campaign, annotator=person)
            except NothingToClaim:
                return
            submit(claim_id=claim.pk, annotator=person, data={"label": labels[0], "confidence": 3})
            try:
                change(claim_id=claim.pk, annotator=person, data={"label": labels[1], "confidence": 3})
            except DomainError:
                continue

    at_once(*(partial(work, person, number) for number, person in enumerate(people)))
    assert Slot.objects.filter(state="held").count() == Claim.objects.filter(state="live").count() == 0


def test_no_answer_slips_past_a_change_of_what_is_asked(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, organiser: User
) -> None:
    for number in range(ROUNDS):
        campaign = make_campaign(name=f"c{number}", items=4)
        people = [make_annotator(campaign, f"p{number}-{person}") for person in range(3)]
        claims = [claim_next(campaign=campaign, annotator=person) for person in people]
        answers = [
            partial(submit, claim_id=claim.pk, annotator=person, data={"label": "preserve", "confidence": 3})
            for claim, person in zip(claims, people, strict=True)
        ]
        at_once(*answers, partial(change_settings, campaign=campaign, by=organiser, changes={"confidence": False}))
        campaign.refresh_from_db()
        stored = set(Judgement.objects.filter(claim__campaign=campaign).values_list("confidence", flat=True))
        assert stored <= ({3} if campaign.settings["confidence"] else {None})
