"""A campaign as a stream of plain values for exports: stable order, no names of people, a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Min, QuerySet

from annotation.models import Campaign, Claim, Item, Judgement

ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class JudgementRecord:
    """One answer. `annotator` is a1, a2, … within the campaign; `uncounted` is empty, or why the answer does not count."""

    annotator: str
    annotator_kind: str
    position: int
    label: str
    value: int
    confidence: int | None
    comment: str
    uncounted: str
    swapped: bool
    seconds: float | None
    submitted_at: str


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """The current decision of an item."""

    label: str | None
    value: float | None
    how: str
    n_judgements: int
    decided_at: str


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """One item with its texts, all of its answers in order of their slots, and its decision if there is one."""

    number: int
    task: str
    original: str
    first_kind: str
    first_text: str
    second_kind: str | None
    second_text: str | None
    published_label: str
    judgements: tuple[JudgementRecord, ...]
    decision: DecisionRecord | None

    @property
    def variant(self) -> str:
        """The kind of the text that is judged."""
        return self.second_kind or self.first_kind


def records_of(campaign: Campaign) -> Iterator[ItemRecord]:
    """Every item in order of its number. Three queries, read piece by piece."""
    answers = _Answers(campaign)
    fields = (
        "number", "original__task", "original__key", "first__kind", "first__text", "second__kind", "second__text",
        "published_label", "decision__label__key", "decision__value", "decision__how", "decision__n_judgements",
        "decision__decided_at",
    )  # fmt: skip
    rows = Item.objects.filter(campaign=campaign).order_by("number").values_list(*fields)
    for row in _read(rows):
        number, decision = row[0], row[8:]
        yield ItemRecord(*(*row[:8], answers.of(number), _decision(*decision)))


def annotators_of(campaign: Campaign) -> dict[int, str]:
    """User id → a1, a2, … in the order of their first answers, so that a number once given stays."""
    answered = Claim.objects.filter(item__campaign=campaign, judgement__isnull=False).order_by()
    first = answered.values("annotator").annotate(first=Min("judgement__pk")).order_by("first")
    return {row["annotator"]: f"a{number}" for number, row in enumerate(first, start=1)}


def utc(moment: datetime) -> str:
    """ISO 8601 in UTC, to the second, ending in Z."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class _Answers:
    """All answers of a campaign in order of items, handed out item by item."""

    FIELDS = (
        "claim__item__number", "claim__annotator", "claim__annotator__kind", "claim__slot__position", "label__key",
        "label__value", "confidence", "comment", "uncounted", "claim__slot__swapped", "seconds", "submitted_at",
    )  # fmt: skip

    def __init__(self, campaign: Campaign) -> None:
        self._names = annotators_of(campaign)
        rows = Judgement.objects.filter(claim__item__campaign=campaign)
        rows = rows.order_by("claim__item__number", "claim__slot__position", "pk").values_list(*self.FIELDS)
        self._rows = _read(rows)
        self._next = next(self._rows, None)

    def of(self, number: int) -> tuple[JudgementRecord, ...]:
        """The answers to the item with this number; asked for in ascending order."""
        found = []
        while self._next is not None and self._next[0] <= number:
            if self._next[0] == number:
                found.append(self._record(*self._next[1:]))
            self._next = next(self._rows, None)
        return tuple(found)

    def _record(self, annotator: int, *answer: Any) -> JudgementRecord:
        *given, submitted_at = answer
        return JudgementRecord(*(self._name(annotator), *given, utc(submitted_at)))

    def _name(self, annotator: int) -> str:
        # Somebody may have given a first answer since the names were read.
        return self._names.setdefault(annotator, f"a{len(self._names) + 1}")


def _read(rows: QuerySet[Any, Any]) -> Iterator[Any]:
    yield from rows.iterator(chunk_size=ROWS_AT_ONCE)


def _decision(
    label: str | None, value: float | None, how: str | None, n: int | None, at: datetime | None
) -> DecisionRecord | None:
    if how is None or n is None or at is None:
        return None
    return DecisionRecord(label, value, how, n, utc(at))
