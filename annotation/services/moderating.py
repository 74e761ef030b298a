"""What organisers do to running work: give back claims, take answers out and in again, resolve flags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.errors import DomainError
from annotation.models import Campaign, Claim, Flag, Item, Judgement, Slot, User

from .activity import log
from .claiming import give_back
from .deciding import decide_held
from .holding import hold, hold_claims, hold_items, hold_slots

EXCLUDED = Judgement.Uncounted.EXCLUDED
FREE = (Slot.State.OPEN, Slot.State.CLOSED)
"""A slot in which nobody else's answer stands, whether it waits for one or is not wanted any more."""


@transaction.atomic
def release(*, campaign: Campaign, by: User, claim_id: int | None = None) -> int:
    """Give back one live claim now, or (without `claim_id`) all that ran out. Returns how many.

    An answer that still comes in for one of them is kept, as for every claim that ran out.
    """
    hold(campaign)
    live = Claim.objects.filter(campaign=campaign)
    given = give_back(claims=live.filter(expires_at__lte=timezone.now()) if claim_id is None else live.filter(pk=claim_id))
    if given:
        log(campaign=campaign, by=by, verb="released", claims=given)
    return given


@transaction.atomic
def exclude_answer(*, judgement: Judgement, by: User) -> None:
    """Take one counted answer out of every figure: its slot opens again and the item is decided anew."""
    campaign = hold(judgement.claim.campaign_id)
    if _exclude([judgement.pk]):
        log(campaign=campaign, by=by, verb="excluded", answers=1, person=judgement.claim.annotator.username)


@transaction.atomic
def exclude_person(*, campaign: Campaign, annotator: User, by: User) -> int:
    """Take out all counted answers of a person to work; those of practice count nowhere, and stay. Returns how many."""
    hold(campaign)
    given = Judgement.objects.filter(claim__campaign=campaign, claim__annotator=annotator, uncounted="")
    taken = _exclude(given.values_list("pk", flat=True))
    if taken:
        log(campaign=campaign, by=by, verb="excluded", answers=taken, person=annotator.username)
    return taken


@transaction.atomic
def include_answer(*, judgement: Judgement, by: User) -> None:
    """Count an excluded answer again. Raises DomainError when others have filled its slot meanwhile."""
    campaign = hold(judgement.claim.campaign_id)
    if not all(_include([judgement.pk])):
        raise DomainError("Somebody else has answered in its place, so this answer cannot count again.")
    log(campaign=campaign, by=by, verb="included", answers=1, person=judgement.claim.annotator.username)


@transaction.atomic
def include_person(*, campaign: Campaign, annotator: User, by: User) -> tuple[int, int]:
    """Count a person's excluded answers again. Returns how many do, and how many cannot, for others answered in their place."""
    hold(campaign)
    taken_out = Judgement.objects.filter(
        claim__campaign=campaign, claim__annotator=annotator, claim__item__use=Item.Use.WORK, uncounted=EXCLUDED
    )
    counted = _include(taken_out.values_list("pk", flat=True))
    if any(counted):
        log(campaign=campaign, by=by, verb="included", answers=sum(counted), person=annotator.username)
    return sum(counted), len(counted) - sum(counted)


@transaction.atomic
def resolve_flag(*, flag: Flag, by: User) -> None:
    """Mark a flag as seen to. Resolving twice changes nothing."""
    hold(flag.item.campaign_id)
    resolved = Flag.objects.filter(pk=flag.pk, resolved_at__isnull=True).update(resolved_at=timezone.now(), resolved_by=by)
    if resolved:
        log(campaign=flag.item.campaign, by=by, verb="resolved", item=flag.item.number)


def _exclude(pks: Iterable[int]) -> int:
    """The items are held before their answers are looked at: an answer that is changed at this moment is not missed.

    Only work: a slot of a practice item is one person's own, and would be handed out as an ordinary one if it were opened.
    """
    chosen = list(Judgement.objects.filter(pk__in=pks, claim__item__use=Item.Use.WORK).values_list("pk", flat=True))
    items = _hold(Claim.objects.filter(judgement__in=chosen))
    counted = Judgement.objects.filter(pk__in=chosen, uncounted="")
    claims = list(counted.values_list("claim", flat=True))
    changed = set(Claim.objects.filter(pk__in=claims).values_list("item", flat=True))
    counted.update(uncounted=EXCLUDED)
    Slot.objects.filter(claims__in=claims).update(state=Slot.State.OPEN)
    # Not standing any more, so that the slot is free; the answer itself still keeps its author from meeting the item again.
    Claim.objects.filter(pk__in=claims).update(state=Claim.State.LATE)
    for pk in sorted(changed):
        decide_held(item=items[pk])
    return len(claims)


def _hold(claims: QuerySet[Claim]) -> dict[int, Item]:
    """The claims, their slots and their items, held; returns the items by id."""
    held = hold_claims(claims)
    hold_slots(held)
    return {item.pk: item for item in hold_items(Item.objects.filter(pk__in={claim.item_id for claim in held}))}


def _include(pks: Iterable[int]) -> list[bool]:
    """For each answer, in the order in which they came: whether it counts again."""
    chosen = list(Judgement.objects.filter(pk__in=pks).order_by("pk").values_list("pk", flat=True))
    items = _hold(Claim.objects.filter(judgement__in=chosen))
    return [_count_again(pk, items) for pk in chosen]


def _count_again(pk: int, items: Mapping[int, Item]) -> bool:
    judgement = Judgement.objects.select_related("claim__slot").get(pk=pk)
    claim, slot = judgement.claim, judgement.claim.slot
    item = items[claim.item_id]
    if item.use != Item.Use.WORK or slot.state not in FREE or judgement.uncounted != EXCLUDED:
        return False
    try:
        with transaction.atomic():
            Claim.objects.filter(pk=claim.pk).update(state=Claim.State.ANSWERED)
    except IntegrityError:
        # Meanwhile this person has been given another slot of the item, or another variant of the original.
        return False
    reopened = slot.state == Slot.State.CLOSED
    item.wanted += reopened
    _refill(slot)
    Judgement.objects.filter(pk=pk).update(uncounted="")
    decide_held(item=item, reopened=reopened)
    return True


def _refill(slot: Slot) -> None:
    """The slot's answer is back. One that was asked for because the first ones differed, and stood in for it, does so no more."""
    later = Slot.objects.filter(item=slot.item_id, position__gt=slot.position, extra=False, state=Slot.State.FILLED)
    stand_in = later.order_by("-position").first() if slot.extra else None
    Slot.objects.filter(pk=slot.pk).update(state=Slot.State.FILLED, extra=slot.extra and stand_in is None)
    if stand_in is not None:
        Slot.objects.filter(pk=stand_in.pk).update(extra=True)
