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
from annotation.models import Campaign, Consent, InformationSheet, Invitation, Membership, User

INVITATION_LASTS = timedelta(days=30)


def invite(*, campaign: Campaign, by: User, uses: int = 1, lasts: timedelta = INVITATION_LASTS) -> str:
    """A fresh token for an invitation link. It is shown once: only its hash is kept."""
    if not 1 <= uses <= 1000:
        raise DomainError("An invitation can be used between 1 and 1,000 times.")
    token = secrets.token_urlsafe(24)
    Invitation.objects.create(
        campaign=campaign, token_sha256=_hash(token), uses_left=uses, expires_at=timezone.now() + lasts, created_by=by
    )
    return token


def invitation_for(token: str) -> Invitation:
    """The invitation behind a link. Raises InvitationError when it is unknown, used up or expired."""
    invitation = Invitation.objects.select_related("campaign").filter(token_sha256=_hash(token)).first()
    if invitation is None:
        raise InvitationError("This invitation link is not known here. Check that it was copied whole, or ask for a new one.")
    if invitation.uses_left < 1:
        raise InvitationError("This invitation link has been used. Ask the organiser for a new one.")
    if invitation.expires_at <= timezone.now():
        raise InvitationError("This invitation link has expired. Ask the organiser for a new one.")
    return invitation


@transaction.atomic
def join(*, token: str, user: User) -> Campaign:
    """Make the person an annotator of the campaign. Joining twice uses the invitation once."""
    invitation = invitation_for(token)
    invitation = Invitation.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=invitation.pk)
    if user.kind != User.Kind.PERSON:
        raise DomainError("Only people join by invitation.")
    if user.is_organiser and invitation.campaign.created_by_id is None:
        raise DomainError("Every organiser sees the answers of this campaign, so none can answer in it.")
    existing = Membership.objects.filter(campaign=invitation.campaign, user=user).first()
    if existing is not None:
        if existing.role == Membership.Role.ORGANISER:
            raise DomainError(
                "You organise this campaign, so you cannot answer in it. Open the link in a private window to try it."
            )
        return invitation.campaign
    if invitation.uses_left < 1:
        raise InvitationError("This invitation link has been used. Ask the organiser for a new one.")
    Membership.objects.create(campaign=invitation.campaign, user=user, role=Membership.Role.ANNOTATOR)
    invitation.uses_left -= 1
    invitation.save(update_fields=["uses_left"])
    return invitation.campaign


@transaction.atomic
def register(*, token: str, username: str, password: str) -> User:
    """A new account for somebody who holds an invitation; joins the campaign at once.

    Raises DomainError when the name is taken or the password too weak, InvitationError for the link.
    """
    invitation_for(token)
    try:
        validate_password(password, User(username=username))
    except ValidationError as weak:
        raise DomainError(" ".join(weak.messages)) from weak
    try:
        with transaction.atomic():
            user = User.objects.create_user(username=username, password=password)
    except IntegrityError as taken:
        raise DomainError(f"The name “{username}” is taken. Choose another, or sign in first if it is yours.") from taken
    join(token=token, user=user)
    return user


def consent(*, sheet: InformationSheet, user: User) -> Consent:
    """Record that the person agreed to this version of the sheet; once is enough."""
    record, _ = Consent.objects.get_or_create(sheet=sheet, user=user)
    return record


def has_consented(*, campaign: Campaign, user: User) -> bool:
    """Whether the person agreed to the current version of the campaign's sheet."""
    sheet = campaign.sheets.first()
    return sheet is None or Consent.objects.filter(sheet=sheet, user=user).exists()


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
