"""Linking campaigns: within linked ones nobody sees two variants of one original."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet

from annotation.errors import DomainError
from annotation.models import Campaign, Claim, Item, User
from annotation.protocols import exclusion_of
from annotation.queries.own import met_twice
from scoring.wording import counted

from .activity import log
from .campaigns import CAMPAIGN_NAME
from .holding import hold_whole


@transaction.atomic
def link_campaigns(*, campaigns: Sequence[Campaign], by: User | None, group: str) -> list[Campaign]:
    """Make the campaigns, and those that are in the group already, exclude together: whoever has had one variant of an original
    in one of them is given no other variant of it in any.

    Raises DomainError when a person has seen two variants already; it says how many have.
    """
    if not CAMPAIGN_NAME.fullmatch(group):
        raise DomainError("A link's name consists of letters, digits, hyphens and underscores, at most 80.")
    wanted = {campaign.pk for campaign in campaigns}
    members = Campaign.objects.filter(link_group=group).values_list("pk", flat=True)
    linked = list(Campaign.objects.select_for_update().filter(pk__in=wanted | set(members)).order_by("pk"))
    _refuse(linked, group)
    for campaign in linked:
        campaign.link_group = group
        campaign.save(update_fields=["link_group"])
        _work(campaign).update(exclusion=exclusion_of(campaign))
        if campaign.pk in wanted:
            log(campaign=campaign, by=by, verb="linked", what=_others(linked, campaign))
    return linked


@transaction.atomic
def unlink_campaign(*, campaign: Campaign, by: User) -> None:
    """Let the campaign exclude for itself again. What people have seen elsewhere no longer counts here."""
    campaign = hold_whole(campaign)
    if not campaign.link_group:
        raise DomainError("This campaign is not linked with any other.")
    campaign.link_group = ""
    campaign.save(update_fields=["link_group"])
    _work(campaign).update(exclusion=exclusion_of(campaign))
    log(campaign=campaign, by=by, verb="unlinked")


def _refuse(linked: Sequence[Campaign], group: str) -> None:
    if len(linked) < 2:
        raise DomainError("Choose another campaign to link this one with.")
    for campaign in linked:
        if campaign.imported or campaign.simulated:
            raise DomainError(f"Nobody is asked in “{campaign.title}”, so there is nothing to exclude anybody from.")
        if campaign.link_group not in ("", group):
            raise DomainError(f"“{campaign.title}” is linked already, under the name {campaign.link_group}. Unlink it first.")
    clashes = met_twice(linked)
    if people := len({annotator for annotator, _ in clashes}):
        who = counted(people, "person has", "people have")
        originals = len({original for _, original in clashes})
        raise DomainError(
            f"These campaigns cannot be linked: {who} seen more than one variant of the same original in them already "
            f"({counted(originals, 'original')}). Nothing was changed."
        )


def _work(campaign: Campaign) -> QuerySet[Claim]:
    """The claims that exclude. Practice is met by everybody, whatever they saw before, and anchors are met again."""
    return Claim.objects.filter(campaign=campaign, use=Item.Use.WORK, item__repeated=False)


def _others(linked: Sequence[Campaign], campaign: Campaign) -> str:
    return ", ".join(f"“{other.title}”" for other in linked if other.pk != campaign.pk)
