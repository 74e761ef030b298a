"""Finding items by what their texts say."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from annotation.models import Item


def holding(items: QuerySet[Item], text: str) -> QuerySet[Item]:
    """The items one of whose texts holds this, in upper or lower case."""
    return items.filter(Q(first__text__icontains=text) | Q(second__text__icontains=text))
