"""How far a campaign is, per item and never by totals."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

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
    """Counts over the campaign's items and slots."""
    slots = Slot.objects.filter(item__campaign=campaign).aggregate(
        wanted=Count("pk"), answered=Count("pk", filter=Q(state="filled")), held=Count("pk", filter=Q(state="held"))
    )
    unfinished = Slot.objects.filter(item=OuterRef("pk")).exclude(state="filled")
    items = Item.objects.filter(campaign=campaign)
    total = items.count()
    complete = items.filter(~Exists(unfinished)).count()
    return Progress(total, complete, slots["answered"], slots["wanted"], slots["held"])


def answered_by(campaign: Campaign, annotator: User) -> int:
    """How many answers this person has given in the campaign."""
    return Claim.objects.filter(item__campaign=campaign, annotator=annotator, judgement__isnull=False).count()


def open_to(campaign: Campaign, annotator: User) -> QuerySet[Slot]:
    """Open slots that this person may take: of items not met before, and of originals not met in another variant."""
    standing = Claim.objects.filter(annotator=annotator, state__in=Claim.STANDING)
    met = Claim.objects.filter(annotator=annotator, item=OuterRef("item"))
    group = campaign.exclusion_group
    sibling = standing.filter(exclusion=group, original=OuterRef("item__original"))
    return Slot.objects.filter(
        ~Exists(met.filter(state__in=Claim.STANDING)),
        # Somebody whose late answer is kept, though it does not count, has seen the item too.
        ~Exists(met.filter(judgement__isnull=False)),
        ~Exists(sibling),
        item__campaign=campaign,
        state=Slot.State.OPEN,
    )
