"""Letting people in: invitations, accounts, consent."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.errors import DomainError, InvitationError
from annotation.models import Campaign, Consent, Entrance, InformationSheet, Invitation, Membership, Role, Team, User

from .activity import log
from .holding import hold

INVITATION_LASTS = timedelta(days=30)
ALREADY = {
    Role.ORGANISER: "You organise this campaign, so you cannot answer in it. Open the link in a private window to try it.",
    Role.ADJUDICATOR: "You adjudicate in this campaign, where you see what others answered. An organiser can change your role.",
    Role.ANNOTATOR: "You are an annotator of this campaign already. An organiser can change your role.",
}


def invite(
    *,
    campaign: Campaign,
    by: User,
    role: str = Role.ANNOTATOR,
    team: Team | None = None,
    uses: int = 1,
    lasts: timedelta = INVITATION_LASTS,
) -> str:
    """A fresh token for an invitation link. It is shown once: only its hash is kept."""
    if not 1 <= uses <= 1000:
        raise DomainError("An invitation can be used between 1 and 1,000 times.")
    if role not in Role.values:
        raise DomainError(f"There is no role “{role}”. Choose one of {', '.join(Role.values)}.")
    if team is not None and team.campaign_id != campaign.pk:
        raise DomainError("That team belongs to another campaign.")
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        Invitation.objects.create(
            campaign=campaign,
            token_sha256=_hash(token),
            role=role,
            team=team,
            uses_left=uses,
            expires_at=timezone.now() + lasts,
            created_by=by,
        )
        log(campaign=campaign, by=by, verb="invited", role=role, uses=uses)
    return token


@transaction.atomic
def revoke(*, invitation: Invitation, by: User) -> None:
    """Let nobody else in by this link. Whoever joined by it stays."""
    hold(invitation.campaign_id)
    changed = Invitation.objects.filter(pk=invitation.pk, revoked_at__isnull=True).update(revoked_at=timezone.now())
    if changed:
        log(campaign=invitation.campaign, by=by, verb="revoked")


def invitation_for(token: str) -> Invitation:
    """The invitation behind a link. Raises InvitationError when it is unknown, revoked, used up or expired."""
    invitation = Invitation.objects.select_related("campaign", "team").filter(token_sha256=_hash(token)).first()
    if invitation is None:
        raise InvitationError("This invitation link is not known here. Check that it was copied whole, or ask for a new one.")
    _still_good(invitation)
    return invitation


def _still_good(invitation: Invitation) -> None:
    if invitation.revoked_at is not None:
        raise InvitationError("This invitation link was taken back. Ask the organiser for a new one.")
    if invitation.uses_left < 1:
        raise InvitationError("This invitation link has been used. Ask the organiser for a new one.")
    if invitation.expires_at <= timezone.now():
        raise InvitationError("This invitation link has expired. Ask the organiser for a new one.")


@transaction.atomic
def join(*, token: str, user: User) -> Membership:
    """Give the person the role that the link says. Joining twice uses the invitation once."""
    found = invitation_for(token)
    # Two people at once may hold the last use: they pass here one after the other, and the second finds none left.
    invitations = Invitation.objects.select_for_update(of=("self",), no_key=True).select_related("campaign", "team")
    invitation = invitations.get(pk=found.pk)
    existing = _already_there(invitation.campaign, user, invitation.role)
    if existing is not None:
        return existing
    _still_good(invitation)
    membership = admit(campaign=invitation.campaign, user=user, role=invitation.role, team=invitation.team)
    invitation.uses_left -= 1
    invitation.save(update_fields=["uses_left"])
    return membership


def _already_there(campaign: Campaign, user: User, role: str) -> Membership | None:
    """The person's membership in that role, if they joined before. Raises DomainError when they have another role, or left."""
    existing = Membership.objects.select_related("campaign").filter(campaign=campaign, user=user).first()
    if existing is None:
        return None
    if existing.state == Membership.State.WITHDRAWN:
        raise DomainError("You withdrew from this campaign, and that holds. Thank you for having taken part.")
    if existing.role != role:
        raise DomainError(ALREADY[Role(existing.role)])
    return existing


def admit(*, campaign: Campaign, user: User, role: str = Role.ANNOTATOR, team: Team | None = None) -> Membership:
    """A membership for somebody who may have one: only people join, and nobody answers where they see the others' answers."""
    if user.kind != User.Kind.PERSON or not user.is_active:
        raise DomainError("Only people join a campaign.")
    if role == Role.ANNOTATOR and user.is_organiser and campaign.created_by_id is None:
        raise DomainError("Every organiser sees the answers of this campaign, so none can answer in it.")
    membership = Membership.objects.create(campaign=campaign, user=user, role=role, team=team)
    log(campaign=campaign, by=user, verb="joined", role=role)
    return membership


@transaction.atomic
def register(*, token: str, username: str, password: str) -> User:
    """A new account for somebody who holds an invitation; joins the campaign at once.

    Raises DomainError when the name is taken or the password too weak, InvitationError for the link.
    """
    invitation_for(token)
    user = _new_account(username, password)
    join(token=token, user=user)
    return user


@transaction.atomic
def register_openly(*, campaign: Campaign, username: str, password: str) -> User:
    """A new account for anybody, where the campaign lets anybody register. Raises DomainError otherwise."""
    lets_anybody_in(campaign)
    user = _new_account(username, password)
    admit(campaign=campaign, user=user)
    return user


@transaction.atomic
def join_openly(*, campaign: Campaign, user: User) -> Membership:
    """Make somebody who has an account an annotator, where the campaign lets anybody register."""
    lets_anybody_in(campaign)
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two clicks at once are one
    return _already_there(campaign, user, Role.ANNOTATOR) or admit(campaign=campaign, user=user)


def lets_anybody_in(campaign: Campaign) -> None:
    """Raise DomainError unless anybody may register here now."""
    if not Entrance.objects.filter(campaign=campaign, kind=Entrance.Kind.OPEN).exists():
        raise DomainError("This campaign is for people with an invitation.")
    if campaign.state != Campaign.State.OPEN:
        raise DomainError("This campaign takes nobody in at present.")


def _new_account(username: str, password: str) -> User:
    try:
        validate_password(password, User(username=username))
    except ValidationError as weak:
        raise DomainError(" ".join(weak.messages)) from weak
    try:
        with transaction.atomic():
            return User.objects.create_user(username=username, password=password)
    except IntegrityError as taken:
        raise DomainError(f"The name “{username}” is taken. Choose another, or sign in first if it is yours.") from taken


def consent(*, sheet: InformationSheet, user: User) -> Consent:
    """Record that the person agreed to this version of the sheet: to which text, when, in which language; once is enough."""
    seen = {"sheet_sha256": sheet.sha256, "language": sheet.language}
    record, _ = Consent.objects.get_or_create(sheet=sheet, user=user, defaults=seen)
    return record


def has_consented(*, campaign: Campaign, user: User) -> bool:
    """Whether the person agreed to the current version of the campaign's sheet, and has not withdrawn since."""
    sheet = campaign.sheets.first()
    return sheet is None or Consent.objects.filter(sheet=sheet, user=user, withdrawn_at__isnull=True).exists()


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
