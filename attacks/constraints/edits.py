"""Constraints on how much was edited."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attacks.constraints.base import Checked, PairConstraint
from attacks.errors import AttackError
from attacks.text import Text


class WordsChangedAtMost(PairConstraint):
    """At most a share of the original's words is changed: word-level edit distance over the original's words (0–1)."""

    name = "words_changed"
    cost = 1.0

    def __init__(self, share: float) -> None:
        if not 0 <= share <= 1:
            raise AttackError(f"the share of words changed must be between 0 and 1, not {share}")
        self.share = share

    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> Checked:
        import Levenshtein

        words = {text: Text(text).words for text in {*originals, *candidates}}
        scores = np.array(
            [
                Levenshtein.distance(words[original], words[candidate]) / max(len(words[original]), 1)
                for original, candidate in zip(originals, candidates, strict=True)
            ],
            dtype=np.float64,
        )
        return scores, scores <= self.share

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "share": self.share}


class EditDistanceAtMost(PairConstraint):
    """At most so many single-character edits (Levenshtein, in code points) lie between original and candidate."""

    name = "edit_distance"
    cost = 2.0

    def __init__(self, distance: int) -> None:
        if distance < 0:
            raise AttackError(f"the edit distance must not be negative, but is {distance}")
        self.distance = distance

    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> Checked:
        import Levenshtein

        # Past the limit the exact distance does not matter; stopping there keeps very long texts fast.
        scores = np.array(
            [
                Levenshtein.distance(original, candidate, score_cutoff=self.distance)
                for original, candidate in zip(originals, candidates, strict=True)
            ],
            dtype=np.float64,
        )
        return scores, scores <= self.distance

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "distance": self.distance}


class CharacterScoreAtLeast(PairConstraint):
    """BODEGA's character score of original and candidate (0, nothing kept, to 1, equal) is at least ``threshold``."""

    name = "character"
    cost = 3.0

    def __init__(self, threshold: float) -> None:
        if not 0 <= threshold <= 1:
            raise AttackError(f"a character score must be between 0 and 1, not {threshold}")
        self.threshold = threshold

    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> Checked:
        from scoring.texts.character import similarity
        from scoring.texts.tokens import normalise

        normalised = {text: normalise(text) for text in {*originals, *candidates}}
        pairs = zip(originals, candidates, strict=True)
        scores = np.array([similarity(normalised[old], normalised[new]) for old, new in pairs], dtype=np.float64)
        return scores, scores >= self.threshold

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "threshold": self.threshold}
