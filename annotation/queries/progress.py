"""How far a campaign is, per item and never by totals."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import Campaign, Claim, Item, Slot, User


@dataclass(frozen=True, slots=True)
class Progress:
    """Items whose slots are all answered, and answers that were given and wanted."""

    items: int
    complete: int
    answered: int
    wanted: int
    being_answered: int


def progress_of(campaign: Campaign) -> Progress:
    """Counts over the campaign's items that are work, and their slots."""
    slots = Slot.objects.filter(campaign=campaign, item__use=Item.Use.WORK).aggregate(
        wanted=Count("pk"), answered=Count("pk", filter=Q(state="filled")), held=Count("pk", filter=Q(state="held"))
    )
    unfinished = Slot.objects.filter(item=OuterRef("pk")).exclude(state="filled")
    items = Item.objects.filter(campaign=campaign, use=Item.Use.WORK)
    total = items.count()
    complete = items.filter(~Exists(unfinished)).count()
    return Progress(total, complete, slots["answered"], slots["wanted"], slots["held"])


def answered_by(campaign: Campaign, annotator: User) -> int:
    """How many answers this person has given to items that are work."""
    return Claim.objects.filter(campaign=campaign, annotator=annotator, use=Item.Use.WORK, state__in=Claim.GIVEN).count()
