"""Changing an answer while its item is open; skipping; flagging."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.errors import DomainError, InvalidAnswer, NothingToClaim, NotYours
from annotation.models import Campaign, Claim, Decision, EarlierAnswer, Flag, Judgement, Membership, Ruling, Slot, User
from annotation.queries.own import claims_of, last_answers, skipped_by, standings
from annotation.services.answering import submit
from annotation.services.campaigns import close_campaign
from annotation.services.claiming import claim_next
from annotation.services.practice import set_gold
from annotation.services.revising import change, flag, offer_again, skip
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

CHANGED = {"label": "change", "confidence": "2"}


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=1)


@pytest.fixture
def ada(campaign: Campaign, make_annotator: MakeAnnotator) -> User:
    return make_annotator(campaign, "ada")


@pytest.fixture
def ben(campaign: Campaign, make_annotator: MakeAnnotator) -> User:
    return make_annotator(campaign, "ben")


def state_of(campaign: Campaign) -> tuple[str, str | None, list[tuple[int, str]]]:
    decision = Decision.objects.get()
    slots = Slot.objects.filter(campaign=campaign).order_by("position").values_list("position", "state")
    return decision.how, decision.label and decision.label.key, list(slots)


def test_the_new_answer_counts_and_the_earlier_one_is_kept(campaign: Campaign, ada: User, answer: Answer) -> None:
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        claim = claim_next(campaign=campaign, annotator=ada)
    with time_machine.travel(start + timedelta(seconds=30), tick=False):
        data = {"label": "preserve", "confidence": "5", "active_seconds": "20"}
        submit(claim_id=claim.pk, annotator=ada, data=data)
    with time_machine.travel(start + timedelta(seconds=90), tick=False):
        done = change(claim_id=claim.pk, annotator=ada, data={**CHANGED, "active_seconds": "7"}, replaces=1)
    now, (before,) = Judgement.objects.get(), EarlierAnswer.objects.all()
    assert done.changed
    assert (now.label.key, now.confidence, now.seconds, now.active_seconds) == ("change", 2, 30.0, 27.0)
    assert (before.number, before.label.key, before.confidence, before.active_seconds) == (1, "preserve", 5, 20.0)
    assert (now.submitted_at - before.submitted_at).total_seconds() == 60


def test_a_change_sent_twice_is_one_change(campaign: Campaign, ada: User, answer: Answer) -> None:
    claim = answer(campaign, ada, "preserve").judgement.claim
    assert change(claim_id=claim.pk, annotator=ada, data=CHANGED, replaces=1).changed
    assert not change(claim_id=claim.pk, annotator=ada, data={"label": "no_sense", "confidence": "1"}, replaces=1).changed
    assert not change(claim_id=claim.pk, annotator=ada, data=CHANGED).changed
    assert (Judgement.objects.get().label.key, EarlierAnswer.objects.count()) == ("change", 1)


def test_the_item_is_decided_anew_and_a_slot_that_nobody_needs_goes(
    campaign: Campaign, ada: User, ben: User, answer: Answer
) -> None:
    answer(campaign, ada, "preserve")
    claim = answer(campaign, ben, "change").judgement.claim
    assert state_of(campaign) == ("open", None, [(1, "filled"), (2, "filled"), (3, "open")])
    change(claim_id=claim.pk, annotator=ben, data={"label": "preserve", "confidence": "3"})
    assert state_of(campaign) == ("agreed", "preserve", [(1, "filled"), (2, "filled"), (3, "closed")])
    item = campaign.items.get()
    assert (item.wanted, item.answered, item.complete, item.disagreed) == (2, 2, True, False)
    change(claim_id=claim.pk, annotator=ben, data=CHANGED)
    assert state_of(campaign) == ("open", None, [(1, "filled"), (2, "filled"), (3, "open")])


def test_a_slot_that_a_third_person_holds_stays(
    campaign: Campaign, ada: User, ben: User, answer: Answer, make_annotator: MakeAnnotator
) -> None:
    answer(campaign, ada, "preserve")
    claim = answer(campaign, ben, "change").judgement.claim
    third = make_annotator(campaign, "cem")
    held = claim_next(campaign=campaign, annotator=third)
    change(claim_id=claim.pk, annotator=ben, data={"label": "preserve", "confidence": "3"})
    assert state_of(campaign) == ("agreed", "preserve", [(1, "filled"), (2, "filled"), (3, "held")])
    assert submit(claim_id=held.pk, annotator=third, data=CHANGED).judgement.uncounted == ""
    assert state_of(campaign)[:2] == ("agreed", "preserve")
    with pytest.raises(DomainError, match="further person"):
        change(claim_id=claim.pk, annotator=ben, data=CHANGED)
    assert change(claim_id=held.pk, annotator=third, data={"label": "no_sense", "confidence": "3"}).changed


def close(campaign: Campaign, ada: User) -> None:
    close_campaign(campaign=campaign)


def pause_person(campaign: Campaign, ada: User) -> None:
    Membership.objects.filter(user=ada).update(state=Membership.State.PAUSED)


def rule(campaign: Campaign, ada: User) -> None:
    label = campaign.labels.get(key="change")
    Ruling.objects.create(item=campaign.items.get(), by=User.objects.get(username="olga"), label=label)


def take_out(campaign: Campaign, ada: User) -> None:
    Judgement.objects.update(uncounted="excluded")


@pytest.mark.parametrize("event", [close, pause_person, rule, take_out])
def test_an_answer_stands_once_its_item_is_no_longer_open(campaign: Campaign, ada: User, answer: Answer, event: object) -> None:
    claim = answer(campaign, ada, "preserve").judgement.claim
    event(campaign, ada)  # type: ignore[operator]
    with pytest.raises(DomainError):
        change(claim_id=claim.pk, annotator=ada, data=CHANGED)
    assert (Judgement.objects.get().label.key, EarlierAnswer.objects.count()) == ("preserve", 0)


def test_nobody_changes_skips_or_flags_for_another(campaign: Campaign, ada: User, ben: User, answer: Answer) -> None:
    claim = answer(campaign, ada, "preserve").judgement.claim
    for refused in (
        lambda: change(claim_id=claim.pk, annotator=ben, data=CHANGED),
        lambda: skip(claim_id=claim.pk, annotator=ben, reason="other"),
        lambda: flag(claim_id=claim.pk, annotator=ben, text="odd"),
        lambda: change(claim_id=claim.pk, annotator=ada, data=CHANGED, campaign="elsewhere"),
    ):
        with pytest.raises(NotYours):
            refused()
    assert (Judgement.objects.get().label.key, Flag.objects.count()) == ("preserve", 0)


def test_a_change_outside_the_set_is_refused(campaign: Campaign, ada: User, answer: Answer) -> None:
    claim = answer(campaign, ada, "preserve").judgement.claim
    with pytest.raises(InvalidAnswer):
        change(claim_id=claim.pk, annotator=ada, data={"label": "maybe", "confidence": "3"})
    assert EarlierAnswer.objects.count() == 0


def test_a_skipped_item_goes_to_others_and_comes_back_only_when_asked_for(campaign: Campaign, ada: User, ben: User) -> None:
    claim = claim_next(campaign=campaign, annotator=ada)
    skip(claim_id=claim.pk, annotator=ada, reason="unclear", note=" no idea ")
    again = skip(claim_id=claim.pk, annotator=ada, reason="other")
    assert (again.state, again.skip_reason, again.skip_note) == ("skipped", "unclear", "no idea")
    assert set(Slot.objects.values_list("state", flat=True)) == {"open"}
    with pytest.raises(NothingToClaim, match="except what you skipped"):
        claim_next(campaign=campaign, annotator=ada)
    assert claim_next(campaign=campaign, annotator=ben).item == claim.item
    member = standings(ada).get()
    assert (skipped_by(member), offer_again(member=member), skipped_by(member)) == (1, 1, 0)
    offered = claim_next(campaign=campaign, annotator=ada)
    claim.refresh_from_db()
    assert (offered.item, offered.pk != claim.pk, claim.skip_reason) == (claim.item, True, "unclear")


def test_an_answer_sent_from_another_tab_after_skipping_is_kept(campaign: Campaign, ada: User) -> None:
    claim = claim_next(campaign=campaign, annotator=ada)
    skip(claim_id=claim.pk, annotator=ada, reason="other")
    assert submit(claim_id=claim.pk, annotator=ada, data=CHANGED).judgement.uncounted == ""
    with pytest.raises(DomainError, match="answered this item already"):
        skip(claim_id=claim.pk, annotator=ada, reason="other")
    assert Claim.objects.get(pk=claim.pk).state == "answered"


def test_skipping_needs_no_reason(campaign: Campaign, ada: User) -> None:
    claim = claim_next(campaign=campaign, annotator=ada)
    given_back = skip(claim_id=claim.pk, annotator=ada)
    assert (given_back.state, given_back.skip_reason) == ("skipped", "")


def test_a_made_up_reason_is_refused_and_training_cannot_be_skipped(
    campaign: Campaign, ada: User, make_campaign: MakeCampaign, make_annotator: MakeAnnotator, organiser: User
) -> None:
    claim = claim_next(campaign=campaign, annotator=ada)
    with pytest.raises(DomainError, match="none of the reasons"):
        skip(claim_id=claim.pk, annotator=ada, reason="bored")
    other = make_campaign(items=1, name="practised")
    set_gold(item=other.items.get(), by=organiser, label=other.labels.first(), use="training")
    training = claim_next(campaign=other, annotator=make_annotator(other, "cem"))
    with pytest.raises(DomainError, match="cannot be skipped"):
        skip(claim_id=training.pk, annotator=training.annotator, reason="other")
    assert set(Claim.objects.values_list("state", flat=True)) == {"live"}


def test_the_same_flag_twice_is_one(campaign: Campaign, ada: User) -> None:
    claim = claim_next(campaign=campaign, annotator=ada)
    for text in ("half is missing", " half is missing ", "and odd"):
        flag(claim_id=claim.pk, annotator=ada, text=text)
    with pytest.raises(DomainError, match="what is wrong"):
        flag(claim_id=claim.pk, annotator=ada, text=" ")
    assert list(Flag.objects.values_list("text", flat=True)) == ["half is missing", "and odd"]


def test_the_history_holds_the_last_ten_of_ones_own(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(items=13)
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    mine = [answer(campaign, ada, "preserve").judgement.claim_id for _ in range(12)]
    answer(campaign, ben, "change")
    member = standings(ada).get()
    assert [claim.pk for claim in last_answers(member)] == mine[::-1][:10]
    assert set(claims_of(member).values_list("pk", flat=True)) == set(mine)
