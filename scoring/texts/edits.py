"""What was changed in a text, edit by edit, each of a kind: a homoglyph, a swap of letters, another word, …"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain, filterfalse

from .characters import is_invisible
from .edit_kinds import KINDS, Edit, Kind, Span
from .entities import CAPITALISED, EntityFinder
from .letters import changes_within
from .linking import linked
from .matching import Opcode, of_tokens
from .tokens import pieces
from .word_kinds import is_misspelling, is_number, spelled


def typed_edits(original: str, modified: str, *, entities: EntityFinder = CAPITALISED) -> tuple[Edit, ...]:
    """The edits that make the modified text of the original, in order and without overlap; none if the texts are equal.

    Linear in the texts' length, in time and memory. A word with at most a third of its letters changed is told letter by letter,
    any other as replaced. Any text will do: empty, with lone surrogates, without spaces.
    """
    if original == modified:
        return ()
    return tuple(_Comparison(original, modified, entities).edits())


def apply_edits(original: str, edits: Iterable[Edit]) -> str:
    """The modified text."""
    done, parts = 0, []
    for edit in edits:
        start, end = edit.original_span
        parts += [original[done:start], edit.modified]
        done = end
    return "".join([*parts, original[done:]])


def edit_counts(edits: Iterable[Edit]) -> dict[Kind, int]:
    """How many edits there are of each kind, all kinds in their order."""
    counts = Counter(edit.kind for edit in edits)
    return {kind: counts[kind] for kind in KINDS}


class _Side:
    """One text in pieces. Slices are of pieces."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces = pieces(text)
        self.at = list(accumulate(map(len, self.pieces), initial=0))
        worded = list(map(_is_worded, self.pieces))
        self._places = [index for index, is_worded in enumerate(worded) if is_worded]
        self._before = list(accumulate(worded, initial=0))

    def span(self, a: int, b: int) -> Span:
        return self.at[a], self.at[b]

    def between(self, a: int, b: int) -> str:
        return self.text[self.at[a] : self.at[b]]

    def words(self, a: int, b: int) -> list[int]:
        return self._places[self._before[a] : self._before[b]]


class _Comparison:
    def __init__(self, original: str, modified: str, entities: EntityFinder) -> None:
        self.old, self.new = _Side(original), _Side(modified)
        self._entities = entities

    def edits(self) -> Iterator[Edit]:
        """Region by region; within one, what became what first, then what lies between."""
        for a, b, c, d in self._regions():
            old, new = self.old.words(a, b), self.new.words(c, d)
            first, second = [spelled(self.old.pieces[index]) for index in old], [spelled(self.new.pieces[index]) for index in new]
            for i, k, j, m in linked(first, second):
                if self.old.pieces[a : old[i]] != self.new.pieces[c : new[j]]:
                    yield from self._between(a, old[i], c, new[j])
                a, c = old[k - 1] + 1, new[m - 1] + 1
                if k - i == m - j == 1 and not is_misspelling(second[j], first[i]):
                    yield self._exchanged(old[i], new[j], is_number(first[i]) or is_number(second[j]))
                else:
                    yield from self._word(old[i], a, new[j], c)
            yield from self._between(a, b, c, d)

    def _regions(self) -> Iterator[tuple[int, int, int, int]]:
        """Changed runs of pieces. Runs with no more than spaces and marks between them are one: a word that was split next to
        another change shows only so."""
        region: tuple[int, int, int, int] | None = None
        for operation, a, b, c, d in of_tokens(self.old.pieces, self.new.pieces):
            if operation != "equal":
                region = (region[0], b, region[2], d) if region else (a, b, c, d)
            elif region and self.old.words(a, b):
                yield region
                region = None
        if region:
            yield region

    def _word(self, a: int, b: int, c: int, d: int) -> Iterator[Edit]:
        """A word that became another, or several that became one or one that became several."""
        old, new = self.old.between(a, b), self.new.between(c, d)
        if old == new:
            return
        if not is_misspelling(_seen(new), _seen(old)):
            yield self._whole(a, b, c, d)
            return
        left, right = self.old.at[a], self.new.at[c]
        for kind, i, k, j, m in changes_within(old, new):
            yield Edit(kind, (left + i, left + k), (right + j, right + m), old[i:k], new[j:m], (old, new))

    def _between(self, a: int, b: int, c: int, d: int) -> Iterator[Edit]:
        """Spaces and marks, and words on one side that stand for none on the other."""
        old, new = self.old.pieces[a:b], self.new.pieces[c:d]
        if old == new:
            return
        i, k, j, m = _core(old, new)
        if not self.old.words(a, b) and not self.new.words(c, d):
            yield self._whole(a + i, a + k, c + j, c + m)
            return
        one_sided: Opcode = ("delete" if i < k else "insert", i, k, j, m)
        operations = [one_sided] if i == k or j == m else of_tokens(old, new)
        for operation, i, k, j, m in operations:
            if operation == "replace":
                for left, right in zip(range(a + i, a + k), range(c + j, c + m), strict=True):
                    yield self._whole(left, left + 1, right, right + 1)
            elif operation == "delete":
                for start, end in _chunks(old, i, k):
                    yield self._whole(a + start, a + end, c + j, c + j)
            elif operation == "insert":
                for start, end in _chunks(new, j, m):
                    yield self._whole(a + i, a + i, c + start, c + end)

    def _exchanged(self, a: int, c: int, number: bool) -> Edit:
        """An edit of one word for another."""
        words = self.old.pieces[a], self.new.pieces[c]
        spans = self.old.span(a, a + 1), self.new.span(c, c + 1)
        if number:
            return Edit("number", *spans, *words, words)
        if a in self._named[0] or c in self._named[1]:
            return Edit("named_entity", *spans, *words, words, self._entities.name)
        return Edit("word_replaced", *spans, *words, words)

    def _whole(self, a: int, b: int, c: int, d: int) -> Edit:
        """An edit of whole pieces."""
        spans = self.old.span(a, b), self.new.span(c, d)
        texts = self.old.between(a, b), self.new.between(c, d)
        old, new = self.old.words(a, b), self.new.words(c, d)
        if not old and not new:
            return Edit(_kind_of_marks(*texts), *spans, *texts)
        words = " ".join([self.old.pieces[index] for index in old]), " ".join([self.new.pieces[index] for index in new])
        if is_number(spelled(words[0])) or is_number(spelled(words[1])):
            return Edit("number", *spans, *texts, words)
        if not (self._named[0].isdisjoint(old) and self._named[1].isdisjoint(new)):
            return Edit("named_entity", *spans, *texts, words, self._entities.name)
        return Edit("word_replaced" if old and new else "word_removed" if old else "word_inserted", *spans, *texts, words)

    @cached_property
    def _named(self) -> tuple[frozenset[int], frozenset[int]]:
        """Pieces of each side that lie in a name."""
        return self._names(self.old), self._names(self.new)

    def _names(self, side: _Side) -> frozenset[int]:
        found = self._entities.find(side.text)
        ranges = (range(bisect_right(side.at, start) - 1, bisect_left(side.at, end)) for start, end in found)
        return frozenset(chain.from_iterable(ranges))


def _is_worded(piece: str) -> bool:
    """Whether it is a word that has letters or digits."""
    return piece.isalnum() or (len(piece) > 1 and any(map(str.isalnum, piece)))


def _seen(words: str) -> str:
    """Words as a reader sees them, without the spaces between."""
    return "".join(map(spelled, words.split()))


def _kind_of_marks(old: str, new: str) -> Kind:
    marks = "".join(old.split()), "".join(new.split())
    if marks[0] == marks[1]:
        return "spacing"
    seen = [list(filterfalse(is_invisible, side)) for side in marks]
    return "invisible" if seen[0] == seen[1] else "punctuation"


def _core(old: Sequence[str], new: Sequence[str]) -> tuple[int, int, int, int]:
    """What is left of both without their common beginning and end: old[a:b] and new[c:d]."""
    most = min(len(old), len(new))
    start = next((k for k in range(most) if old[k] != new[k]), most)
    end = next((k for k in range(most - start) if old[-1 - k] != new[-1 - k]), most - start)
    return start, len(old) - end, start, len(new) - end


def _chunks(parts: Sequence[str], start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Pieces that stand on one side only, word by word and mark by mark, each with the space before it, or with the one behind it
    where the last one ends in space; marks that follow each other stay together."""
    behind = parts[stop - 1].isspace()
    begin = start
    for index in range(start, stop - 1):
        piece, following = parts[index], parts[index + 1]
        if following.isspace():
            ends = not behind
        elif piece.isspace():
            ends = behind and index > start
        else:
            ends = _is_worded(piece) or _is_worded(following)
        if ends:
            yield begin, index + 1
            begin = index + 1
    yield begin, stop
