"""Which words matter to the victim."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from attacks.engine.asks import Goal, Query
from attacks.text import Text

Ranking = Generator[Query, Any, list[int]]
"""Asks the victim; comes to word indices, most important first."""


def by_deletion(text: Text, goal: Goal, indices: Sequence[int] | None = None) -> Ranking:
    """By how much nearer to the goal the text is without the word; all words, or those at ``indices``.

    Asks one query per word. Equally important words stay in the order of the text. With two labels this is also the
    order of TextFooler's equation 2, whose bonus for a changed label is then the drop itself.
    """
    probabilities = yield Query(text.without_each(indices))
    return ranked(goal.scores(probabilities), indices)


def by_masking(text: Text, goal: Goal, mask: str, indices: Sequence[int] | None = None) -> Ranking:
    """By how much nearer to the goal the text is with ``mask`` for the word; likewise."""
    probabilities = yield Query(text.masked_each(mask, indices))
    return ranked(goal.scores(probabilities), indices)


def ranked(scores: np.ndarray, indices: Sequence[int] | None = None) -> list[int]:
    """The indices (default: of the scores) with the highest score first; equals keep their order."""
    order = np.argsort(-scores, kind="stable").tolist()
    return order if indices is None else [indices[i] for i in order]


def saliencies(text: Text, goal: Goal, mask: str) -> Generator[Query, Any, np.ndarray]:
    """How much nearer to the goal the text comes with ``mask`` in the place of each word: float64 [words], -1 to 1.

    Asks one query per word.
    """
    probabilities = yield Query(text.masked_each(mask))
    return goal.scores(probabilities) - goal.start
