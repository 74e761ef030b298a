"""What a source of substitutes is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from attacks.text import Text

Place = tuple[Text, int]
"""A text and the index of one of its words."""


class Word(NamedTuple):
    """A word as dictionaries have it, in lower case; ``tag`` is its Penn Treebank tag where a tagger has read the text."""

    plain: str
    tag: str | None = None


class Passage(NamedTuple):
    """What is to be said in other words, and the seed of whatever is drawn for that."""

    text: str
    seed: int = 0


class Substitutes(Protocol):
    """Words that may stand in for a word where it stands. Attackers consult it (`attacks.engine.Consult`)."""

    def answer(self, questions: Sequence[Place]) -> list[list[str]]:
        """For each place the words that may stand there instead, the best first, in the case of the word; none where it finds
        none. An answer does not depend on the other questions."""
        ...

    def describe(self) -> dict[str, Any]:
        """Where they come from and how they are filtered, with versions and hashes, ready for JSON."""
        ...


class Lexicon(Protocol):
    """Words like a word, from a list or from vectors: the same wherever the word stands."""

    def like(self, words: Sequence[Word]) -> list[list[str]]:
        """For each word those like it, the best first, in lower case. An answer does not depend on the other words."""
        ...

    def describe(self) -> dict[str, Any]: ...


def word_at(place: Place) -> str:
    """The word of a place; quick also when all words of a long text are asked about one after another."""
    text, index = place
    start, end = text.spans[index]
    return text.text[start:end]


def plain(word: str) -> str:
    """A word as dictionaries write it."""
    return word.lower().replace("’", "'")
