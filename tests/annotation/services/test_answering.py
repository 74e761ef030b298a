"""Answers are kept, once."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.errors import DomainError, InvalidAnswer, NotYours
from annotation.models import Claim, Decision, Judgement, Membership, Role, Slot, User
from annotation.services.answering import save_draft, submit
from annotation.services.campaigns import close_campaign
from annotation.services.claiming import claim_next
from annotation.services.members import change_role
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

CLAIM_LASTS = timedelta(minutes=60)


def test_sending_twice_gives_the_first_result(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign()
    ada = make_annotator(campaign, "ada")
    claim = claim_next(campaign=campaign, annotator=ada)
    first = submit(claim_id=claim.pk, annotator=ada, data={"label": "preserve", "confidence": "5"})
    second = submit(claim_id=claim.pk, annotator=ada, data={"label": "change", "confidence": "1"})
    assert (first.first, second.first) == (True, False)
    assert second.judgement == first.judgement
    stored = Judgement.objects.get()
    assert (stored.label.key, stored.confidence, stored.uncounted) == ("preserve", 5, "")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "Choose one of the answers"),
        ({"label": "maybe", "confidence": "3"}, "“maybe” is not an answer"),
        ({"label": "preserve"}, "from 1 to 5"),
        ({"label": "preserve", "confidence": "6"}, "from 1 to 5"),
        ({"label": "preserve", "confidence": "³"}, "from 1 to 5"),
    ],
)
def test_an_answer_outside_the_set_is_refused_and_nothing_is_stored(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, data: dict[str, str], message: str
) -> None:
    campaign = make_campaign()
    ada = make_annotator(campaign, "ada")
    claim = claim_next(campaign=campaign, annotator=ada)
    with pytest.raises(InvalidAnswer, match=message):
        submit(claim_id=claim.pk, annotator=ada, data=data)
    claim.refresh_from_db()
    assert (claim.state, Judgement.objects.count(), Decision.objects.count()) == (Claim.State.LIVE, 0, 0)


def test_nobody_answers_for_another(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign()
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    claim = claim_next(campaign=campaign, annotator=ada)
    for verb in (submit, save_draft):
        with pytest.raises(NotYours):
            verb(claim_id=claim.pk, annotator=ben, data={"label": "preserve", "confidence": "3"})
    claim.refresh_from_db()
    assert (claim.draft, Judgement.objects.count()) == ({}, 0)


def test_a_late_answer_counts_while_its_slot_is_free(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign(items=1, slots=1)
    ada = make_annotator(campaign, "ada")
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        claim = claim_next(campaign=campaign, annotator=ada)
    with time_machine.travel(start + CLAIM_LASTS + timedelta(minutes=1), tick=False):
        late = submit(claim_id=claim.pk, annotator=ada, data={"label": "preserve", "confidence": "3"})
    assert late.judgement.uncounted == ""
    assert Slot.objects.get().state == Slot.State.FILLED


@pytest.mark.parametrize("answered", [False, True])
def test_a_surplus_answer_is_kept_and_marked(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, answered: bool
) -> None:
    campaign = make_campaign(items=1, slots=1)
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        claim = claim_next(campaign=campaign, annotator=ada)
    with time_machine.travel(start + CLAIM_LASTS, tick=False):
        if answered:
            answer(campaign, ben, "change")
        else:
            claim_next(campaign=campaign, annotator=ben)
        late = submit(claim_id=claim.pk, annotator=ada, data={"label": "preserve", "confidence": "3"})
    assert late.judgement.uncounted == "surplus"
    assert list(Decision.objects.values_list("n_judgements", flat=True)) == ([1] if answered else [])


def test_an_answer_after_closing_is_kept_and_marked(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign(items=1, slots=1)
    ada = make_annotator(campaign, "ada")
    claim = claim_next(campaign=campaign, annotator=ada)
    close_campaign(campaign=campaign)
    late = submit(claim_id=claim.pk, annotator=ada, data={"label": "preserve", "confidence": "3"})
    assert late.judgement.uncounted == "closed"
    assert Slot.objects.get().state == Slot.State.OPEN
    assert not Decision.objects.exclude(label=None).exists()


def test_a_draft_is_kept_with_the_claim(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign()
    ada = make_annotator(campaign, "ada")
    claim = claim_next(campaign=campaign, annotator=ada)
    save_draft(claim_id=claim.pk, annotator=ada, data={"label": "change", "csrfmiddlewaretoken": "secret"})
    assert claim_next(campaign=campaign, annotator=ada).draft == {"label": "change"}


@pytest.mark.parametrize(
    ("said", "kept"),
    [("12.5", 12.5), ("90", 60.0), ("-3", 0.0), ("nan", None), ("inf", None), ("soon", None), ("", None), (7, 7.0)],
)
def test_time_by_the_browser_is_never_longer_than_by_the_server(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, said: object, kept: float | None
) -> None:
    campaign = make_campaign()
    ada = make_annotator(campaign, "ada")
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        claim = claim_next(campaign=campaign, annotator=ada)
    with time_machine.travel(start + timedelta(seconds=60), tick=False):
        data = {"label": "preserve", "confidence": "3", "active_seconds": said}
        judgement = submit(claim_id=claim.pk, annotator=ada, data=data).judgement
    assert (judgement.seconds, judgement.active_seconds) == (60.0, kept)


def test_whoever_was_deactivated_meanwhile_has_the_answer_kept_but_not_counted(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign(items=1, slots=1)
    ada = make_annotator(campaign, "ada")
    claim = claim_next(campaign=campaign, annotator=ada)
    Membership.objects.filter(user=ada).update(state=Membership.State.DEACTIVATED)
    stored = submit(claim_id=claim.pk, annotator=ada, data={"label": "preserve", "confidence": "3"}).judgement
    assert (stored.uncounted, stored.claim.state, Slot.objects.get().state) == ("excluded", "late", "open")
    assert Decision.objects.count() == 0


def test_nothing_is_stored_of_whoever_withdrew(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign(items=1)
    ada = make_annotator(campaign, "ada")
    claim = claim_next(campaign=campaign, annotator=ada)
    Membership.objects.filter(user=ada).update(state=Membership.State.WITHDRAWN)
    with pytest.raises(DomainError, match="nothing more of yours is stored"):
        submit(claim_id=claim.pk, annotator=ada, data={"label": "preserve", "confidence": "3"})
    assert Judgement.objects.count() == 0


@pytest.mark.parametrize("role", [Role.ADJUDICATOR, Role.ORGANISER])
def test_the_answer_of_somebody_who_sees_the_others_by_now_does_not_count(
    role: Role, make_campaign: MakeCampaign, make_annotator: MakeAnnotator, organiser: User
) -> None:
    campaign = make_campaign(items=1)
    ada = make_annotator(campaign, "ada")
    claim = claim_next(campaign=campaign, annotator=ada)
    change_role(member=Membership.objects.get(user=ada), role=role, by=organiser)
    stored = submit(claim_id=claim.pk, annotator=ada, data={"label": "preserve", "confidence": "5"}).judgement
    assert (stored.uncounted, stored.claim.state) == (Judgement.Uncounted.EXCLUDED, Claim.State.LATE)
    assert (Slot.objects.filter(state=Slot.State.FILLED).count(), Decision.objects.count()) == (0, 0)
