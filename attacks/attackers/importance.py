"""Which words matter to the victim."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from attacks.engine.asks import Goal, Query
from attacks.text import Text


def by_deletion(text: Text, goal: Goal) -> Generator[Query, Any, list[int]]:
    """Word indices, most important first: by how much nearer to the goal the text is without the word.

    Asks one query per word. Equally important words stay in the order of the text. With two labels this is also the
    order of TextFooler's equation 2, whose bonus for a changed label is then the drop itself.
    """
    probabilities = yield Query(text.without_each())
    return np.argsort(-goal.scores(probabilities), kind="stable").tolist()


def by_masking(text: Text, goal: Goal, mask: str) -> Generator[Query, Any, list[int]]:
    """Word indices, most important first, by `saliencies`; equally important words stay in the order of the text."""
    salient = yield from saliencies(text, goal, mask)
    return np.argsort(-salient, kind="stable").tolist()


def saliencies(text: Text, goal: Goal, mask: str) -> Generator[Query, Any, np.ndarray]:
    """How much nearer to the goal the text comes with ``mask`` in the place of each word: float64 [words], -1 to 1.

    Asks one query per word.
    """
    probabilities = yield Query(text.masked_each(mask))
    return goal.scores(probabilities) - goal.start
