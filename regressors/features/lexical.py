"""The lexical feature group: what a text alone shows of having been altered. The original is not needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from regressors.features import characters
from regressors.features.group import Array, FeatureGroup
from regressors.features.spelling import RARE_ZIPF
from regressors.features.words import WORD, Word, look_at

_PRINTABLE_ASCII: Final = frozenset(map(chr, range(32, 127)))
_LONGEST_WORD_READ: Final = 60  # what is remembered of each word stays small, whatever the text holds
_SPACING = re.compile(r"\s{2,}|[,;:!?](?=[^\W\d_])|(?<=[^\W\d_])\.(?=[^\W\d_])|\(\s|\s\)")
_WORD_TWICE = re.compile(r"\b(\w+)\s+\1\b", re.IGNORECASE)
_PUNCTUATION = re.compile(r"[^\w\s]")


@dataclass(frozen=True, slots=True)
class _View:
    """A text taken apart once, for all features."""

    text: str
    tokens: list[str]
    words: list[Word]
    unusual: list[characters.Kind]  # of the characters that are not printable ASCII

    def share(self, condition: Callable[[Word], bool]) -> float:
        """Share of the words for which the condition holds; 0 for a text without words."""
        return sum(map(condition, self.words)) / max(1, len(self.words))

    def zipfs(self) -> list[float]:
        """Zipf frequencies of the words, numbers left out: wordfreq does not count those one by one."""
        return [word.zipf for word in self.words if not word.numeric] or [0.0]

    def pieces(self) -> list[int]:
        return [word.pieces for word in self.words] or [0]

    def per_word(self, count: int) -> float:
        return count / max(1, len(self.words))


_FEATURES: Final[dict[str, Callable[[_View], float]]] = {
    "words": lambda view: len(view.words),
    "characters": lambda view: len(view.text),
    "mean_word_length": lambda view: sum(map(len, view.tokens)) / max(1, len(view.tokens)),
    "longest_word": lambda view: max(map(len, view.tokens), default=0),
    "short_word_share": lambda view: view.per_word(sum(len(token) <= 2 for token in view.tokens)),
    "distinct_word_share": lambda view: view.per_word(len({token.lower() for token in view.tokens})),
    "mean_zipf": lambda view: sum(view.zipfs()) / len(view.zipfs()),
    "min_zipf": lambda view: min(view.zipfs()),
    "rare_word_share": lambda view: view.share(lambda word: not word.numeric and 0 < word.zipf < RARE_ZIPF),
    "unknown_word_share": lambda view: view.share(lambda word: not word.numeric and not word.zipf),
    "mean_letter_surprisal": lambda view: sum(word.surprisal for word in view.words) / max(1, len(view.words)),
    "oddest_letters": lambda view: max((word.oddest for word in view.words), default=0.0),
    "repeated_letter_share": lambda view: view.share(lambda word: word.repeated_letter),
    "digit_inside_share": lambda view: view.share(lambda word: word.digit_inside),
    "inner_capital_share": lambda view: view.share(lambda word: word.inner_capital),
    "mixed_script_share": lambda view: view.share(lambda word: word.mixed_scripts),
    "confusable_characters": lambda view: view.per_word(view.unusual.count("confusable")),
    "invisible_characters": lambda view: view.per_word(view.unusual.count("invisible")),
    "foreign_characters": lambda view: view.per_word(view.unusual.count("foreign")),
    "punctuation": lambda view: view.per_word(len(_PUNCTUATION.findall(view.text))),
    "spacing_oddities": lambda view: view.per_word(len(_SPACING.findall(view.text))),
    "words_twice": lambda view: view.per_word(len(_WORD_TWICE.findall(view.text))),
    "strange_word_share": lambda view: view.share(lambda word: word.strange),
    "misspelt_word_share": lambda view: view.share(lambda word: word.misspelt),
    "cut_word_share": lambda view: view.share(lambda word: word.cut),
    "glued_word_share": lambda view: view.share(lambda word: word.glued),
    "pieces_per_word": lambda view: sum(view.pieces()) / max(1, len(view.words)),
    "most_pieces": lambda view: max(view.pieces()),
    "rare_word_in_pieces_share": lambda view: view.share(
        lambda word: not word.numeric and word.zipf < RARE_ZIPF and word.pieces > 1
    ),
}


class LexicalFeatures(FeatureGroup):
    """What the words and characters show. Shares are 0–1 of a text's words; counts of characters, spacing and punctuation are
    per word; "zipf" columns are 0–8, and the two of letters in bits (see `regressors.features.words` and `.spelling`)."""

    name = "lexical"
    version = "2"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(_FEATURES)

    def compute(self, texts: Sequence[str]) -> Array:
        rows = [self._row(text) for text in texts]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.names))

    @staticmethod
    def _row(text: str) -> list[float]:
        tokens = WORD.findall(text)
        unusual = [characters.kind(character) for character in text if character not in _PRINTABLE_ASCII]
        view = _View(text, tokens, [look_at(token[:_LONGEST_WORD_READ]) for token in tokens], unusual)
        return [feature(view) for feature in _FEATURES.values()]
