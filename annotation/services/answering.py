"""Taking answers. An answer is never thrown away, and the same answer sent twice is one answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.errors import InvalidAnswer, NotYours
from annotation.models import Campaign, Claim, Judgement, Slot, User
from annotation.protocols import AnswerError, protocol_of

from .deciding import decide


@dataclass(frozen=True, slots=True)
class Submitted:
    """The stored judgement, and whether this call stored it (`first`) or a call before it."""

    judgement: Judgement
    first: bool


def submit(*, claim_id: int, annotator: User, data: Mapping[str, Any]) -> Submitted:
    """Store the answer to a claim and decide its item anew.

    A claim that ran out still takes its answer: it counts if the slot is free, else it is kept as surplus. After the campaign
    closed it is kept as late. Raises NotYours, InvalidAnswer.
    """
    with transaction.atomic():
        claim = _locked(claim_id, annotator)
        given = Judgement.objects.filter(claim=claim).first()
        if given is not None:
            return Submitted(given, first=False)
        campaign = claim.item.campaign
        try:
            answer = protocol_of(campaign).read_answer(campaign, data)
        except AnswerError as wrong:
            raise InvalidAnswer(str(wrong)) from wrong
        now = timezone.now()
        judgement = Judgement.objects.create(
            claim=claim,
            label=answer.label,
            confidence=answer.confidence,
            comment=answer.comment,
            uncounted=_take_slot(claim, campaign),
            seconds=max((now - claim.claimed_at).total_seconds(), 0.0),
            submitted_at=now,
        )
        if not judgement.uncounted:
            decide(item=claim.item)
    return Submitted(judgement, first=True)


def save_draft(*, claim_id: int, annotator: User, data: Mapping[str, Any]) -> Claim:
    """Keep what was chosen so far, so that a lost session loses nothing. Raises NotYours."""
    with transaction.atomic():
        claim = _locked(claim_id, annotator)
        claim.draft = {key: str(data[key]).replace("\0", "")[:2000] for key in ("label", "confidence", "comment") if key in data}
        claim.save(update_fields=["draft"])
    return claim


def _locked(claim_id: int, annotator: User) -> Claim:
    claims = Claim.objects.select_for_update(of=("self",)).select_related("slot", "item__campaign")
    claim = claims.filter(pk=claim_id, annotator=annotator).first()
    if claim is None:
        raise NotYours("There is no such item for you.")
    return claim


def _take_slot(claim: Claim, campaign: Campaign) -> str:
    """Fill the claim's slot with the answer. Returns '' if it counts, else why not."""
    if campaign.state == Campaign.State.CLOSED:
        _end(claim, Claim.State.EXPIRED)
        Slot.objects.filter(pk=claim.slot_id, state=Slot.State.HELD, claims=claim).update(state=Slot.State.OPEN)
        return "closed"
    if claim.state != Claim.State.LIVE:
        slot = Slot.objects.select_for_update().get(pk=claim.slot_id)
        if slot.state != Slot.State.OPEN:
            return "surplus"
    try:
        with transaction.atomic():
            _end(claim, Claim.State.ANSWERED)
    except IntegrityError:
        # Since the claim ran out, this person took another slot of the item or another variant of the original.
        claim.state = Claim.State.EXPIRED
        return "surplus"
    Slot.objects.filter(pk=claim.slot_id).update(state=Slot.State.FILLED)
    return ""


def _end(claim: Claim, state: Claim.State) -> None:
    claim.state = state
    claim.save(update_fields=["state"])
