"""Which words of a text were altered? How many of them people find, against marking as many at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from scoring.result import Estimate, Reason, ScoringError

from .items import Item, clusters_of
from .shares import share


@dataclass(frozen=True, slots=True)
class Marked:
    """One text: the positions of its altered words, how many words it has, and the positions that each person marked."""

    altered: Set[int]
    words: int
    answers: Sequence[Set[int]]

    def __post_init__(self) -> None:
        if max(self.altered, default=-1) >= self.words:
            raise ScoringError(f"The altered word {max(self.altered)} is not among the {self.words} words of the text.")


@dataclass(frozen=True, slots=True)
class WordsFound:
    """Shares of the altered words: `found` counts each word once for each answer; `by_chance` is what marking as many words at
    random finds on average; `found_by_most` counts words that more than half of an item's people marked."""

    found: Estimate
    by_chance: Estimate
    found_by_most: Estimate

    def as_dict(self) -> dict[str, Any]:
        return {
            "found": self.found.as_dict(),
            "by_chance": self.by_chance.as_dict(),
            "found_by_most": self.found_by_most.as_dict(),
        }


def words_found(items: Mapping[Item, Marked], *, cluster_of: Mapping[Item, Hashable] | None = None, seed: int = 0) -> WordsFound:
    """Intervals are over clusters (the originals), or items without them. Texts with no altered word are left out and counted."""
    shown = {item: marked for item, marked in items.items() if marked.altered}
    left_out = {"no altered word to be seen": len(items) - len(shown)} if len(shown) < len(items) else {}

    def of(told: Sequence[tuple[Item, bool]]) -> Estimate:
        clusters = clusters_of([item for item, _ in told], cluster_of)
        return share([found for _, found in told], clusters=clusters, left_out=left_out, seed=seed)

    found = [(item, word in answer) for item, marked in shown.items() for answer in marked.answers for word in marked.altered]
    by_most = [
        (item, word in most)
        for item, marked in shown.items()
        if marked.answers
        for most in [marked_by_most(marked.answers)]
        for word in marked.altered
    ]
    return WordsFound(of(found), _by_chance(shown.values(), left_out), of(by_most))


def marked_by_most(answers: Sequence[Set[int]]) -> set[int]:
    """The words that more than half of the people marked."""
    counts = Counter(word for answer in answers for word in answer)
    return {word for word, count in counts.items() if 2 * count > len(answers)}


def _by_chance(items: Iterable[Marked], left_out: Mapping[str, int]) -> Estimate:
    """Marking m of N words at random finds m/N of the altered ones, weighted as the answers are."""
    method = "expected share when as many words are marked at random"
    to_find = expected = 0.0
    n = 0
    for marked in items:
        for answer in marked.answers:
            n += 1
            to_find += len(marked.altered)
            expected += len(marked.altered) * len(answer) / marked.words
    if not to_find:
        return Estimate(None, Reason("empty", "There is nothing to take a share of."), 0, method, left_out)
    return Estimate(expected / to_find, None, n, method, left_out)
