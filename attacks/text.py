"""A text as attackers see it: a string whose words can be dropped or replaced one at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import overload

_LETTERS = r"[^\W_][\w\u0300-\u036f]*"
# An address is one unit that no attacker of words or characters touches, hence matched first and never a word.
_ADDRESS_OR_WORD = re.compile(rf"(?:https?://|www\.)\S+|({_LETTERS}(?:['’\-]{_LETTERS})*)", re.IGNORECASE)


class Text:
    """An immutable text with the positions of its words.

    A word is a run of letters, digits and combining accents, with apostrophes and hyphens inside it. Web addresses and
    everything else (punctuation, symbols, BODEGA's pair separator ``~``) belong to no word. Case, spacing and Unicode
    outside an edit stay exactly as they were. ``edited_from`` is the text that this one was made from, if any.
    Words keep their index over replacements, even when a replacement would by itself count as no word or as two.
    """

    __slots__ = ("_replaced", "_spans", "edited_from", "text")

    def __init__(
        self,
        text: str,
        edited_from: Text | None = None,
        *,
        replaced: int | None = None,
        spans: list[tuple[int, int]] | None = None,
    ) -> None:
        self.text = text
        self.edited_from = edited_from
        self._replaced = replaced
        self._spans = spans

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Start and end of every word, in code points, in order."""
        if self._spans is None:
            self._spans = self._find_spans()
        return self._spans

    def _find_spans(self) -> list[tuple[int, int]]:
        if self.edited_from is None or self._replaced is None:
            return [match.span(1) for match in _ADDRESS_OR_WORD.finditer(self.text) if match[1] is not None]
        before, i = self.edited_from.spans, self._replaced
        longer = len(self.text) - len(self.edited_from.text)
        start, end = before[i]
        return [*before[:i], (start, end + longer), *((a + longer, b + longer) for a, b in before[i + 1 :])]

    @property
    def words(self) -> list[str]:
        return [self.text[start:end] for start, end in self.spans]

    def word(self, index: int) -> str:
        start, end = self.spans[index]
        return self.text[start:end]

    def replace(self, index: int, word: str) -> Text:
        """This text with its ``index``-th word replaced."""
        start, end = self.spans[index]
        return Text(self.text[:start] + word + self.text[end:], self, replaced=range(len(self.spans))[index])

    def replace_each(self, words: Mapping[int, str]) -> Text:
        """This text with several words replaced at once; itself if none is."""
        if not words:
            return self
        parts: list[str] = []
        spans: list[tuple[int, int]] = []
        length = last = 0
        for index, (start, end) in enumerate(self.spans):
            word = words.get(index, self.text[start:end])
            parts += (self.text[last:start], word)
            length += start - last
            spans.append((length, length + len(word)))
            length, last = length + len(word), end
        return Text("".join([*parts, self.text[last:]]), self, spans=spans)

    def without(self, index: int) -> Text:
        """This text without its ``index``-th word and one run of spaces: the one after it, else the one before it."""
        start, end = self._cut(index)
        return Text(self.text[:start] + self.text[end:], self)

    def emptied(self, index: int) -> Text:
        """The same text as `without`, but all words keep their index: the ``index``-th stays as an empty one."""
        start, end = self._cut(index)
        shorter = end - start
        before = ((min(a, start), min(b, start)) for a, b in self.spans[:index])
        spans = [*before, (start, start), *((a - shorter, b - shorter) for a, b in self.spans[index + 1 :])]
        return Text(self.text[:start] + self.text[end:], self, spans=spans)

    def _cut(self, index: int) -> tuple[int, int]:
        """Start and end of a word and of the run of spaces that goes with it."""
        start, end = self.spans[index]
        after = len(self.text) - len(self.text[end:].lstrip())
        return (start, after) if after > end else (len(self.text[:start].rstrip()), end)

    def without_each(self, indices: Sequence[int] | None = None) -> Sequence[Text]:
        """The texts without one of the words, by default of all. Made only when looked at: long texts have many of them."""
        return _OneForEachWord(self, self.without, indices)

    def masked_each(self, mask: str, indices: Sequence[int] | None = None) -> Sequence[Text]:
        """The texts with ``mask`` in the place of one of the words, by default of all. Made only when looked at."""
        return _OneForEachWord(self, lambda index: self.replace(index, mask), indices)

    def before_each(self) -> Sequence[Text]:
        """What stands before the first, second, … word. Made only when looked at."""
        return _OneForEachWord(self, lambda index: Text(self.text[: self.spans[index][0]].rstrip(), self))

    def after_each(self) -> Sequence[Text]:
        """What stands after the first, second, … word. Made only when looked at."""
        return _OneForEachWord(self, lambda index: Text(self.text[self.spans[index][1] :].lstrip(), self))

    def joined(self, index: int) -> Text | None:
        """This text without the spaces between the ``index``-th word and the next; None if not only spaces part them. All words
        keep their index."""
        if not 0 <= index < len(self.spans) - 1:
            return None
        end, start = self.spans[index][1], self.spans[index + 1][0]
        if end == start or self.text[end:start].strip(" "):
            return None
        spans = [*self.spans[: index + 1], *((a - start + end, b - start + end) for a, b in self.spans[index + 1 :])]
        return Text(self.text[:end] + self.text[start:], self, spans=spans)

    def path(self) -> list[Text]:
        """The texts on the way from the first to this one, both included."""
        steps, step = [self], self.edited_from
        while step is not None:
            steps.append(step)
            step = step.edited_from
        return steps[::-1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Text({self.text!r})"


class _OneForEachWord(Sequence[Text]):
    def __init__(self, text: Text, make: Callable[[int], Text], indices: Sequence[int] | None = None) -> None:
        self._indices = range(len(text.spans)) if indices is None else indices
        self._make = make

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, index: int) -> Text: ...
    @overload
    def __getitem__(self, index: slice) -> list[Text]: ...
    def __getitem__(self, index: int | slice) -> Text | list[Text]:
        if isinstance(index, slice):
            return [self._make(i) for i in self._indices[index]]
        return self._make(self._indices[index])

    def __iter__(self) -> Iterator[Text]:
        return map(self._make, self._indices)
