"""Groups of nearly equal texts, for data that do not say which texts are variants of one original."""

from __future__ import annotations

from collections.abc import Sequence

import Levenshtein

from scoring.result import ScoringError


def group_near_duplicates(texts: Sequence[str], threshold: float = 0.7) -> list[int]:
    """A group number per text, counted from 0 in order of first appearance.

    Two texts belong together if one minus their Levenshtein distance over the longer length reaches `threshold`
    (0 < threshold ≤ 1; case ignored), directly or through others. Every two texts of like length are compared.
    """
    if not 0 < threshold <= 1:
        raise ScoringError(f"The threshold of near-duplicates lies above 0 and at most at 1, not at {threshold}.")
    lowered = [text.lower() for text in texts]
    by_length = sorted(range(len(texts)), key=lambda index: len(lowered[index]))
    parent = list(range(len(texts)))
    for position, shorter in enumerate(by_length):
        for longer in by_length[position + 1 :]:
            length = len(lowered[longer])
            # Rounded against 1 - 0.7 being a little more than 0.3: a pair exactly at the threshold belongs together.
            allowed = int(round((1 - threshold) * length, 9))
            if length - len(lowered[shorter]) > allowed:
                break
            if Levenshtein.distance(lowered[shorter], lowered[longer], score_cutoff=allowed) <= allowed:
                _join(parent, shorter, longer)
    numbers: dict[int, int] = {}
    return [numbers.setdefault(_root(parent, index), len(numbers)) for index in range(len(texts))]


def _root(parent: list[int], index: int) -> int:
    while parent[index] != index:
        parent[index] = parent[parent[index]]
        index = parent[index]
    return index


def _join(parent: list[int], first: int, second: int) -> None:
    parent[_root(parent, second)] = _root(parent, first)
