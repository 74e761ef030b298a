"""Tables of protocols whose answers are labels: who called it what, what was decided, and how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from annotation.protocols.votes import ItemVotes
from scoring.judgements.agreement import confusion

from .analysis import Table

HOW = {
    "agreed": "both annotators agreed",
    "close": "two answers closer than a conflict; the lower one counts",
    "majority": "the majority",
    "confidence": "three differed; the surest one counts",
    "first": "a tie; the first one counts",
    "unresolved": "a tie; no rule decides",
    "adjudicated": "an adjudicator decided",
    "conflict": "waiting for an adjudicator",
    "open": "waiting for a judgement",
}
"""How a decision came about, in words."""


def confusion_table(
    first: Sequence[str | None], second: Sequence[str | None], labels: Sequence[str], names: Mapping[str, str]
) -> Table:
    counts = confusion(first, second, labels)
    rows = [[names[label], *(int(n) for n in row)] for label, row in zip(labels, counts, strict=True)]
    return Table("confusion", "Who called it what", ["first \\ second", *(names[label] for label in labels)], rows)


def decisions_table(items: Sequence[ItemVotes], labels: Sequence[str], names: Mapping[str, str]) -> Table:
    counts = Counter(item.decided_label for item in items if item.decided_label)
    total = sum(counts.values())
    rows = [[names[label], counts[label], counts[label] / total if total else None] for label in labels]
    published = [item for item in items if item.published_label and item.decided_label]
    same = sum(item.published_label == item.decided_label for item in published)
    note = f"{same} of {len(published)} equal the published decisions." if published else ""
    return Table("decisions", "Decisions", ["label", "items", "share"], rows, note, styles={"share": "share"})


def how_table(items: Sequence[ItemVotes]) -> Table:
    counts = Counter(item.decided_how or "open" for item in items)
    return Table("how", "How they came about", ["", "items"], [[HOW[how], counts[how]] for how in HOW if counts[how]])


def variants_of(items: Sequence[ItemVotes]) -> dict[str, list[ItemVotes]]:
    """The items by the kind of their judged text, in order of the kinds' names."""
    found: dict[str, list[ItemVotes]] = {variant: [] for variant in sorted({item.variant for item in items})}
    for item in items:
        found[item.variant].append(item)
    return found
