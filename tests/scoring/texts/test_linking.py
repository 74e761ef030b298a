"""Which words stand for each other: as alike as any order-preserving choice could make them."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from scoring.texts.linking import _paired, linked
from scoring.texts.word_kinds import is_negation

WORDS = st.lists(st.sampled_from(["not", "no", "film", "movie", "great", "grim", "a", "rain"]), max_size=5)


def unlike(old: str, new: str) -> float:
    return OSA.normalized_distance(old, new) + (is_negation(old) != is_negation(new))


def least(old: list[str], new: list[str]) -> float:
    """By trying everything."""

    @cache
    def from_on(i: int, j: int) -> float:
        if i == len(old) or j == len(new):
            return len(old) - i + len(new) - j
        return min(unlike(old[i], new[j]) + from_on(i + 1, j + 1), 1 + from_on(i + 1, j), 1 + from_on(i, j + 1))

    return from_on(0, 0)


@settings(max_examples=100, deadline=None)
@given(WORDS, WORDS)
def test_words_of_a_gap_are_paired_at_the_least_cost(old: list[str], new: list[str]) -> None:
    pairs = list(_paired(old, new, (0, len(old), 0, len(new))))
    assert pairs == sorted(pairs) and all((b, d) == (a + 1, c + 1) for a, b, c, d in pairs)
    alone = len(old) + len(new) - 2 * len(pairs)
    assert alone + sum(unlike(old[a], new[c]) for a, _, c, _ in pairs) == pytest.approx(least(old, new))


def test_a_split_word_is_linked_to_its_parts() -> None:
    assert list(linked(["a", "clean", "room"], ["a", "c", "lean", "rooom"])) == [(0, 1, 0, 1), (1, 2, 1, 3), (2, 3, 3, 4)]
