"""The activity log, newest first."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from annotation.models import Campaign, Event


def events_of(campaign: Campaign, *, verb: str = "") -> QuerySet[Event]:
    """What happened to the campaign; with `verb`, only that."""
    events = Event.objects.filter(campaign=campaign).select_related("actor").order_by("-pk")
    return events.filter(verb=verb) if verb else events


def page_of(events: QuerySet[Event], *, size: int, before: int | None = None) -> tuple[Sequence[Event], bool]:
    """The `size` newest events older than the one with the id `before`, and whether there are older ones still."""
    rows = events if before is None else events.filter(pk__lt=before)
    found = list(rows[: size + 1])
    return found[:size], len(found) > size


def verbs_of(campaign: Campaign) -> list[str]:
    """The verbs that the campaign's log has."""
    return sorted(Event.objects.filter(campaign=campaign).order_by().values_list("verb", flat=True).distinct())
