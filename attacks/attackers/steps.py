"""One step of a greedy search: which of a word's candidates is taken, and whether constraints or victim are asked first."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from attacks.constraints.similarity import EncoderSimilarityAtLeast
from attacks.engine.asks import Admit, Admitted, Goal, Query
from attacks.errors import AttackError
from attacks.text import Text

First: TypeAlias = Literal["constraints", "victim"]


class Step(NamedTuple):
    """A candidate that is taken, how near to the goal it comes, and whether it reaches it."""

    text: Text
    score: float
    reached: bool


Choosing: TypeAlias = Generator[Admit | Query, Any, Step | None]


Choice: TypeAlias = Callable[[Sequence[Text], Goal, float], Choosing]
"""Takes one of some candidates, which must be nearer than a score."""


def constraints_first(candidates: Sequence[Text], goal: Goal, score: float, *, alike: bool = True) -> Choosing:
    """The nearest of the admitted candidates, if nearer than ``score``; ``alike``: rather the most similar to the original of
    those that reach the goal, if any does.

    Asks the victim about the admitted candidates.
    """
    admitted = (yield Admit(candidates)) if candidates else []
    if not admitted:
        return None
    probabilities = yield Query([candidate.text for candidate in admitted])
    scores, reached = goal.scores(probabilities), goal.reached(probabilities)
    best = max(np.flatnonzero(reached), key=lambda i: _similarity(admitted[i])) if alike and reached.any() else scores.argmax()
    return Step(admitted[best].text, float(scores[best]), bool(reached[best])) if scores[best] > score else None


def victim_first(candidates: Sequence[Text], goal: Goal, score: float, *, alike: bool = True) -> Choosing:
    """The same choice, found by asking the victim about all candidates and the constraints only about those that could be it.

    Quick where the constraints are slower than the victim.
    """
    if not candidates:
        return None
    probabilities = yield Query(candidates)
    scores, reached = goal.scores(probabilities), goal.reached(probabilities)
    if alike and (admitted := (yield Admit([candidates[i] for i in np.flatnonzero(reached).tolist()]))):
        best = max(admitted, key=_similarity).text
        return Step(best, float(scores[list(candidates).index(best)]), True)
    for i in np.argsort(-scores, kind="stable").tolist():
        if scores[i] <= score:
            break
        if not (alike and reached[i]) and (yield Admit([candidates[i]])):
            return Step(candidates[i], float(scores[i]), bool(reached[i]))
    return None


_CHOICES: Final[dict[str, Callable[..., Choosing]]] = {
    "constraints": constraints_first,
    "victim": victim_first,
}


def choice_of(first: str, *, alike: bool) -> Choice:
    """`constraints_first` or `victim_first`, by which of them is asked first. Raises `AttackError` for anything else."""
    if first not in _CHOICES:
        raise AttackError(f"{first!r} cannot be asked first: say constraints or victim")
    return partial(_CHOICES[first], alike=alike)


def _similarity(admitted: Admitted) -> float:
    """What ranks successes; without an encoder constraint all are equal, and the first is taken."""
    return float(admitted.scores.get(EncoderSimilarityAtLeast.name, 0.0))
