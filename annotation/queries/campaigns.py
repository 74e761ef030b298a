"""Campaigns beside a campaign: those that it is linked with or could be, and names that are free."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count

from django.db.models import QuerySet
from django.utils.text import slugify

from annotation.models import Campaign, User

from .lists import organised_by

NAME_LENGTH = 80
SPELLED = str.maketrans(
    {
        letter: spelled
        for plain, spelled in {"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"}.items()
        for letter in (plain, plain.upper())
        if len(letter) == 1 and letter != "I"
    }
)
"""Letters that are no letter from a to z with an accent, which is what slugify takes apart."""


def linked_with(campaign: Campaign) -> QuerySet[Campaign]:
    """The campaigns that exclude together with this one."""
    if not campaign.link_group:
        return Campaign.objects.none()
    return Campaign.objects.filter(link_group=campaign.link_group).exclude(pk=campaign.pk).order_by("title", "pk")


def linkable_with(campaign: Campaign, user: User) -> QuerySet[Campaign]:
    """Campaigns that this person organises, in which people are asked, and which are linked with no others."""
    others = organised_by(user).filter(imported=False, simulated=False, link_group="")
    return others.exclude(pk=campaign.pk).order_by("title", "pk")


def comparable_with(campaign: Campaign, user: User) -> QuerySet[Campaign]:
    """Other campaigns of the same protocol whose results this person may see."""
    return organised_by(user).filter(protocol=campaign.protocol).exclude(pk=campaign.pk).order_by("title", "pk")


def free_name(campaign: Campaign) -> str:
    """A name for a copy that nobody has taken."""
    return _free(f"{campaign.name[: NAME_LENGTH - 10]}-copy")


def name_for(title: str, *, besides: Collection[str] = ()) -> str:
    """A name made of the title that nobody has taken, none of those `besides`; empty where the title has nothing that a name may
    hold."""
    begin = slugify(title.translate(SPELLED))[: NAME_LENGTH - 10].strip("-_")
    return _free(begin, besides) if begin else ""


def _free(begin: str, besides: Collection[str] = ()) -> str:
    """The beginning itself, or with the first number that makes it a name of its own."""
    taken = {*besides, *Campaign.objects.filter(name__startswith=begin).values_list("name", flat=True)}
    return next(name for name in (begin if number == 1 else f"{begin}-{number}" for number in count(1)) if name not in taken)
