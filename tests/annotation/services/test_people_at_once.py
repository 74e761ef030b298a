"""What happens when people come, answer, leave and are removed at the same moment, each in a thread of their own."""

from __future__ import annotations

from functools import partial

import pytest

from annotation.models import Claim, CrowdVisit, Invitation, Judgement, Membership, Role, Slot, User
from annotation.services.answering import submit
from annotation.services.claiming import claim_next
from annotation.services.crowd import Ids, enter, set_entrance
from annotation.services.members import deactivate
from annotation.services.people import admit, invite, join, register
from annotation.services.withdrawal import withdraw
from tests.annotation.at_once import at_once
from tests.annotation.conftest import MakeAnnotator, MakeCampaign

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("on_postgresql")]
ROUNDS = 5


def test_two_people_at_once_share_the_last_use_of_a_link(make_campaign: MakeCampaign, organiser: User) -> None:
    campaign = make_campaign()
    for number in range(ROUNDS):
        token = invite(campaign=campaign, by=organiser, uses=1)
        names = [f"{name}{number}" for name in ("ada", "ben", "cem", "dee")]
        results = at_once(*(partial(register, token=token, username=name, password="harbour-lantern-77") for name in names))
        assert sum(isinstance(result, User) for result in results) == 1
        assert Invitation.objects.latest("pk").uses_left == 0
    assert campaign.memberships.filter(role=Role.ANNOTATOR).count() == ROUNDS
    assert User.objects.exclude(pk=organiser.pk).count() == ROUNDS


def test_one_person_in_two_tabs_joins_once(make_campaign: MakeCampaign, organiser: User) -> None:
    campaign = make_campaign()
    ada = User.objects.create_user(username="ada")
    token = invite(campaign=campaign, by=organiser, uses=5)
    results = at_once(*[partial(join, token=token, user=ada)] * 3)
    assert [result for result in results if isinstance(result, Exception)] == []
    assert (campaign.memberships.filter(user=ada).count(), Invitation.objects.get().uses_left) == (1, 4)


def test_an_answer_at_the_moment_of_withdrawing_is_not_left_behind(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign(items=ROUNDS, slots=1)
    for number in range(ROUNDS):
        person = make_annotator(campaign, f"p{number}")
        claim = claim_next(campaign=campaign, annotator=person)
        at_once(
            partial(submit, claim_id=claim.pk, annotator=person, data={"label": "preserve", "confidence": 4}),
            partial(withdraw, campaign=campaign, user=person),
            partial(claim_next, campaign=campaign, annotator=person),
        )
        assert campaign.memberships.get(user=person).state == Membership.State.WITHDRAWN
    assert (Judgement.objects.count(), Claim.objects.count()) == (0, 0)
    assert set(Slot.objects.values_list("state", flat=True)) == {Slot.State.OPEN}


def test_two_organisers_cannot_remove_each_other_at_once(make_campaign: MakeCampaign, organiser: User) -> None:
    campaign = make_campaign()
    campaign.created_by = None
    campaign.save()
    carla = User.objects.create_user(username="carla")
    admit(campaign=campaign, user=carla, role=Role.ORGANISER)
    one, two = campaign.memberships.get(user=organiser), campaign.memberships.get(user=carla)
    at_once(partial(deactivate, member=one, by=carla), partial(deactivate, member=two, by=organiser))
    active = campaign.memberships.filter(role=Role.ORGANISER, state=Membership.State.ACTIVE)
    assert active.count() == 1


def test_a_participant_in_two_tabs_gets_one_account(make_campaign: MakeCampaign, organiser: User) -> None:
    campaign = make_campaign()
    set_entrance(campaign=campaign, kind="crowd", by=organiser, participant_parameter="p")
    results = at_once(*[partial(enter, campaign=campaign, ids=Ids("p1", "", "s1"), user=None)] * 4)
    assert len(set(results)) == 1
    assert (CrowdVisit.objects.count(), campaign.memberships.filter(role=Role.ANNOTATOR).count()) == (1, 1)
