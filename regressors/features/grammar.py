"""The grammar feature group: how rare a text's sequence of parts of speech is."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from regressors.features.group import Array, FeatureGroup
from regressors.features.word_classes import TABLE, oddities
from regressors.features.words import WORD

METHOD: Final = "rarity of part-of-speech patterns (lemminflect's dictionary, WordNet's examples); no parser"
_ODD: Final = 1.0  # bits: a pair half as frequent as by chance
_GREATEST: Final = 3
_WRONG_ARTICLE: Final = re.compile(
    r"""
    \b[Aa] \s+ (?! on(?:e|ce)\b | eu | ew | ou[ai] | uni | unan | u[bkrst][aeiou] ) [aeiou][a-z]{2,}
    | \b[Aa]n \s+ [b-df-gj-np-tv-z][a-z]*[aeiouy]
    """,
    re.VERBOSE,
)
"""Words in lower case, since letters that are read one by one sound otherwise; what can be said both ways is left alone."""


class GrammarFeatures(FeatureGroup):
    """By how many bits classes of words side by side are rarer so than by chance (`regressors.features.word_classes`): mean,
    greatest, mean of the three greatest, share above 1 bit; and articles of the wrong form ("a apple", "an pear") per word.

    Nothing is parsed: what a reader would call wrong can have a common pattern, and the reverse.
    """

    name = "grammar"
    version = "1"

    @property
    def sha256(self) -> str:  # type: ignore[override]
        return hashlib.sha256(TABLE.read_bytes()).hexdigest()

    def described(self) -> dict[str, Any]:
        return super().described() | {"name": METHOD}

    @property
    def names(self) -> tuple[str, ...]:
        return ("mean_oddity", "greatest_oddity", "three_greatest_oddities", "odd_pair_share", "wrong_articles")

    def compute(self, texts: Sequence[str]) -> Array:
        return np.array([_row(text) for text in texts], dtype=np.float64).reshape(len(texts), len(self.names))


def _row(text: str) -> list[float]:
    bits = sorted(oddities(text), reverse=True) or [0.0]
    greatest = bits[:_GREATEST]
    return [
        sum(bits) / len(bits),
        bits[0],
        sum(greatest) / len(greatest),
        sum(each > _ODD for each in bits) / len(bits),
        len(_WRONG_ARTICLE.findall(text)) / max(1, len(WORD.findall(text))),
    ]
