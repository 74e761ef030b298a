"""What differs between two texts, in whole words: for pages that mark deletions and insertions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scoring.wording import counted

from .matching import same_and_changed
from .tokens import is_word, pieces

Kind = Literal["same", "delete", "insert"]


class Span(NamedTuple):
    """A run of text that is the same on both sides, only in the original (delete) or only in the adversarial (insert)."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Diff:
    """Both sides as spans; joining the texts of a side gives that side back exactly. Counts are of words; `places` counts the
    runs of text that differ, whatever is in them; those with no word between them are one."""

    original: tuple[Span, ...]
    adversarial: tuple[Span, ...]
    replaced: int
    deleted: int
    inserted: int
    places: int

    @property
    def summary(self) -> str:
        """How many places differ. It does not say how: a word that was split is no word replaced and one inserted (what each
        edit is, `typed_edits` says)."""
        return f"{counted(self.places, 'place')} changed" if self.places else "no difference"


def word_diff(original: str, adversarial: str) -> Diff:
    """Which words were deleted and inserted, by the smallest number of word edits, in linear time (`matching.opcodes`)."""
    old, new = pieces(original), pieces(adversarial)
    sides: tuple[list[Span], list[Span]] = ([], [])
    apart = True
    counts = {"replaced": 0, "deleted": 0, "inserted": 0, "places": 0}
    for same, gone, come in _regions(old, new):
        if same:
            sides[0].append(Span("same", "".join(gone)))
            sides[1].append(Span("same", "".join(come)))
            apart = apart or any(map(is_word, come))
            continue
        if gone:
            sides[0].append(Span("delete", "".join(gone)))
        if come:
            sides[1].append(Span("insert", "".join(come)))
        _count(counts, gone, come)
        counts["places"] += apart
        apart = False
    return Diff(tuple(sides[0]), tuple(sides[1]), **counts)


def altered_words(original: str, adversarial: str) -> frozenset[int]:
    """Which words of the adversarial text are not the original's: their positions among its words, from 0."""
    found: set[int] = set()
    position = 0
    for same, _, come in _regions(pieces(original), pieces(adversarial)):
        words = sum(map(is_word, come))
        if not same:
            found.update(range(position, position + words))
        position += words
    return frozenset(found)


def _regions(old: list[str], new: list[str]) -> Iterator[tuple[bool, list[str], list[str]]]:
    """Alternating equal and changed runs of tokens."""
    return ((same, old[a:b], new[c:d]) for same, a, b, c, d in same_and_changed(old, new))


def _count(counts: dict[str, int], gone: list[str], come: list[str]) -> None:
    deleted, inserted = (sum(map(is_word, side)) for side in (gone, come))
    both = min(deleted, inserted)
    counts["replaced"] += both
    counts["deleted"] += deleted - both
    counts["inserted"] += inserted - both
