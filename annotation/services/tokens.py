"""API tokens: making one, taking one back."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db import transaction

from annotation.errors import DomainError, NotYours
from annotation.models import ApiToken, User
from annotation.queries.tokens import tokens_of

MOST = 20
LONGEST = timedelta(days=366)


@transaction.atomic
def make_token(*, user: User, name: str, lasts: timedelta) -> tuple[ApiToken, str]:
    """A token in the person's name, and the token itself. It is shown once: only its digest is kept."""
    if not timedelta(0) < lasts <= LONGEST:
        raise DomainError(f"A token works for 1 to {LONGEST.days} days.")
    # Two requests at once may not both make the last one.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if tokens_of(user).count() >= MOST:
        raise DomainError(f"You have {MOST} tokens. Revoke one that is no longer used first.")
    made, token = ApiToken.objects.create(user=user, expiry=lasts, name=name)
    return made, token


def revoke_token(*, user: User, public_id: UUID) -> None:
    """End a token at once. Raises NotYours."""
    deleted, _ = ApiToken.objects.filter(user=user, public_id=public_id).delete()
    if not deleted:
        raise NotYours("There is no such token of yours.")
