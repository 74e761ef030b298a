"""How far a campaign is, per item and never by totals."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from annotation.models import Campaign, Claim, Item, User


@dataclass(frozen=True, slots=True)
class Progress:
    """Items whose slots are all answered, and answers that were given and wanted."""

    items: int
    complete: int
    answered: int
    wanted: int
    being_answered: int


def progress_of(campaign: Campaign) -> Progress:
    """Counts over the campaign's items that are work, and the answers to them."""
    items = Item.objects.filter(campaign=campaign, use=Item.Use.WORK).aggregate(
        n=Count("pk"), complete=Count("pk", filter=Q(complete=True)), answered=Sum("answered"), wanted=Sum("wanted")
    )
    held = Claim.objects.filter(campaign=campaign, use=Item.Use.WORK, state=Claim.State.LIVE).count()
    return Progress(items["n"], items["complete"], items["answered"] or 0, items["wanted"] or 0, held)


def answered_by(campaign: Campaign, annotator: User) -> int:
    """How many answers this person has given to items that are work."""
    return Claim.objects.filter(campaign=campaign, annotator=annotator, use=Item.Use.WORK, state__in=Claim.GIVEN).count()
