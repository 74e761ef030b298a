"""Which words matter to the victim."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from attacks.engine.asks import Goal, Query
from attacks.text import Text


def by_deletion(text: Text, goal: Goal) -> Generator[Query, Any, list[int]]:
    """Word indices, most important first: by how much nearer to the goal the text is without the word.

    Asks one query per word. Equally important words stay in the order of the text.
    """
    probabilities = yield Query(text.without_each())
    return np.argsort(-goal.scores(probabilities), kind="stable").tolist()


def by_deletion_and_label(text: Text, goal: Goal) -> Generator[Query, Any, list[int]]:
    """As `by_deletion`, but a word whose deletion changes the label to Y' also gains what Y' gains (TextFooler, eq. 2)."""
    probabilities = yield Query(text.without_each())
    drop = goal.scores(probabilities) - goal.start
    labels = probabilities.argmax(axis=1)
    gain = probabilities[np.arange(len(labels)), labels] - goal.initial[labels]
    importance = np.where(labels == goal.leave, drop, drop + gain)
    return np.argsort(-importance, kind="stable").tolist()
