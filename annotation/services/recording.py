"""Writing down judgements that were made elsewhere: texts, items and answers of a published file, in bulk."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.db import models, transaction
from django.db.models.functions import Lower
from django.utils import timezone

from annotation.errors import DomainError
from annotation.models import Campaign, Claim, Item, Judgement, Label, Original, Pseudonym, Ruling, Slot, User, Variant
from annotation.protocols import protocol_of

from .campaigns import NewItem, add_items, close_campaign
from .deciding import decide_all
from .holding import keep_texts

KEY_LENGTH = 20
AT_ONCE = 500

Row = TypeVar("Row", bound=models.Model)


@dataclass(frozen=True, slots=True)
class RecordedText:
    """One variant: the kind ('original', or who made it) and the text itself."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """One judgement. `position` counts from 1 within the item; `label` is a key of the campaign's labels, empty where words were
    marked; `further`: it was asked for because others differed. `annotator` says which of the placeholders it is ascribed to;
    empty: the position's own."""

    position: int
    label: str
    confidence: int | None = None
    annotator: str = ""
    words: tuple[int, ...] | None = None
    comment: str = ""
    uncounted: str = ""
    further: bool = False
    swapped: bool = False
    seconds: float | None = None
    active_seconds: float | None = None
    submitted_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """A decision that a person made, which no rule can make again."""

    label: str
    how: str
    stale: bool = False


@dataclass(frozen=True, slots=True)
class RecordedItem:
    """One item with its judgements. Items with equal `original_key` are variants of one original."""

    original_key: str
    first: RecordedText
    second: RecordedText | None = None
    answers: tuple[RecordedAnswer, ...] = ()
    published_label: str = ""
    task: str = ""
    use: str = Item.Use.WORK
    gold: str = ""
    explanation: str = ""
    decision: RecordedDecision | None = None
    waits: bool = False
    """Whether a further answer was wanted, so that nothing follows from those that there are."""

    @property
    def texts(self) -> tuple[RecordedText, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)


def key_of(text: str) -> str:
    """The key of the original with this text: equal texts share one original."""
    return sha256_of(text)[:KEY_LENGTH]


def sha256_of(text: str) -> str:
    """Hexadecimal SHA-256 of the text's UTF-8 bytes."""
    return hashlib.sha256(text.encode()).hexdigest()


@transaction.atomic
def record_items(*, campaign: Campaign, task: str, items: Sequence[RecordedItem], slots: int | None = None) -> list[Item]:
    """Add the items with their texts. Originals and variants that are here already are used again.

    `slots` open slots are made for each item; without it, as many as the campaign asks for.
    """
    labels = {label.key: label for label in campaign.labels.all()}
    keep_texts()
    originals = originals_of((item.task or task, item.original_key) for item in items)
    variants = variants_of((originals[item.task or task, item.original_key], text) for item in items for text in item.texts)

    def made(item: RecordedItem) -> NewItem:
        original = originals[item.task or task, item.original_key]
        first, *second = [variants[original.pk, text.kind, sha256_of(text.text)] for text in item.texts]
        return NewItem(
            original=original,
            first=first,
            second=second[0] if second else None,
            published_label=item.published_label,
            use=item.use,
            gold=labels[item.gold] if item.gold else None,
            explanation=item.explanation,
        )

    return add_items(campaign=campaign, items=[made(item) for item in items], slots=slots)


@transaction.atomic
def record_judgements(*, campaign: Campaign, task: str, items: Sequence[RecordedItem], annotators: Sequence[str]) -> None:
    """Add the items with the answers they were given, decide them all, and close the campaign: nobody is asked here.

    `annotators` names the placeholders to whom answers are ascribed: each to the one that it names, else those of position p to
    `annotators[p - 1]`. Who really answered is unknown, so the claims exclude nobody from anything. Raises DomainError when the
    campaign is not an imported one.
    """
    if not campaign.imported:
        raise DomainError("Judgements can only be recorded in a campaign that was made by an import.")
    users = _placeholders([f"{campaign.name}: {name}" for name in annotators])
    people = dict(zip(annotators, users, strict=True))
    Pseudonym.objects.bulk_create(
        Pseudonym(campaign=campaign, user=user, number=number) for user, number in zip(users, _numbers(annotators), strict=True)
    )
    made = record_items(campaign=campaign, task=task, items=items, slots=0)
    answers = [(item, answer) for item, recorded in zip(made, items, strict=True) for answer in recorded.answers]
    # An answer that does not count may stand in the same slot as the one that does.
    places = {(item.pk, answer.position): (item, answer) for item, answer in answers}
    places |= {(item.pk, answer.position): (item, answer) for item, answer in answers if not answer.uncounted}
    sides = protocol_of(campaign).sides  # earlier exports say of every protocol that sides were swapped
    slots = Slot.objects.bulk_create(
        Slot(
            campaign=campaign,
            item=item,
            position=answer.position,
            state=Slot.State.FILLED,
            rank=0.0,
            swapped=sides and answer.swapped,
            extra=answer.further,
        )
        for item, answer in places.values()
    )
    Slot.objects.bulk_create(
        Slot(
            campaign=campaign, item=item, position=1 + max((answer.position for answer in recorded.answers), default=0), rank=0.0
        )
        for item, recorded in zip(made, items, strict=True)
        if recorded.waits
    )
    slot_at = dict(zip(places, slots, strict=True))
    names = [answer.annotator or annotators[answer.position - 1] for _, answer in answers]
    # Somebody who took a test again has answered its items again: as where the answers were given, their last one stands.
    last = {(item.pk, name): answer for (item, answer), name in zip(answers, names, strict=True) if not answer.uncounted}
    now = timezone.now()

    def state_of(item: Item, answer: RecordedAnswer, name: str) -> Claim.State:
        if answer.uncounted:
            return Claim.State.LATE
        return Claim.State.ANSWERED if answer is last[item.pk, name] else Claim.State.RELEASED

    claims = Claim.objects.bulk_create(
        Claim(
            campaign=campaign,
            use=item.use,
            slot=slot_at[item.pk, answer.position],
            item=item,
            original_id=item.original_id,
            annotator=people[name],
            exclusion=None,
            state=state_of(item, answer, name),
            claimed_at=now,
            expires_at=now,
        )
        for (item, answer), name in zip(answers, names, strict=True)
    )
    labels = {label.key: label for label in campaign.labels.all()}
    judgements = Judgement.objects.bulk_create(
        Judgement(
            claim=claim,
            label=labels[answer.label] if answer.label else None,
            words=None if answer.words is None else list(answer.words),
            confidence=answer.confidence,
            comment=answer.comment,
            uncounted=answer.uncounted,
            seconds=answer.seconds,
            active_seconds=answer.active_seconds,
            submitted_at=answer.submitted_at or now,
        )
        for claim, (_, answer) in zip(claims, answers, strict=True)
    )
    _record_rulings(campaign, made, items, labels, judgements)
    decide_all(campaign=campaign)
    close_campaign(campaign=campaign)


def _numbers(annotators: Sequence[str]) -> Sequence[int]:
    """What stands for the placeholders in exports: the numbers that an export gave them before, else 1, 2, …"""
    given = [re.fullmatch(r"A([1-9][0-9]{0,8})", name) for name in annotators]
    known = [int(match[1]) for match in given if match]
    return known if len(known) == len(annotators) else range(1, len(annotators) + 1)


def _record_rulings(
    campaign: Campaign,
    made: Sequence[Item],
    items: Sequence[RecordedItem],
    labels: Mapping[str, Label],
    judgements: Sequence[Judgement],
) -> None:
    """What an adjudicator ruled, who is a placeholder too. One that was stale rests on answers that are not known any more."""
    ruled = [(item, recorded.decision) for item, recorded in zip(made, items, strict=True) if recorded.decision]
    if not ruled:
        return
    [adjudicator] = _placeholders([f"{campaign.name}: adjudicator"])
    seen: dict[int, list[list[object]]] = {}
    for judgement in sorted(judgements, key=lambda judgement: judgement.claim.slot.position):
        if not judgement.uncounted:
            said = judgement.label.key if judgement.label else judgement.words
            seen.setdefault(judgement.claim.item_id, []).append([judgement.pk, said])
    Ruling.objects.bulk_create(
        Ruling(item=item, by=adjudicator, label=labels[ruling.label], basis=[] if ruling.stale else seen.get(item.pk, []))
        for item, ruling in ruled
    )


def originals_of(origins: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Original]:
    """The originals with these tasks and keys; those that are not here yet are made, in an order that is the same for
    all: two who make the same ones wait for each other, never crosswise."""
    wanted: dict[str, dict[str, None]] = {}
    for task, key in origins:
        wanted.setdefault(task, {})[key] = None
    found = {}
    for task, keys in sorted(wanted.items()):
        Original.objects.bulk_create((Original(task=task, key=key) for key in sorted(keys)), ignore_conflicts=True)
        here = _matching(Original.objects.filter(task=task), "key", list(keys))
        found.update({(task, original.key): original for original in here})
    return found


def variants_of(texts: Iterable[tuple[Original, RecordedText]]) -> Mapping[tuple[int, str, str], Variant]:
    """The variants with these texts, by original, kind and hash; those that are not here yet are made, in the order of these."""
    wanted = {(original.pk, text.kind, sha256_of(text.text)): text.text for original, text in texts}
    Variant.objects.bulk_create(
        (Variant(original_id=pk, kind=kind, text=text, sha256=digest) for (pk, kind, digest), text in sorted(wanted.items())),
        ignore_conflicts=True,
    )
    originals = list(dict.fromkeys(pk for pk, _, _ in wanted))
    found = _matching(Variant.objects.all(), "original_id", originals)
    return {(variant.original_id, variant.kind, variant.sha256): variant for variant in found}


def _matching(rows: models.QuerySet[Row], field: str, values: Sequence[object]) -> Iterator[Row]:
    """The rows whose field has one of the values, asked for in parts: databases limit how many values a query may hold."""
    for start in range(0, len(values), AT_ONCE):
        yield from rows.filter(**{f"{field}__in": values[start : start + AT_ONCE]})


def _placeholders(usernames: Sequence[str]) -> list[User]:
    """The inactive users, without a password, that stand for the columns of a file."""
    lower = [username.lower() for username in usernames]
    taken = User.objects.alias(lower=Lower("username")).filter(lower__in=lower).first()
    if taken is not None:
        raise DomainError(f"An account is named “{taken.username}” already. Choose another campaign name; nothing was written.")
    users = [User(username=username, kind=User.Kind.IMPORTED, is_active=False) for username in usernames]
    for user in users:
        user.set_unusable_password()
    return User.objects.bulk_create(users)
