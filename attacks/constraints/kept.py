"""Constraints on what has to stay in a text: what kind of words its words are, and words that must not be lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from attacks.constraints.base import Checked, PairConstraint
from attacks.substitutes.parts_of_speech import METHOD, share_part_of_speech
from attacks.substitutes.protected import Protected
from attacks.text import Text


class ProtectedWordsKept(PairConstraint):
    """Every protected word of the original stands in the candidate, as often and in the same letters, wherever. The score is
    the number of those that do not."""

    name = "protected_words"
    cost = 4.0

    def __init__(self, protected: Protected) -> None:
        self.protected = protected

    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> Checked:
        wanted = {original: self._wanted(Text(original)) for original in set(originals)}
        scores = np.array(
            [
                (wanted[original] - Counter(Text(candidate).words)).total()
                for original, candidate in zip(originals, candidates, strict=True)
            ],
            dtype=np.float64,
        )
        return scores, scores == 0

    def _wanted(self, text: Text) -> Counter[str]:
        words = text.words
        return Counter(words[i] for i in self.protected.indices(text))

    def describe(self) -> dict[str, Any]:
        return {"name": self.name} | self.protected.describe()


class PartOfSpeechKept(PairConstraint):
    """Every word that stands where another stood can be the same part of speech. The score is the number of words that cannot.

    Words are set against each other by the shortest word-level edit; words put in or left out have no counterpart and are
    free. By a dictionary, without a tagger: a word that it does not know, such as a misspelt one, is no part of speech.
    """

    name = "part_of_speech"
    cost = 5.0

    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> Checked:
        scores = np.array(
            [
                sum(not share_part_of_speech(old.lower(), new.lower()) for old, new in replaced(original, candidate))
                for original, candidate in zip(originals, candidates, strict=True)
            ],
            dtype=np.float64,
        )
        return scores, scores == 0

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "method": METHOD}


def replaced(original: str, candidate: str) -> Iterator[tuple[str, str]]:
    """The words that stand where others stood, each beside the old one; a change of case only is none."""
    import Levenshtein

    old, new = Text(original).words, Text(candidate).words
    for kind, i, j in Levenshtein.editops(old, new):
        if kind == "replace" and old[i].lower() != new[j].lower():
            yield old[i], new[j]
