"""Substitutes from a lexicon: filtered, in the case of the word, the same at every batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from attacks.substitutes.antonyms import Antonyms, installed_antonyms
from attacks.substitutes.casing import agree_case
from attacks.substitutes.parts_of_speech import METHOD, Tagger, share_part_of_speech
from attacks.substitutes.source import Lexicon, Place, Word, plain, word_at
from scoring.texts.function_words import FUNCTION_WORDS

_LONGEST = 60
"""Letters of the longest word that is looked up: no dictionary has longer ones."""


class Filter(Protocol):
    """Which substitutes are kept: ``name`` and ``says`` go into a run's header."""

    name: str

    @property
    def says(self) -> str: ...

    def __call__(self, word: str, other: str) -> bool:
        """Whether ``other`` may stand in for ``word``; both are plain."""
        ...


class FunctionWords:
    """Words of grammar stay, and none comes in."""

    name = "function_words"
    says = f"kept, and never put in ({len(FUNCTION_WORDS)} words)"

    def __call__(self, word: str, other: str) -> bool:
        return word not in FUNCTION_WORDS and other not in FUNCTION_WORDS


class PartOfSpeech:
    """Word and substitute can be the same part of speech, by the dictionary."""

    name = "parts_of_speech"
    says = METHOD

    def __call__(self, word: str, other: str) -> bool:
        return share_part_of_speech(word, other)


class NoAntonyms:
    """No opposites in any form, by WordNet; where it is not installed nothing is filtered, and `says` says so."""

    name = "antonyms"

    def __init__(self, antonyms: Callable[[], Antonyms | None] = installed_antonyms) -> None:
        self._antonyms = antonyms

    @property
    def says(self) -> str:
        known = self._antonyms()
        return "none filtered: WordNet is not installed" if known is None else f"filtered by WordNet ({len(known)} pairs)"

    def __call__(self, word: str, other: str) -> bool:
        known = self._antonyms()
        return known is None or other not in known.of(word)


class LexicalSubstitutes:
    """What a lexicon gives for a word, as far as every filter keeps it, at most ``most`` of them, in the word's case.

    A ``tagger`` tells the lexicon what the word is where it stands. Without one an answer depends on the word alone and is
    remembered.
    """

    def __init__(
        self, lexicon: Lexicon, filters: Sequence[Filter] = (), most: int | None = None, tagger: Tagger | None = None
    ) -> None:
        self.lexicon = lexicon
        self.filters = filters
        self.most = most
        self.tagger = tagger
        self._known: dict[Word, list[str]] = {}

    def answer(self, questions: Sequence[Place]) -> list[list[str]]:
        written = [word_at(place) for place in questions]
        tags = [None] * len(written) if self.tagger is None else self.tagger.tags(questions)
        words = [Word(plain(word), tag) for word, tag in zip(written, tags, strict=True)]
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        looked_up = [word for word in new if len(word.plain) <= _LONGEST]
        self._known.update({word: [] for word in new if len(word.plain) > _LONGEST})
        for word, others in zip(looked_up, self.lexicon.like(looked_up), strict=True):
            self._known[word] = [other for other in others if self._keeps(word.plain, other)][: self.most]
        return [[agree_case(word, other) for other in self._known[key]] for word, key in zip(written, words, strict=True)]

    def _keeps(self, word: str, other: str) -> bool:
        return other != word and all(keeps(word, other) for keeps in self.filters)

    def describe(self) -> dict[str, Any]:
        tagger = {} if self.tagger is None else {"tagger": self.tagger.name}
        return {"lexicon": self.lexicon.describe()} | tagger | {each.name: each.says for each in self.filters}
