"""Blurring times: of somebody who withdrew and whose answers stay, only the days are kept.

A time to the millisecond on an answer, beside one on a consent or a membership, names whose answer it is. Days are what the
figures need. The order in which answers came stays: which of an item's answers count depends on it.
"""

from __future__ import annotations

from datetime import UTC

from django.db import models
from django.db.models.functions import TruncDay

from annotation.models import Claim, Consent, EarlierAnswer, Judgement, Membership, User


def blur_answers(claims: models.QuerySet[Claim]) -> None:
    """Of claims, their answers and what these said before, only the days stay, and no sign of life."""
    Judgement.objects.filter(claim__in=claims).update(submitted_at=_day("submitted_at"))
    EarlierAnswer.objects.filter(judgement__claim__in=claims).update(submitted_at=_day("submitted_at"))
    claims.update(claimed_at=_day("claimed_at"), expires_at=_day("expires_at"), seen_at=None)


def blur_person(member: Membership) -> None:
    """The same for what stays under the name: membership, consents, and the account, which may have been made on joining."""
    Membership.objects.filter(pk=member.pk).update(joined_at=_day("joined_at"), withdrawn_at=_day("withdrawn_at"))
    consents = Consent.objects.filter(sheet__campaign=member.campaign_id, user=member.user_id)
    consents.update(given_at=_day("given_at"), withdrawn_at=_day("withdrawn_at"))
    User.objects.filter(pk=member.user_id).update(date_joined=_day("date_joined"), last_login=_day("last_login"))


def _day(field: str) -> TruncDay:
    return TruncDay(field, tzinfo=UTC)
