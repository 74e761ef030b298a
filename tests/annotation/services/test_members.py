"""How people stand in a campaign, and who owns it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db.models import ProtectedError

from annotation.errors import DomainError
from annotation.models import Campaign, Claim, Event, Judgement, Membership, Role, Slot, User
from annotation.services import members
from annotation.services.claiming import claim_next
from annotation.services.people import admit
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

State = Membership.State


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=2)


@pytest.fixture
def colleague(campaign: Campaign) -> Membership:
    """A second organiser."""
    return admit(campaign=campaign, user=User.objects.create_user(username="carla"), role=Role.ORGANISER)


def of(campaign: Campaign, user: User) -> Membership:
    return campaign.memberships.get(user=user)


def test_somebody_paused_gets_nothing_new_but_keeps_what_they_hold(
    campaign: Campaign, make_annotator: MakeAnnotator, organiser: User
) -> None:
    ada = make_annotator(campaign, "ada")
    held = claim_next(campaign=campaign, annotator=ada)
    members.pause(member=of(campaign, ada), by=organiser)
    held.refresh_from_db()
    assert (of(campaign, ada).state, held.state) == (State.PAUSED, Claim.State.LIVE)
    with pytest.raises(DomainError):
        claim_next(campaign=campaign, annotator=ada)
    members.resume(member=of(campaign, ada), by=organiser)
    assert claim_next(campaign=campaign, annotator=ada) == held


def test_what_somebody_deactivated_held_goes_to_others(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, organiser: User, answer: Answer
) -> None:
    campaign = make_campaign(items=2, slots=1)
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    given = answer(campaign, ada, "preserve")
    held = claim_next(campaign=campaign, annotator=ada)
    members.deactivate(member=of(campaign, ada), by=organiser)
    held.refresh_from_db()
    assert (held.state, Slot.objects.get(pk=held.slot_id).state) == (Claim.State.RELEASED, Slot.State.OPEN)
    assert claim_next(campaign=campaign, annotator=ben).slot_id == held.slot_id
    with pytest.raises(DomainError):
        claim_next(campaign=campaign, annotator=ada)
    assert list(Judgement.objects.values_list("pk", "uncounted")) == [(given.judgement.pk, "")]


def test_deleting_an_account_never_deletes_answers(
    campaign: Campaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User
) -> None:
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    for person in (ada, ben):
        answer(campaign, person, "preserve")
    for person in (ada, organiser):
        with pytest.raises(ProtectedError):
            person.delete()
    assert Judgement.objects.count() == 2


@pytest.mark.parametrize("verb", [members.pause, members.deactivate])
def test_the_owner_and_the_last_organiser_stay(campaign: Campaign, organiser: User, verb: Callable[..., None]) -> None:
    with pytest.raises(DomainError, match="owns this campaign"):
        verb(member=of(campaign, organiser), by=organiser)
    Campaign.objects.filter(pk=campaign.pk).update(created_by=None)
    with pytest.raises(DomainError, match="needs an organiser"):
        verb(member=of(campaign, organiser), by=organiser)
    assert of(campaign, organiser).state == State.ACTIVE


def test_another_organiser_can_leave(campaign: Campaign, organiser: User, colleague: Membership) -> None:
    members.deactivate(member=colleague, by=organiser)
    assert of(campaign, colleague.user).state == State.DEACTIVATED
    assert [event.verb for event in Event.objects.filter(campaign=campaign, verb="deactivated")] == ["deactivated"]


def test_a_paused_colleague_is_no_organiser_to_rely_on(campaign: Campaign, organiser: User, colleague: Membership) -> None:
    members.transfer(campaign=campaign, to=colleague.user, by=organiser)
    members.pause(member=of(campaign, organiser), by=colleague.user)
    with pytest.raises(DomainError, match="owns this campaign"):
        members.deactivate(member=colleague, by=colleague.user)


def test_ownership_is_handed_over_by_the_owner_to_an_organiser(
    campaign: Campaign, organiser: User, colleague: Membership, make_annotator: MakeAnnotator
) -> None:
    with pytest.raises(DomainError, match="Only the owner"):
        members.transfer(campaign=campaign, to=colleague.user, by=colleague.user)
    with pytest.raises(DomainError, match="does not organise"):
        members.transfer(campaign=campaign, to=make_annotator(campaign, "ada"), by=organiser)
    members.transfer(campaign=campaign, to=colleague.user, by=organiser)
    campaign.refresh_from_db()
    assert campaign.created_by == colleague.user
    assert {m.user.username: m.role for m in campaign.memberships.filter(role=Role.ORGANISER)} == {
        "olga": Role.ORGANISER,
        "carla": Role.ORGANISER,
    }


def test_an_organiser_can_make_a_campaign_of_the_command_line_their_own(campaign: Campaign, organiser: User) -> None:
    campaign.memberships.all().delete()
    Campaign.objects.filter(pk=campaign.pk).update(created_by=None)
    stranger = User.objects.create_user(username="sam")
    with pytest.raises(DomainError):
        members.transfer(campaign=campaign, to=stranger, by=stranger)
    members.transfer(campaign=campaign, to=organiser, by=organiser)
    campaign.refresh_from_db()
    assert (campaign.created_by, of(campaign, organiser).role) == (organiser, Role.ORGANISER)


def test_roles_change_but_never_back_to_blind_work(campaign: Campaign, organiser: User, make_annotator: MakeAnnotator) -> None:
    ada = make_annotator(campaign, "ada")
    held = claim_next(campaign=campaign, annotator=ada)
    members.change_role(member=of(campaign, ada), role=Role.ADJUDICATOR, by=organiser)
    held.refresh_from_db()
    assert (of(campaign, ada).role, held.state) == (Role.ADJUDICATOR, Claim.State.RELEASED)
    with pytest.raises(DomainError, match="could see the others' answers"):
        members.change_role(member=of(campaign, ada), role=Role.ANNOTATOR, by=organiser)
    with pytest.raises(DomainError, match="There is no role"):
        members.change_role(member=of(campaign, ada), role="emperor", by=organiser)


def test_the_last_organiser_keeps_the_role(campaign: Campaign, organiser: User) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(created_by=None)
    with pytest.raises(DomainError, match="needs an organiser"):
        members.change_role(member=of(campaign, organiser), role=Role.ADJUDICATOR, by=organiser)


def test_a_quota_is_a_persons_own(campaign: Campaign, organiser: User, make_annotator: MakeAnnotator, answer: Answer) -> None:
    ada = make_annotator(campaign, "ada")
    members.set_quota(member=of(campaign, ada), quota=1, by=organiser)
    answer(campaign, ada, "preserve")
    with pytest.raises(DomainError):
        claim_next(campaign=campaign, annotator=ada)
    members.set_quota(member=of(campaign, ada), quota=None, by=organiser)
    assert claim_next(campaign=campaign, annotator=ada)


def test_the_team_stays_once_somebody_has_answered(
    make_campaign: MakeCampaign, organiser: User, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign, other = make_campaign(), make_campaign(name="other")
    red, foreign = campaign.teams.create(name="red"), other.teams.create(name="red")
    ada = make_annotator(campaign, "ada")
    with pytest.raises(DomainError, match="another campaign"):
        members.move_to_team(member=of(campaign, ada), team=foreign, by=organiser)
    members.move_to_team(member=of(campaign, ada), team=red, by=organiser)
    answer(campaign, ada, "preserve")
    with pytest.raises(DomainError, match="has answered already"):
        members.move_to_team(member=of(campaign, ada), team=None, by=organiser)
    assert of(campaign, ada).team == red
