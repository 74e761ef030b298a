"""A campaign as a stream of plain values for exports: stable order, no names of people, a fixed number of queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Avg, Count, Q, QuerySet, Sum

from annotation.models import Campaign, Claim, EarlierAnswer, Item, Judgement, Membership, Team
from annotation.services.pseudonyms import pseudonyms_of

ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class JudgementRecord:
    """One answer. `annotator` is A1, A2, … within the campaign; `uncounted` is empty, or why the answer does not count."""

    annotator: str
    annotator_kind: str
    position: int
    further: bool
    label: str | None
    value: int | None
    words: list[int] | None
    confidence: int | None
    comment: str
    uncounted: str
    swapped: bool
    seconds: float | None
    active_seconds: float | None
    earlier_answers: int
    submitted_at: str


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """The current decision of an item."""

    label: str | None
    value: float | None
    how: str
    stale: bool
    n_judgements: int
    decided_at: str


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """One item with its texts, all of its answers in order of their slots, and its decision if there is one.

    `left_out` is empty, or why figures are not about the item: it has a known answer, or its team has withdrawn.
    """

    number: int
    use: str
    left_out: str
    task: str
    original: str
    first_kind: str
    first_text: str
    second_kind: str | None
    second_text: str | None
    victim: str
    scenario: str
    group: int | None
    gold: str | None
    explanation: str
    published_label: str
    edits: Mapping[str, int] | None
    skips: int
    judgements: tuple[JudgementRecord, ...]
    decision: DecisionRecord | None

    @property
    def variant(self) -> str:
        """The kind of the text that is judged."""
        return self.second_kind or self.first_kind


@dataclass(frozen=True, slots=True)
class AnnotatorRecord:
    """One annotator, by number alone."""

    annotator: str
    annotator_kind: str
    group: int | None
    answers: int
    uncounted: int
    practised: int
    """Answers to items with a known answer; the other numbers are about work alone."""
    skipped: int
    mean_seconds: float | None
    mean_active_seconds: float | None


@dataclass(frozen=True, slots=True)
class Erased:
    """Answers that their authors had erased: nothing but how many there were."""

    people: int
    answers: int


def records_of(campaign: Campaign, *, at_least: int = 0) -> Iterator[ItemRecord]:
    """Every item in order of its number, read piece by piece. Answers whose confidence is known and below `at_least` are left
    out."""
    answers = _Answers(campaign, at_least)
    skips = _skips(campaign, "item__number")
    withdrawn = frozenset(Team.objects.filter(campaign=campaign, withdrawn_at__isnull=False).values_list("name", flat=True))
    rows = Item.objects.filter(campaign=campaign).order_by("number").values(*ITEM_FIELDS)
    for row in _read(rows):
        yield ItemRecord(
            number=row["number"],
            use=row["use"],
            left_out=row["use"] if row["use"] != Item.Use.WORK else "team withdrew" if row["made_by"] in withdrawn else "",
            task=row["original__task"],
            original=row["original__key"],
            first_kind=row["first__kind"],
            first_text=row["first__text"],
            second_kind=row["second__kind"],
            second_text=row["second__text"],
            victim=row["example__run__victim"] or row["example__victim"] or "",
            scenario=row["example__scenario"] or "",
            group=row["group__number"],
            gold=row["gold__key"],
            explanation=row["explanation"],
            published_label=row["published_label"],
            edits=row["edits"],
            skips=skips[row["number"]],
            judgements=answers.of(row["number"]),
            decision=_decision(row),
        )


ITEM_FIELDS = (
    "number", "use", "made_by", "original__task", "original__key", "first__kind", "first__text", "second__kind", "second__text",
    "example__run__victim", "example__victim", "example__scenario", "group__number", "gold__key", "explanation", "edits",
    "published_label", "decision__label__key", "decision__value", "decision__how", "decision__stale", "decision__n_judgements",
    "decision__decided_at",
)  # fmt: skip


def _decision(row: Mapping[str, Any]) -> DecisionRecord | None:
    if row["decision__how"] is None:
        return None
    return DecisionRecord(
        label=row["decision__label__key"],
        value=row["decision__value"],
        how=row["decision__how"],
        stale=row["decision__stale"],
        n_judgements=row["decision__n_judgements"],
        decided_at=utc(row["decision__decided_at"]),
    )


def annotator_records(campaign: Campaign) -> Iterator[AnnotatorRecord]:
    """Everybody who answered, in order of their numbers."""
    names = pseudonyms_of(campaign)
    skips = _skips(campaign, "annotator", use=Item.Use.WORK)
    groups = dict(Membership.objects.filter(campaign=campaign).values_list("user", "group__number"))
    work = Q(use=Item.Use.WORK)
    counted = Q(judgement__uncounted="")
    rows = Claim.objects.filter(campaign=campaign, judgement__isnull=False).order_by().values("annotator", "annotator__kind")
    rows = rows.annotate(
        answers=Count("pk", filter=work & counted),
        uncounted=Count("pk", filter=work & ~counted),
        practised=Count("pk", filter=~work),
        seconds=Avg("judgement__seconds", filter=work),
        active=Avg("judgement__active_seconds", filter=work),
    )
    for row in sorted(rows, key=lambda row: int(names[row["annotator"]][1:])):
        person = row["annotator"]
        yield AnnotatorRecord(
            names[person], row["annotator__kind"], groups.get(person), row["answers"], row["uncounted"], row["practised"],
            skips[person], _rounded(row["seconds"]), _rounded(row["active"]),
        )  # fmt: skip


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)


def annotators_of(campaign: Campaign) -> dict[int, str]:
    """User id → A1, A2, …"""
    return pseudonyms_of(campaign)


def erased_from(campaign: Campaign) -> Erased:
    """How many answers of how many people were erased when they withdrew."""
    gone = Membership.objects.filter(campaign=campaign, erased_judgements__gt=0)
    counts = gone.aggregate(people=Count("pk"), answers=Sum("erased_judgements"))
    return Erased(counts["people"], counts["answers"] or 0)


def most_answers(campaign: Campaign) -> int:
    """The most counted answers that an item has."""
    counts = Judgement.objects.filter(claim__campaign=campaign, uncounted="").order_by()
    return max(counts.values("claim__item").annotate(n=Count("pk")).values_list("n", flat=True).order_by("-n")[:1], default=0)


def utc(moment: datetime) -> str:
    """ISO 8601 in UTC, to the second, ending in Z."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _skips(campaign: Campaign, by: str, **only: str) -> Counter[Any]:
    skipped = Claim.objects.filter(campaign=campaign, state=Claim.State.SKIPPED, **only).order_by()
    return Counter(dict(skipped.values_list(by).annotate(n=Count("pk"))))


class _Answers:
    """All answers of a campaign in order of items, handed out item by item."""

    FIELDS = (
        "claim__item__number", "claim__annotator", "pk", "submitted_at", "claim__annotator__kind", "claim__slot__position",
        "claim__slot__extra", "label__key", "label__value", "words", "confidence", "comment", "uncounted", "claim__slot__swapped",
        "seconds", "active_seconds",
    )  # fmt: skip

    def __init__(self, campaign: Campaign, at_least: int) -> None:
        self._campaign = campaign
        self._names = pseudonyms_of(campaign)
        changed = EarlierAnswer.objects.filter(judgement__claim__campaign=campaign).order_by()
        self._earlier = dict(changed.values_list("judgement").annotate(n=Count("pk")))
        rows = Judgement.objects.filter(claim__campaign=campaign)
        if at_least:
            rows = rows.filter(Q(confidence__isnull=True) | Q(confidence__gte=at_least))
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

    def _record(self, annotator: int, pk: int, submitted_at: datetime, *given: Any) -> JudgementRecord:
        if annotator not in self._names:
            # Somebody has given a first answer since the export began.
            self._names = pseudonyms_of(self._campaign)
        return JudgementRecord(*(self._names[annotator], *given, self._earlier.get(pk, 0), utc(submitted_at)))


def _read(rows: QuerySet[Any, Any]) -> Iterator[Any]:
    yield from rows.iterator(chunk_size=ROWS_AT_ONCE)
