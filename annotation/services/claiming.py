"""Handing out work: who gets which item, for how long."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.errors import DomainError, NotAnnotator, NothingToClaim, NotYours, ShareDone
from annotation.models import Campaign, Claim, Item, Membership, Slot, User
from annotation.protocols import exclusion_of, protocol_of
from annotation.queries.own import Standing, back_at, first_open, limit_of, open_to, skipped_by, standing_in, with_texts
from annotation.written import insert, update

from .holding import hold_claims, hold_slots
from .practice import check_due, practice_item

TRIES = 5
State = Membership.State
STANDS = {
    State.PAUSED: "An organiser has paused your part. What you answered is kept; they will tell you when you can go on.",
    State.DEACTIVATED: "An organiser has ended your part in this campaign. What you answered is kept. Thank you.",
    State.WITHDRAWN: "You withdrew from this campaign. Thank you for having taken part.",
}
Ready = Callable[[Standing], None]


def claim_next(*, campaign: Campaign, annotator: User) -> Claim:
    """The annotator's next item: the claim already held, else a fresh one.

    While there are items for practice, those come first; now and then an attention check comes in between. Work is handed out
    in the campaign's random order, so that one item's slots fill before the next one's.
    Raises NothingToClaim when there is none, NotAnnotator or DomainError when this person may not answer here.
    """
    return hand_out(campaign=campaign.name, annotator=annotator)[1]


def hand_out(*, campaign: str, annotator: User, ready: Ready = lambda member: None) -> tuple[Standing, Claim]:
    """How the annotator stands in the campaign of that name, and their next item, unless `ready` raises.

    Whatever hands out work reads the membership once, and holds it: two tabs of one person get the same item.
    """
    for attempt in range(TRIES):
        try:
            with transaction.atomic():
                member = next(iter(standing_in(campaign=campaign, user=annotator.pk, lock=True)), None)
                if member is None:
                    raise NotAnnotator("You are not an annotator of this campaign.")
                ready(member)
                may_answer(member)
                return member, _held(member) or _next(member, wait=attempt > 0)
        except (IntegrityError, _Busy):
            # Another slot is free, or this person took a variant of the same original in a linked campaign this very moment.
            continue
    raise NothingToClaim("All open items are being handed out just now. Try again in a moment.", finished=False)


def may_answer(member: Membership) -> None:
    """Raise DomainError unless this person may be given items now; simulated readers and people never mix."""
    campaign = member.campaign
    if campaign.simulated != (member.user.kind == User.Kind.SIMULATED):
        raise DomainError("Simulated readers and people never answer in the same campaign.")
    if campaign.state == Campaign.State.PAUSED:
        raise NothingToClaim("The organiser has paused this campaign. What you answered is kept.", finished=False)
    if campaign.state != Campaign.State.OPEN:
        raise NothingToClaim("This campaign is not open for answers.", finished=campaign.state == Campaign.State.CLOSED)
    if member.state != State.ACTIVE:
        raise NothingToClaim(STANDS[State(member.state)], finished=member.state != State.PAUSED)


class _Busy(Exception):
    """Open slots exist, but others hold their rows this very moment."""


def _held(member: Standing) -> Claim | None:
    """The item that the person has already, kept for as long again; also when its time was over and nobody else took it."""
    if member.held is None:
        return None
    kept = Claim.objects.filter(pk=member.held, state=Claim.State.LIVE)
    now = timezone.now()
    if not kept.update(expires_at=kept_until(member.campaign, now), seen_at=now):
        return None
    return with_texts(Claim.objects.all()).get(pk=member.held)


def _next(member: Standing, *, wait: bool) -> Claim:
    item = practice_item(member)
    if item is not None:
        return _claim(member, _slot_of_ones_own(item))
    limit = limit_of(member)
    if limit is not None and member.given >= limit:
        raise ShareDone("You have given as many answers as were asked of you.")
    check = check_due(member)
    if check is not None:
        return _claim(member, _slot_of_ones_own(check))
    return _claim(member, _open_slot(member, wait=wait))


def _open_slot(member: Membership, *, wait: bool) -> Slot:
    slot = first_open(member, wait=wait)
    if slot is None and release_expired(campaign=member.campaign):
        # Holding the slots that were given back just now, this waits for no other.
        wait = False
        slot = first_open(member, wait=wait)
    if slot is None:
        if not wait and open_to(member).exists():
            raise _Busy
        raise _why_nothing(member)
    slot.state = Slot.State.HELD
    update(slot, "state")
    return slot


def _slot_of_ones_own(item: Item) -> Slot:
    """Items with a known answer are met by everybody: each person gets a slot of their own, behind those that there are. Two
    people at once may draw the same place; then one of them tries again."""
    last = item.slots.order_by("-position").values_list("position", flat=True).first() or 0
    swapped = protocol_of(item.campaign).sides and bool(last % 2)
    return Slot.objects.create(
        item=item, campaign_id=item.campaign_id, position=last + 1, state=Slot.State.HELD, rank=0, swapped=swapped
    )


def _claim(member: Membership, slot: Slot) -> Claim:
    campaign, item, now = member.campaign, slot.item, timezone.now()
    slot.campaign = item.campaign = campaign
    claim = Claim(
        slot=slot,
        item=item,
        campaign=campaign,
        use=item.use,
        original_id=item.original_id,
        annotator_id=member.user_id,
        exclusion=exclusion_of(campaign) if item.use == Item.Use.WORK and not item.repeated else None,
        claimed_at=now,
        seen_at=now,
        expires_at=kept_until(campaign, now),
    )
    insert(claim)
    return claim


def kept_until(campaign: Campaign, now: datetime) -> datetime:
    """When an item that is taken, or kept longer, at this time goes back to the others."""
    return now + timedelta(minutes=campaign.settings["claim_minutes"])


def _why_nothing(member: Membership) -> NothingToClaim:
    at = back_at(member)
    if at is not None:
        return NothingToClaim("Others are answering what is left for you.", finished=False, again_at=at)
    skipped = skipped_by(member)
    if skipped:
        return NothingToClaim("You have answered everything that there is for you, except what you skipped.", finished=True)
    open_slots = Slot.objects.filter(campaign=member.campaign).filter(state__in=(Slot.State.OPEN, Slot.State.HELD))
    if open_slots.filter(item__use=Item.Use.WORK).exists():
        return NothingToClaim("You have answered everything that there is for you. The rest is for other people.", finished=True)
    return NothingToClaim("All items are answered.", finished=True)


@transaction.atomic
def release_expired(*, campaign: Campaign) -> int:
    """Give back the slots of claims that ran out. Answers that still come in for them are kept (see `answering`)."""
    expired = Claim.objects.filter(campaign=campaign, state=Claim.State.LIVE, use=Item.Use.WORK, expires_at__lte=timezone.now())
    return _put_back(hold_claims(expired, pass_over=True), Claim.State.EXPIRED)


def give_back(*, claims: QuerySet[Claim]) -> int:
    """Take live claims from whoever holds them: their slots are open again. Part of the caller's transaction."""
    return _put_back(hold_claims(claims.filter(state=Claim.State.LIVE)), Claim.State.RELEASED)


def _put_back(claims: list[Claim], state: Claim.State) -> int:
    """End live claims that are held. A slot for practice is its owner's alone: it never opens."""
    if claims:
        slots = [slot.pk for slot in hold_slots(claims) if slot.item.use == Item.Use.WORK]
        Slot.objects.filter(pk__in=slots).update(state=Slot.State.OPEN)
        Claim.objects.filter(pk__in=[claim.pk for claim in claims]).update(state=state)
    return len(claims)


def keep_longer(*, claim_id: int, annotator: User) -> Claim:
    """Keep an item for as long again as somebody has to answer it. Raises NotYours, or DomainError when it went back already."""
    claim = Claim.objects.select_related("campaign").filter(pk=claim_id, annotator=annotator).first()
    if claim is None:
        raise NotYours("There is no such item for you.")
    now = timezone.now()
    claim.expires_at, claim.seen_at = kept_until(claim.campaign, now), now
    live = Claim.objects.filter(pk=claim.pk, state=Claim.State.LIVE)
    if not live.update(expires_at=claim.expires_at, seen_at=now):
        raise DomainError("This item is no longer kept for you. If you answer it all the same, your answer is stored.")
    return claim


def sign_of_life(*, claim_id: int, annotator: User, active: bool) -> Claim:
    """The annotator's page is open; where the person is `active` in front of it, the item is kept longer. Raises NotYours."""
    if active:
        try:
            return keep_longer(claim_id=claim_id, annotator=annotator)
        except NotYours:
            raise
        except DomainError:
            pass
    claims = Claim.objects.filter(pk=claim_id, annotator=annotator)
    claims.filter(state=Claim.State.LIVE).update(seen_at=timezone.now())
    claim = claims.first()
    if claim is None:
        raise NotYours("There is no such item for you.")
    return claim
