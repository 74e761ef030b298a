"""Asking one more person about an item whose answers are tied, where no rule decides."""

from __future__ import annotations

from django.db import transaction

from annotation.errors import DomainError
from annotation.models import Campaign, Item, Membership, Slot, User
from annotation.queries.own import limit_of, open_to
from annotation.queries.people import members_of

from .activity import log
from .campaigns import open_extra_slot
from .deciding import adjudicates
from .holding import hold, hold_items, hold_slots_of


@transaction.atomic
def ask_one_more(*, item: Item, by: User) -> None:
    """Want one more answer to the item than there are. Raises DomainError, with the reason, where that would come to nothing."""
    campaign = hold(item.campaign_id)
    _refuse_where_nobody_is_asked(campaign)
    waiting = [slot for slot in hold_slots_of(item) if slot.state in (Slot.State.OPEN, Slot.State.HELD)]
    [held] = hold_items(Item.objects.filter(pk=item.pk))
    if held.how != "unresolved":
        raise DomainError(f"The answers to item {held.number} are not tied, so nobody more is asked.")
    if waiting:
        raise DomainError(f"Item {held.number} waits for one more answer already.")
    open_extra_slot(item=held)
    if not _somebody_may_take(held):
        raise DomainError(
            f"Nobody here may answer item {held.number}: everybody at work has met it, may not judge it, or has given all the "
            "answers that were asked of them. Invite somebody new, then ask again."
        )
    held.wanted, held.complete = held.wanted + 1, False
    held.save(update_fields=["wanted", "complete"])
    log(campaign=campaign, by=by, verb="asked", item=held.number)


def _refuse_where_nobody_is_asked(campaign: Campaign) -> None:
    if campaign.imported:
        raise DomainError("The answers of this campaign came from a file; nobody is asked here.")
    if campaign.simulated:
        raise DomainError("The readers of this campaign are simulated; nobody is asked here.")
    if campaign.state == Campaign.State.CLOSED:
        raise DomainError("The campaign is closed, so nobody is asked any more. Open it again first.")
    if adjudicates(campaign):
        raise DomainError("In this campaign an adjudicator decides where people differ; nobody more is asked.")


def _somebody_may_take(item: Item) -> bool:
    active = members_of(item.campaign).filter(role=Membership.Role.ANNOTATOR, state=Membership.State.ACTIVE)
    for member in active:
        member.campaign = item.campaign  # whose settings say how much is wanted of them
        limit = limit_of(member)
        if (limit is None or member.given < limit) and open_to(member).filter(item=item).exists():
            return True
    return False
