"""The character score of BODEGA: one minus the normalised Levenshtein distance."""

from __future__ import annotations

import Levenshtein

from .tokens import normalise


def character_score(original: str, adversarial: str) -> float:
    """Similarity of the two whole texts after normalisation: 0 (nothing kept) to 1 (equal).

    The distance counts insertions, deletions and substitutions of code points, over the longer length (BODEGA,
    section "Evaluation"). Two texts without any token score 1; one such text against another scores 0.
    """
    return similarity(normalise(original), normalise(adversarial))


def similarity(first: str, second: str) -> float:
    """One minus the Levenshtein distance over the longer length, of the texts as they are: 0 to 1."""
    longer = max(len(first), len(second))
    if longer == 0:
        return 1.0
    return 1.0 - Levenshtein.distance(first, second) / longer
