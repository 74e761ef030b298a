"""Campaigns beside a campaign: those that it is linked with or could be, and names that are free."""

from __future__ import annotations

from itertools import count

from django.db.models import QuerySet

from annotation.models import Campaign, User

from .lists import organised_by

NAME_LENGTH = 80


def linked_with(campaign: Campaign) -> QuerySet[Campaign]:
    """The campaigns that exclude together with this one."""
    if not campaign.link_group:
        return Campaign.objects.none()
    return Campaign.objects.filter(link_group=campaign.link_group).exclude(pk=campaign.pk).order_by("title", "pk")


def linkable_with(campaign: Campaign, user: User) -> QuerySet[Campaign]:
    """Campaigns that this person organises, in which people are asked, and which are linked with no others."""
    others = organised_by(user).filter(imported=False, simulated=False, link_group="")
    return others.exclude(pk=campaign.pk).order_by("title", "pk")


def free_name(campaign: Campaign) -> str:
    """A name for a copy that nobody has taken."""
    taken = set(Campaign.objects.filter(name__startswith=campaign.name[: NAME_LENGTH - 10]).values_list("name", flat=True))
    names = (f"{campaign.name[: NAME_LENGTH - 10]}-copy{'' if number == 1 else f'-{number}'}" for number in count(1))
    return next(name for name in names if name not in taken)
