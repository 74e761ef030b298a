"""A person's API tokens."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from annotation.models import ApiToken, User


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """The person's tokens that still work, the newest first."""
    return ApiToken.objects.filter(user=user, expiry__gt=timezone.now()).order_by("-created", "public_id")
