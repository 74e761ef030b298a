"""Writing down judgements that were made elsewhere: texts, items and answers of a published file, in bulk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.db import models, transaction
from django.utils import timezone

from annotation.errors import DomainError
from annotation.models import Campaign, Claim, Item, Judgement, Original, Slot, User, Variant

from .campaigns import NewItem, add_items, close_campaign
from .deciding import decide_all

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
    """One judgement. `position` counts from 1 within the item; `label` is a key of the campaign's labels."""

    position: int
    label: str
    confidence: int | None = None


@dataclass(frozen=True, slots=True)
class RecordedItem:
    """One item with its judgements. Items with equal `original_key` are variants of one original."""

    original_key: str
    first: RecordedText
    second: RecordedText | None = None
    answers: tuple[RecordedAnswer, ...] = ()
    published_label: str = ""

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
    originals = _originals(task, (item.original_key for item in items))
    variants = _variants((originals[item.original_key], text) for item in items for text in item.texts)

    def variant(item: RecordedItem, text: RecordedText) -> Variant:
        return variants[originals[item.original_key].pk, text.kind, sha256_of(text.text)]

    fresh = [
        NewItem(
            original=originals[item.original_key],
            first=variant(item, item.first),
            second=None if item.second is None else variant(item, item.second),
            published_label=item.published_label,
        )
        for item in items
    ]
    return add_items(campaign=campaign, items=fresh, slots=slots)


@transaction.atomic
def record_judgements(*, campaign: Campaign, task: str, items: Sequence[RecordedItem], annotators: Sequence[str]) -> None:
    """Add the items with the answers they were given, decide them all, and close the campaign: nobody is asked here.

    `annotators[p - 1]` names the placeholder to whom all answers of position p are ascribed. Who really answered is unknown, so
    the claims exclude nobody from anything. Raises DomainError when the campaign is not an imported one.
    """
    if not campaign.imported:
        raise DomainError("Judgements can only be recorded in a campaign that was made by an import.")
    people = _placeholders([f"{campaign.name}: {name}" for name in annotators])
    labels = {label.key: label for label in campaign.labels.all()}
    made = record_items(campaign=campaign, task=task, items=items, slots=0)
    answers = [(item, answer) for item, recorded in zip(made, items, strict=True) for answer in recorded.answers]
    slots = Slot.objects.bulk_create(
        Slot(item=item, position=answer.position, state=Slot.State.FILLED, rank=0.0) for item, answer in answers
    )
    now = timezone.now()
    claims = Claim.objects.bulk_create(
        Claim(
            slot=slot,
            item=item,
            original_id=item.original_id,
            annotator=people[answer.position - 1],
            exclusion=None,
            state=Claim.State.ANSWERED,
            claimed_at=now,
            expires_at=now,
        )
        for slot, (item, answer) in zip(slots, answers, strict=True)
    )
    Judgement.objects.bulk_create(
        Judgement(claim=claim, label=labels[answer.label], confidence=answer.confidence, submitted_at=now)
        for claim, (_, answer) in zip(claims, answers, strict=True)
    )
    decide_all(campaign=campaign)
    close_campaign(campaign=campaign)


def _originals(task: str, keys: Iterable[str]) -> dict[str, Original]:
    wanted = list(dict.fromkeys(keys))
    Original.objects.bulk_create((Original(task=task, key=key) for key in wanted), ignore_conflicts=True)
    return {original.key: original for original in _matching(Original.objects.filter(task=task), "key", wanted)}


def _variants(texts: Iterable[tuple[Original, RecordedText]]) -> Mapping[tuple[int, str, str], Variant]:
    wanted = {(original.pk, text.kind, sha256_of(text.text)): text.text for original, text in texts}
    Variant.objects.bulk_create(
        (Variant(original_id=pk, kind=kind, text=text, sha256=digest) for (pk, kind, digest), text in wanted.items()),
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
    taken = User.objects.filter(username__in=usernames).first()
    if taken is not None:
        raise DomainError(f"An account is named “{taken.username}” already. Choose another campaign name; nothing was written.")
    users = [User(username=username, kind=User.Kind.IMPORTED, is_active=False) for username in usernames]
    for user in users:
        user.set_unusable_password()
    return User.objects.bulk_create(users)
