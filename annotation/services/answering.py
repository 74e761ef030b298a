"""Taking answers. An answer is never thrown away, and the same answer sent twice is one answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, cast

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from annotation.errors import DomainError, InvalidAnswer, NotYours
from annotation.models import Campaign, Claim, Item, Judgement, Membership, Slot, User
from annotation.prepared import prepared
from annotation.protocols import Answer, AnswerError, protocol_of
from annotation.queries.labels import with_labels
from annotation.written import insert, update

from .deciding import decide_held
from .practice import PracticeTest, finish_test

Role = Membership.Role
State = Membership.State
DRAFTED = ("label", "confidence", "comment", "active_seconds")
LONGEST_DRAFT = 5000


if TYPE_CHECKING:

    class OwnClaim(Claim):
        """A claim with its annotator's role in the campaign, and how they stand there."""

        role: str
        standing: str
else:
    OwnClaim = Claim


@dataclass(frozen=True, slots=True)
class Submitted:
    """The stored judgement, whether this call stored it (`first`) or a call before it, and, when it was the last of a test, how
    that went."""

    judgement: Judgement
    first: bool
    test: PracticeTest | None = None


@transaction.atomic
def submit(*, claim_id: int, annotator: User, data: Mapping[str, Any], campaign: str | None = None) -> Submitted:
    """Store the answer to a claim and decide its item anew.

    A claim that ran out still takes its answer: it counts if the slot is free, else it is kept as surplus. After the campaign
    closed it is kept as late. Given the name of a `campaign`, the claim has to be one of its.
    Raises NotYours, InvalidAnswer, and DomainError for somebody who has withdrawn.
    """
    claim = locked_claim(claim_id, annotator, campaign)
    given = given_to(claim)
    if given is not None:
        return Submitted(given, first=False)
    if claim.standing == State.WITHDRAWN:
        raise DomainError("You withdrew from this campaign, so nothing more of yours is stored.")
    answer = read(claim, data)
    now = timezone.now()
    seconds = max((now - claim.claimed_at).total_seconds(), 0.0)
    judgement = Judgement(
        claim=claim,
        label=answer.label,
        words=answer.words,
        confidence=answer.confidence,
        comment=allowed_comment(claim, answer),
        uncounted=_take_slot(claim),
        seconds=seconds,
        active_seconds=active_seconds(data, at_most=seconds),
        submitted_at=now,
    )
    insert(judgement)
    test = None
    if claim.use == Item.Use.TEST:
        test = finish_test(campaign=claim.item.campaign, annotator=annotator)
    elif claim.use == Item.Use.WORK and not judgement.uncounted:
        decide_held(item=claim.item)
    return Submitted(judgement, first=True, test=test)


@transaction.atomic
def save_draft(*, claim_id: int, annotator: User, data: Mapping[str, Any], campaign: str | None = None) -> None:
    """Keep what was chosen so far, so that a lost session loses nothing. What is answered has no draft. Raises NotYours."""
    claims = Claim.objects.filter(pk=claim_id, annotator=annotator)
    if campaign is not None:
        claims = claims.filter(campaign__name=campaign)
    claim = claims.select_for_update(of=("self",), no_key=True).only("pk", "state").first()
    if claim is None:
        raise NotYours("There is no such item for you.")
    if claim.state not in Claim.GIVEN:
        Claim.objects.filter(pk=claim.pk).update(draft=drafted(data), seen_at=timezone.now())


def drafted(data: Mapping[str, Any]) -> dict[str, Any]:
    """What of a form's values is kept until the answer is sent: as text, words as a list."""
    kept: dict[str, Any] = {key: _text(data[key]) for key in DRAFTED if data.get(key) not in (None, "")}
    words = data.getlist("words") if hasattr(data, "getlist") else data.get("words")  # a form repeats the name
    if words:
        kept["words"] = [_text(word) for word in words][:LONGEST_DRAFT]
    return kept


def _text(value: Any) -> str:
    return str(value)[:LONGEST_DRAFT].encode("utf-8", "replace").decode()


def locked_claim(claim_id: int, annotator: User, campaign: str | None = None) -> OwnClaim:
    """The person's claim with its slot and item, all held until the transaction ends: two last answers to one item pass here
    one after the other, so that the second sees the first. The campaign is shared with other answers, and kept from whoever
    would change what they mean; the membership is held, as whoever leaves and whoever is handed something holds it."""
    found = _own_claim(claim=claim_id, annotator=annotator.pk, campaign=campaign)
    if not found:
        raise NotYours("There is no such item for you.")
    [claim] = found
    claim.item.campaign = claim.campaign
    claim.slot.item = claim.item
    with_labels(claim.campaign)  # to read the answer, and once more to decide the item
    return cast("OwnClaim", claim)


def given_to(claim: Claim) -> Judgement | None:
    """The answer to a claim that `locked_claim` holds. It is asked for by a statement of its own: one that waited for the lock
    still shows what stood beside the claim before."""
    if claim.state not in Claim.GIVEN:
        return None
    judgement = Judgement.objects.select_related("label").get(claim=claim)
    judgement.claim = claim
    return judgement


@prepared(share=Campaign, hold=Membership)
def _own_claim(*, claim: int, annotator: int, campaign: str | None) -> QuerySet[Claim, Claim]:
    claims = Claim.objects.filter(pk=claim, annotator=annotator, campaign__memberships__user=annotator)
    claims = claims.exclude(campaign__state=Campaign.State.DELETED)
    if campaign is not None:
        claims = claims.filter(campaign__name=campaign)
    claims = claims.annotate(role=F("campaign__memberships__role"), standing=F("campaign__memberships__state"))
    claims = claims.select_related("campaign", "slot", "item__first", "item__second")
    # Whoever is handed a slot of the item refers to its row: a lock of the whole key would make the two wait for each other.
    return claims.select_for_update(of=("self", "slot", "item"), no_key=True)


def read(claim: Claim, data: Mapping[str, Any]) -> Answer:
    """The answer, checked. Raises InvalidAnswer."""
    try:
        return protocol_of(claim.item.campaign).read_answer(claim.item, data)
    except AnswerError as wrong:
        raise InvalidAnswer(str(wrong)) from wrong


def allowed_comment(claim: Claim, answer: Answer) -> str:
    """What was added in words, where the campaign lets people do so."""
    return answer.comment if claim.item.campaign.settings["comment"] else ""


def active_seconds(data: Mapping[str, Any], *, at_most: float) -> float | None:
    """How long the person was in front of the page by their browser, which cuts idle time; never longer than by our clock. None
    where the browser does not say."""
    try:
        seconds = float(data.get("active_seconds") or "nan")
    except (TypeError, ValueError):
        return None
    return round(min(max(seconds, 0.0), at_most), 3) if isfinite(seconds) else None


def _take_slot(claim: OwnClaim) -> str:
    """Fill the claim's slot with the answer. Returns '' if it counts, else why not."""
    if claim.use != Item.Use.WORK:
        _end(claim, Claim.State.ANSWERED, Slot.State.FILLED)
        return ""
    if claim.item.campaign.state == Campaign.State.CLOSED:
        _end(claim, Claim.State.LATE, Slot.State.OPEN if claim.state == Claim.State.LIVE else None)
        return Judgement.Uncounted.CLOSED
    if claim.role != Role.ANNOTATOR or claim.standing not in (State.ACTIVE, State.PAUSED):
        _end(claim, Claim.State.LATE, Slot.State.OPEN if claim.state == Claim.State.LIVE else None)
        return Judgement.Uncounted.EXCLUDED
    if claim.state != Claim.State.LIVE and claim.slot.state != Slot.State.OPEN:
        _end(claim, Claim.State.LATE)
        return Judgement.Uncounted.SURPLUS
    try:
        if claim.state == Claim.State.LIVE:
            _end(claim, Claim.State.ANSWERED, Slot.State.FILLED)
        else:
            with transaction.atomic():
                _end(claim, Claim.State.ANSWERED, Slot.State.FILLED)
    except IntegrityError:
        # Since the claim ran out, this person took another slot of the item or another variant of the original.
        _end(claim, Claim.State.LATE)
        return Judgement.Uncounted.SURPLUS
    return ""


def _end(claim: Claim, state: Claim.State, slot: Slot.State | None = None) -> None:
    claim.state = state
    update(claim, "state")
    if slot is not None:
        claim.slot.state = slot
        update(claim.slot, "state")
