"""Second thoughts: changing an answer while its item is open, skipping an item, saying that something is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.errors import DomainError
from annotation.models import Claim, EarlierAnswer, Flag, Item, Judgement, Membership, Slot, User
from annotation.queries.own import why_final, with_finality

from .answering import active_seconds, allowed_comment, given_to, locked_claim, read
from .deciding import decide_held
from .holding import hold

Use = Item.Use
LEFT = "You are not an annotator of this campaign."


@dataclass(frozen=True, slots=True)
class Changed:
    """The judgement as it is now, and whether this call changed it."""

    judgement: Judgement
    changed: bool


@transaction.atomic
def change(
    *, claim_id: int, annotator: User, data: Mapping[str, Any], replaces: int | None = None, campaign: str | None = None
) -> Changed:
    """Give another answer to an item that is still open; the one before is kept as an earlier answer, and the item decided anew.

    `replaces` says which of the person's answers is replaced, counted from 1: a change that was made already is not made again.
    Raises NotYours, InvalidAnswer, and DomainError when the answer stands for good.
    """
    claim = locked_claim(claim_id, annotator, campaign)
    judgement = given_to(claim)
    if judgement is None:
        raise DomainError("There is no answer to this item yet.")
    member = Membership.objects.select_related("campaign").filter(campaign=claim.campaign_id, user=annotator).first()
    final = why_final(with_finality(Claim.objects.select_related("judgement")).get(pk=claim.pk), member) if member else LEFT
    if final:
        raise DomainError(final)
    number = judgement.earlier.count() + 1
    if replaces is not None and replaces != number:
        return Changed(judgement, changed=False)
    answer = read(claim, data)
    said = (answer.label, answer.words, answer.confidence, allowed_comment(claim, answer))
    if said == (judgement.label, judgement.words, judgement.confidence, judgement.comment):
        return Changed(judgement, changed=False)
    _keep(judgement, number)
    _count_time(judgement, data)
    judgement.label, judgement.words, judgement.confidence, judgement.comment = said
    judgement.submitted_at = timezone.now()
    judgement.save()
    if claim.use == Use.WORK:
        decide_held(item=claim.item)
    return Changed(judgement, changed=True)


def _keep(judgement: Judgement, number: int) -> None:
    EarlierAnswer.objects.create(
        judgement=judgement,
        number=number,
        label=judgement.label,
        words=judgement.words,
        confidence=judgement.confidence,
        comment=judgement.comment,
        seconds=judgement.seconds,
        active_seconds=judgement.active_seconds,
        submitted_at=judgement.submitted_at,
    )


def _count_time(judgement: Judgement, data: Mapping[str, Any]) -> None:
    """Thinking again is added to the time in front of the page. By the server's clock it cannot be told from whatever else the
    person did meanwhile, so that time stays the one of the first answer."""
    since = max((timezone.now() - judgement.submitted_at).total_seconds(), 0.0)
    again = active_seconds(data, at_most=since)
    if again is not None:
        judgement.active_seconds = round((judgement.active_seconds or 0.0) + again, 3)


@transaction.atomic
def skip(*, claim_id: int, annotator: User, reason: str = "", note: str = "", campaign: str | None = None) -> Claim:
    """Give an item back; nobody has to say why. It is not offered to this person again unless they ask (`offer_again`).

    Skipping twice is skipping once. Raises NotYours, and DomainError where there is nothing to skip.
    """
    claim = locked_claim(claim_id, annotator, campaign)
    if claim.state == Claim.State.SKIPPED:
        return claim
    if reason and reason not in Claim.SkipReason.values:
        raise DomainError("This is none of the reasons. Choose one of them, or give no reason.")
    if claim.use in (Use.TRAINING, Use.TEST):
        raise DomainError("Training and test are the same for everybody, so their items cannot be skipped.")
    if claim.state in Claim.GIVEN:
        raise DomainError("You have answered this item already.")
    if claim.use == Use.WORK and claim.state == Claim.State.LIVE:
        Slot.objects.filter(pk=claim.slot_id).update(state=Slot.State.OPEN)
    claim.state, claim.skip_reason, claim.skip_note = Claim.State.SKIPPED, reason, _said(note)
    claim.save(update_fields=["state", "skip_reason", "skip_note"])
    return claim


@transaction.atomic
def offer_again(*, member: Membership) -> int:
    """Let the person be given what they skipped; reasons that they gave stay. Returns how many items there are."""
    hold(member.campaign_id)  # a link changes the same claims, in another order
    skipped = Claim.objects.filter(campaign=member.campaign_id, annotator=member.user_id, state=Claim.State.SKIPPED, use=Use.WORK)
    return skipped.update(state=Claim.State.RELEASED)


@transaction.atomic
def flag(*, claim_id: int, annotator: User, text: str, campaign: str | None = None) -> Flag:
    """Tell the organisers that something is wrong with an item; the same words twice are one flag.

    Raises NotYours, and DomainError without words.
    """
    claim = locked_claim(claim_id, annotator, campaign)
    text = _said(text)
    if not text:
        raise DomainError("Say in a few words what is wrong.")
    made, _ = Flag.objects.get_or_create(item=claim.item, user=annotator, text=text, resolved_at=None)
    return made


def _said(text: str) -> str:
    return text.strip()[:2000].encode("utf-8", "replace").decode()
