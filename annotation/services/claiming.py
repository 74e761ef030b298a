"""Handing out work: who gets which slot, for how long."""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.errors import DomainError, NothingToClaim
from annotation.models import Campaign, Claim, Membership, Slot, User
from annotation.protocols import protocol_of
from annotation.queries.progress import open_to

CLAIM_LASTS = timedelta(minutes=60)
TRIES = 5


def claim_next(*, campaign: Campaign, annotator: User) -> Claim:
    """The annotator's next item: the claim already held, else a fresh one on the first open slot in random order.

    Raises NothingToClaim when there is none, DomainError when this person may not answer here.
    """
    may_answer(campaign=campaign, annotator=annotator)
    release_expired(campaign=campaign)
    for attempt in range(TRIES):
        try:
            return _claim(campaign, annotator, wait=attempt > 0)
        except IntegrityError:
            # Two tabs of one person asked at once: the other one's claim is there now, or another slot is free.
            continue
        except _SlotsLocked:
            continue
    raise NothingToClaim("All open items are being handed out just now. Try again in a moment.", finished=False)


def may_answer(*, campaign: Campaign, annotator: User) -> None:
    """Raise DomainError unless this person is an annotator of this open campaign; simulated readers and people never mix."""
    if campaign.state != Campaign.State.OPEN:
        raise NothingToClaim("This campaign is not open for answers.", finished=campaign.state == Campaign.State.CLOSED)
    if campaign.simulated != (annotator.kind == User.Kind.SIMULATED):
        raise DomainError("Simulated readers and people never answer in the same campaign.")
    if not campaign.memberships.filter(user=annotator, role=Membership.Role.ANNOTATOR).exists():
        raise DomainError("You are not an annotator of this campaign.")


class _SlotsLocked(Exception):
    """Open slots exist, but others hold their rows this very moment."""


@transaction.atomic
def _claim(campaign: Campaign, annotator: User, *, wait: bool) -> Claim:
    held = Claim.objects.filter(annotator=annotator, state=Claim.State.LIVE, item__campaign=campaign).first()
    if held is not None:
        return held
    candidates = open_to(campaign, annotator).order_by("rank", "position")
    slot = candidates.select_for_update(skip_locked=not wait, of=("self",)).select_related("item").first()
    if slot is None:
        if not wait and candidates.exists():
            raise _SlotsLocked
        raise _why_nothing(campaign, annotator)
    slot.state = Slot.State.HELD
    slot.save(update_fields=["state"])
    now = timezone.now()
    return Claim.objects.create(
        slot=slot,
        item=slot.item,
        campaign=campaign,
        use=slot.item.use,
        original_id=slot.item.original_id,
        annotator=annotator,
        exclusion=campaign.exclusion_group if protocol_of(campaign).exclusive else None,
        claimed_at=now,
        expires_at=now + CLAIM_LASTS,
    )


def _why_nothing(campaign: Campaign, annotator: User) -> NothingToClaim:
    unfilled = Slot.objects.filter(item__campaign=campaign).exclude(state=Slot.State.FILLED)
    if not unfilled.exists():
        return NothingToClaim("All items are answered. Thank you.", finished=True)
    if unfilled.filter(state=Slot.State.HELD).exclude(item__claims__annotator=annotator).exists():
        message = "Nothing for you now: the rest is with other people. An item may come back within the hour."
        return NothingToClaim(message, finished=False)
    return NothingToClaim("Nothing for you now. If two people disagree, you may be asked as the third.", finished=False)


@transaction.atomic
def release_expired(*, campaign: Campaign) -> int:
    """Give back the slots of claims that ran out. Answers that still come in for them are kept (see `answering`)."""
    expired = Claim.objects.select_for_update(skip_locked=True, of=("self",)).filter(
        item__campaign=campaign, state=Claim.State.LIVE, expires_at__lte=timezone.now()
    )
    slots = [claim.slot_id for claim in expired]
    if slots:
        Slot.objects.filter(pk__in=slots).update(state=Slot.State.OPEN)
        Claim.objects.filter(slot_id__in=slots, state=Claim.State.LIVE).update(state=Claim.State.EXPIRED)
    return len(slots)
