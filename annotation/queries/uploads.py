"""Which uploaded files pages list."""

from __future__ import annotations

from django.db.models import Count, QuerySet

from annotation.models import Upload, User

from .lists import organised_by


def kept_uploads(user: User) -> QuerySet[Upload]:
    """Files whose examples wait for a sample, of campaigns that the person organises, with `example_count`, the newest first."""
    kept = Upload.objects.filter(campaign__in=organised_by(user), kept=True, imported_at__isnull=False)
    return kept.select_related("campaign").annotate(example_count=Count("examples")).order_by("-created_at", "-pk")
