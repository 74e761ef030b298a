"""The word-vector feature group: a text as the mean of its words' vectors, the rarer the word the more of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from regressors.features.group import Array, FeatureGroup
from regressors.features.words import WORD
from scoring.texts.frequency import frequencies
from scoring.texts.word_vectors import WordVectors, embedded_vectors, vectors_of

_WORDS_OF_A_TEXT: Final = 100


class VectorFeatures(FeatureGroup):
    """The mean vector of a text's words, weighted by inverse document frequency, and the share (0–1) of words that have a vector.

    A file's words are looked up as they are written, else in lower case. A text of which no word has a vector is all 0.
    """

    name = "vectors"
    version = "1"

    def __init__(self, path: str | None = None) -> None:
        """`path`: a file in word2vec's text or binary format or GloVe's text format; without it, the embedded GloVe."""
        self.path = path

    @cached_property
    def vectors(self) -> WordVectors:
        return embedded_vectors() if self.path is None else vectors_of(Path(self.path))

    @property
    def sha256(self) -> str:  # type: ignore[override]
        return self.vectors.sha256

    def described(self) -> dict[str, Any]:
        return super().described() | {"name": self.vectors.name}

    @property
    def names(self) -> tuple[str, ...]:
        return (*(f"{self.vectors.name}[{place}]" for place in range(self.vectors.size)), "words_with_vector")

    def compute(self, texts: Sequence[str]) -> Array:
        rows = [self._row(text) for text in texts]
        return np.array(rows, dtype=np.float64).reshape(len(rows), self.vectors.size + 1)

    def _row(self, text: str) -> Array:
        words = [word.replace("’", "'") for word in WORD.findall(text)]
        found = [(self._vector(word), idf(word.lower())) for word in words]
        known = [(vector, weight) for vector, weight in found if vector is not None]
        if not known:
            return np.zeros(self.vectors.size + 1)
        mean = np.average([vector for vector, _ in known], axis=0, weights=[weight for _, weight in known])
        return np.append(mean, len(known) / len(words))

    def _vector(self, word: str) -> Array | None:
        vector = self.vectors.vector(word)
        if vector is None and word != word.lower():
            vector = self.vectors.vector(word.lower())
        return None if vector is None else vector.astype(np.float64)


@lru_cache(maxsize=200_000)
def idf(word: str) -> float:
    """Inverse document frequency in nats: -ln P, where P is the chance that a text of 100 words holds the lower-case word.

    P = 1 - (1 - f)¹⁰⁰ for a word that is the share f of all words (wordfreq): that is what a collection of such texts would
    give (Spärck Jones 1972), without a collection that a text's numbers would depend on. A word that is not listed counts as
    the rarest that is.
    """
    share = frequencies().get(word) or _least_share()
    return -math.log(-math.expm1(_WORDS_OF_A_TEXT * math.log1p(-share)))


@lru_cache(maxsize=1)
def _least_share() -> float:
    return min(frequencies().values())
