"""The judgements of a campaign as plain values, in a fixed number of queries however many items there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from annotation.models import Campaign, Decision, Item, Judgement, Team
from annotation.prepared import prepared


@dataclass(frozen=True, slots=True)
class CastVote:
    """One counted judgement."""

    position: int
    label: str
    """Key of the label; empty where words were marked instead."""
    value: int
    confidence: int | None
    annotator_id: int
    swapped: bool
    words: tuple[int, ...] | None = None
    """Positions of the marked words, from 0."""
    judgement_id: int = 0
    further: bool = False
    """Asked for because the first answers differed."""

    def is_first(self, slots: int) -> bool:
        """Whether it is an answer in one of so many slots that everybody is asked for."""
        return self.position <= slots and not self.further


@dataclass(slots=True)
class ItemVotes:
    """One item with its counted judgements in order of their slots, and its decision if there is one."""

    item_id: int
    number: int
    original_id: int
    variant: str
    published_label: str
    votes: list[CastVote] = field(default_factory=list)
    decided_label: str | None = None
    decided_value: float | None = None
    decided_how: str | None = None
    wanted: int = 0
    """How many answers are wanted."""
    character_score: float | None = None
    semantic_score: float | None = None
    queries: int | None = None
    """What is known without people: of the text against its original, and of the attack that made it."""

    @property
    def missing(self) -> int:
        """How many of the wanted answers are not there yet."""
        return max(self.wanted - len(self.votes), 0)

    def first_answers(self, slots: int) -> list[CastVote]:
        """The answers in so many slots that everybody is asked for. Whoever was asked because these differed is not among them,
        nor where such an answer decides in place of one that was erased: only disputed items have one, so that it would make
        agreement look worse than it is."""
        return [vote for vote in self.votes if vote.is_first(slots)]

    def label_at(self, place: int, slots: int) -> str | None:
        """The label of the first, second, … of these answers; None where there are fewer."""
        answers = self.first_answers(slots)
        return answers[place - 1].label if place <= len(answers) else None


def votes_of(campaign: Campaign) -> list[ItemVotes]:
    """Every item of the campaign in order of its number. Left out: items with a known answer, texts of teams that withdrew,
    answers that came too late to count."""
    items = counted_items(campaign).order_by("number").values_list(
        "pk", "number", "original_id", "second__kind", "first__kind", "published_label", "wanted",
        "character_score", "example__semantic_score", "example__queries",
    )  # fmt: skip
    by_item = {
        pk: ItemVotes(
            pk,
            number,
            original,
            second or first,
            published,
            wanted=wanted,
            character_score=character,
            semantic_score=semantic,
            queries=queries,
        )
        for pk, number, original, second, first, published, wanted, character, semantic, queries in items
    }
    for row in _cast(Judgement.objects.filter(claim__item__campaign=campaign)).iterator():
        if row[0] in by_item:
            by_item[row[0]].votes.append(_vote(row))
    decisions = Decision.objects.filter(item__campaign=campaign).values_list("item_id", "label__key", "value", "how")
    for pk, label, value, how in decisions:
        entry = by_item.get(pk)
        if entry is None:
            continue
        entry.decided_label, entry.decided_value, entry.decided_how = label, value, how
    return list(by_item.values())


def counted_items(campaign: Campaign) -> QuerySet[Item]:
    """The items that figures are about."""
    withdrawn = Team.objects.filter(campaign=campaign, withdrawn_at__isnull=False).values("name")
    return Item.objects.filter(campaign=campaign, use=Item.Use.WORK).exclude(made_by__in=withdrawn)


def votes_on(item: Item) -> list[CastVote]:
    """The counted judgements of one item, in order of their slots."""
    return [_vote(row) for row in _cast_on(item=item.pk)]


@prepared()
def _cast_on(*, item: int) -> QuerySet[Judgement, Any]:
    return _cast(Judgement.objects.filter(claim__item=item))


def majority(votes: Sequence[CastVote], *, tie: str) -> tuple[str, str | None]:
    """How it was decided, and the label that most votes have. A tie is "unresolved", or, where `tie` says "first", won by the
    label among the tied that was given first."""
    counts = Counter(vote.label for vote in votes).most_common()
    if not counts:
        return "open", None
    if len(counts) == 1 or counts[0][1] > counts[1][1]:
        return "majority", counts[0][0]
    # `most_common` keeps equal counts in the order in which they were met.
    return ("first", counts[0][0]) if tie == "first" else ("unresolved", None)


def _cast(judgements: QuerySet[Judgement]) -> QuerySet[Judgement, Any]:
    """Those that count, each as what `_vote` reads."""
    return (
        judgements.filter(uncounted="")
        .order_by("claim__item__number", "claim__slot__position")
        .values_list(
            "claim__item_id",
            "claim__slot__position",
            "label__key",
            "label__value",
            "confidence",
            "claim__annotator_id",
            "claim__slot__swapped",
            "words",
            "pk",
            "claim__slot__extra",
        )
    )


def _vote(row: Sequence[Any]) -> CastVote:
    _, position, label, value, confidence, annotator, swapped, words, pk, further = row
    marked = None if words is None else tuple(words)
    return CastVote(position, label or "", value or 0, confidence, annotator, swapped, marked, pk, further)
