"""How people stand in a campaign: paused, let go on, deactivated; their role, team and quota; who owns it."""

from __future__ import annotations

from django.db import transaction

from annotation.errors import DomainError
from annotation.models import Campaign, Claim, Membership, Role, Team, User

from .activity import log
from .claiming import give_back
from .holding import hold

State = Membership.State


def locked_membership(*, campaign: Campaign, user: User) -> Membership | None:
    """The person's membership, held until the transaction ends; None for strangers.

    Handing out work takes this lock too, so nobody who is leaving is given an item meanwhile.
    """
    members = Membership.objects.select_for_update(of=("self",), no_key=True).filter(campaign=campaign, user=user)
    return members.select_related("team").first()


@transaction.atomic
def pause(*, member: Membership, by: User) -> None:
    """Hand out nothing more to the person until they are let go on. What they hold they may still answer."""
    _change(member, by, "paused_person", since=State.ACTIVE, to=State.PAUSED)


@transaction.atomic
def resume(*, member: Membership, by: User) -> None:
    """Let a paused or deactivated person go on. Whoever withdrew stays withdrawn."""
    current = _locked(member)
    if current.state not in (State.PAUSED, State.DEACTIVATED):
        raise DomainError(f"{current.user.username} is {current.get_state_display()}; there is nothing to take up again.")
    _set_state(current, State.ACTIVE)
    log(campaign=current.campaign, by=by, verb="resumed_person", person=current.user.username)


@transaction.atomic
def deactivate(*, member: Membership, by: User) -> None:
    """Let the person do nothing more here. What they hold goes back; their answers stay as they are."""
    current = _locked(member)
    if current.state in (State.DEACTIVATED, State.WITHDRAWN):
        raise DomainError(f"{current.user.username} is {current.get_state_display()} already.")
    _may_step_back(current)
    _set_state(current, State.DEACTIVATED)
    give_back_claims(member=current)
    log(campaign=current.campaign, by=by, verb="deactivated", person=current.user.username)


def give_back_claims(*, member: Membership) -> int:
    """Put what the person holds back among the open slots. Returns how many there were."""
    return give_back(claims=Claim.objects.filter(campaign=member.campaign_id, annotator=member.user_id))


@transaction.atomic
def change_role(*, member: Membership, role: str, by: User) -> None:
    """Give the person another role. Whoever could see answers never becomes an annotator: they would not judge blindly."""
    current = _locked(member)
    if role not in Role.values:
        raise DomainError(f"There is no role “{role}”. Choose one of {', '.join(Role.values)}.")
    if role == current.role:
        return
    if current.state == State.WITHDRAWN:
        raise DomainError("Somebody who withdrew has no role any more.")
    if role == Role.ANNOTATOR:
        raise DomainError(f"{current.user.username} could see the others' answers, so they cannot become an annotator here.")
    _may_step_back(current)
    give_back_claims(member=current)
    current.role, current.group = role, None
    current.save(update_fields=["role", "group"])
    log(campaign=current.campaign, by=by, verb="role", person=current.user.username, role=role)


@transaction.atomic
def set_quota(*, member: Membership, quota: int | None, by: User) -> None:
    """How many answers are wanted of this person at most; None: as many as the campaign says."""
    current = _locked(member)
    current.quota = quota
    current.save(update_fields=["quota"])
    said = "the campaign's" if quota is None else quota
    log(campaign=current.campaign, by=by, verb="quota", person=current.user.username, quota=said)


@transaction.atomic
def move_to_team(*, member: Membership, team: Team | None, by: User) -> None:
    """Put the person into a team, or into none. It changes which texts they may judge, so it ends once they have answered."""
    current = _locked(member)
    if team is not None and team.campaign_id != current.campaign_id:
        raise DomainError("That team belongs to another campaign.")
    if current.team_id == (team.pk if team else None):
        return
    if Claim.objects.filter(item__campaign=current.campaign_id, annotator=current.user_id, judgement__isnull=False).exists():
        raise DomainError(
            f"{current.user.username} has answered already, so the team stays: they may have judged texts of the new one."
        )
    give_back_claims(member=current)
    current.team, current.group = team, None
    current.save(update_fields=["team", "group"])
    detail = {"team": team.name} if team else {}
    log(campaign=current.campaign, by=by, verb="moved" if team else "left_team", person=current.user.username, **detail)


@transaction.atomic
def transfer(*, campaign: Campaign, to: User, by: User) -> None:
    """Hand the campaign over to another of its organisers. One that nobody owns, an organiser can make their own."""
    campaign = hold(campaign)
    nobodys = campaign.created_by_id is None
    if not nobodys and campaign.created_by_id != by.pk:
        raise DomainError("Only the owner can hand the campaign over.")
    if nobodys and to == by and by.is_organiser:
        Membership.objects.get_or_create(campaign=campaign, user=by, defaults={"role": Role.ORGANISER})
    organises = Membership.objects.filter(campaign=campaign, user=to, role=Role.ORGANISER, state=State.ACTIVE)
    if not organises.exists():
        raise DomainError(f"{to.username} does not organise this campaign. Make them an organiser first.")
    campaign.created_by = to
    campaign.save(update_fields=["created_by"])
    log(campaign=campaign, by=by, verb="transferred", person=to.username)


def _change(member: Membership, by: User, verb: str, *, since: State, to: State) -> None:
    current = _locked(member)
    if current.state != since:
        raise DomainError(f"{current.user.username} is {current.get_state_display()}; only somebody who is {since.label} can be.")
    _may_step_back(current)
    _set_state(current, to)
    log(campaign=current.campaign, by=by, verb=verb, person=current.user.username)


def _locked(member: Membership) -> Membership:
    """The membership as it is now. The campaign is locked too, so that two organisers cannot remove each other at once."""
    hold(member.campaign_id)
    members = Membership.objects.select_for_update(of=("self",), no_key=True).select_related("campaign", "user", "team")
    return members.get(pk=member.pk)


def _set_state(member: Membership, state: State) -> None:
    member.state = state
    member.save(update_fields=["state"])


def _may_step_back(member: Membership) -> None:
    """A campaign always has an organiser, and its owner is one of them."""
    if member.role != Role.ORGANISER:
        return
    if member.campaign.created_by_id == member.user_id:
        raise DomainError(f"{member.user.username} owns this campaign. Hand it over to another organiser first.")
    others = Membership.objects.filter(campaign=member.campaign_id, role=Role.ORGANISER, state=State.ACTIVE)
    if not others.exclude(pk=member.pk).exists():
        raise DomainError("A campaign needs an organiser: make somebody else one first.")
