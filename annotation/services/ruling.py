"""Adjudication: a person who has seen the answers to an item decides it, for good."""

from __future__ import annotations

import hashlib
import json

from django.db import transaction

from annotation.errors import DomainError
from annotation.models import Campaign, Claim, Item, Ruling, User
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_on

from .activity import log
from .deciding import adjudicates, basis_of, decide
from .holding import hold

TOO_QUICK = 4.0
"""Seconds in which nobody reads two texts and two answers."""
RULED = ("conflict", "unresolved", "adjudicated")
"""How an item stands that an adjudicator may decide: people differ and no rule decides, or somebody ruled before."""


class TooQuick(DomainError):
    """The ruling came faster than anybody reads; saving it once more, being sure, is enough."""


class SeenOtherwise(DomainError):
    """Since the adjudicator looked, somebody else ruled, or an answer changed."""


def sight_of(item: Item) -> str:
    """A mark of what an adjudicator sees: the answers that count, and the ruling in force."""
    current = Ruling.objects.filter(item=item, superseded=False).values_list("pk", flat=True).first()
    seen = json.dumps([current, basis_of(votes_on(item))])
    return hashlib.sha256(seen.encode()).hexdigest()[:16]


@transaction.atomic
def rule(
    *,
    item: Item,
    by: User,
    label: str,
    note: str = "",
    seconds: float | None = None,
    seen: str | None = None,
    sure: bool = False,
) -> Ruling:
    """Decide the item by the label with this key. The ruling stands until a later one supersedes it.

    `seen` is the `sight_of` the item that the person was shown: of two adjudicators who rule at once, the second is told. `sure`
    says that a ruling within a few seconds is meant. Raises TooQuick, SeenOtherwise, or DomainError where nobody may rule.
    """
    hold(item.campaign_id)
    locked = Item.objects.select_for_update(of=("self",), no_key=True).select_related("campaign", "first", "second")
    item = locked.get(pk=item.pk)
    campaign = item.campaign
    _may_rule(campaign, item, by)
    chosen = next((offered for offered in protocol_of(campaign).offered(item) if offered.key == label), None)
    if chosen is None:
        raise DomainError("Choose one of the answers first." if not label else f"“{label}” is not an answer to this item.")
    if seen is not None and seen != sight_of(item):
        raise SeenOtherwise(
            f"Since you opened item {item.number}, somebody else has decided it or an answer has changed. "
            "Nothing was saved. Look at it again."
        )
    if seconds is not None and seconds < TOO_QUICK and not sure:
        raise TooQuick(f"You decided after {seconds:.0f} s. Read both texts and both answers; then save once more.")
    Ruling.objects.filter(item=item, superseded=False).update(superseded=True)
    ruling = Ruling.objects.create(
        item=item,
        by=by,
        label=chosen,
        note=note.strip(),
        seconds=seconds,
        basis=basis_of(votes_on(item)),
    )
    decide(item=item)
    log(campaign=campaign, by=by, verb="ruled", item=item.number, label=chosen.name)
    return ruling


def _may_rule(campaign: Campaign, item: Item, by: User) -> None:
    if not adjudicates(campaign):
        raise DomainError("In this campaign a third person or a rule decides, not an adjudicator.")
    if item.how not in RULED:
        raise DomainError(f"Item {item.number} is no conflict: there is nothing to decide.")
    if Claim.objects.filter(campaign=campaign, annotator=by, state__in=Claim.GIVEN).exists():
        raise DomainError("You have answered items of this campaign, so you cannot decide its conflicts.")
