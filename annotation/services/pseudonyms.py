"""Numbers that stand for people in what leaves the campaign: A1, A2, … Nobody's name or account can be told from them."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max, Min

from annotation.models import Campaign, Claim, Pseudonym

from .holding import hold


def pseudonyms_of(campaign: Campaign) -> dict[int, str]:
    """User id → A1, A2, … for everybody who answered in the campaign.

    A number is given when it is first needed, in the order of first answers, and is kept from then on: it stays the same in every
    export, whoever joins, withdraws or is taken out, and none is ever used for two people.
    """
    names = _known(campaign)
    answered = Claim.objects.filter(campaign=campaign, judgement__isnull=False).order_by()
    first = answered.values("annotator").annotate(first=Min("judgement__pk")).order_by("first")
    if missing := [row["annotator"] for row in first if row["annotator"] not in names]:
        _give(campaign, missing)
        names = _known(campaign)
    return names


def everybody_has_a_number(campaign: Campaign) -> bool:
    """Whether there is nobody to whom `pseudonyms_of` would give one."""
    numbered = Pseudonym.objects.filter(campaign=campaign).values("user")
    return not Claim.objects.filter(campaign=campaign, judgement__isnull=False).exclude(annotator__in=numbered).exists()


def _known(campaign: Campaign) -> dict[int, str]:
    return {row.user_id: str(row) for row in Pseudonym.objects.filter(campaign=campaign)}


@transaction.atomic
def _give(campaign: Campaign, people: list[int]) -> None:
    """Numbers for people who have none. Two exports at once must not give one number twice, so they come one after the other."""
    hold(campaign)
    taken = Pseudonym.objects.filter(campaign=campaign)
    last = taken.aggregate(last=Max("number"))["last"] or 0
    there = set(taken.values_list("user_id", flat=True))
    fresh = [person for person in people if person not in there]
    Pseudonym.objects.bulk_create(
        Pseudonym(campaign=campaign, user_id=person, number=number) for number, person in enumerate(fresh, start=last + 1)
    )
