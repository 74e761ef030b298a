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
