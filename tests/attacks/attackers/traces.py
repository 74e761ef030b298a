"""Searches worked by hand: what they ask of a victim, step by step, and with which dice."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from attacks.engine import Admit, Admitted, Consult, Goal, Query
from attacks.text import Text


class Dice:
    """A random generator that has fallen already: every call takes the next value, whatever it asks for."""

    def __init__(self, *values: Any) -> None:
        self.values = deque(values)

    def random(self, size: Any = None) -> Any:
        return self._next(size)

    def uniform(self, low: float, high: float, size: Any = None) -> Any:
        return self._next(size)

    def choice(self, among: int, size: Any = None, p: Any = None) -> Any:
        self.chances = p
        return self._next(size)

    def integers(self, below: int) -> int:
        value = self.values.popleft()
        assert value < below
        return int(value)

    def _next(self, size: Any) -> Any:
        value = self.values.popleft()
        if size is None:
            return value
        array = np.array(value)
        assert array.shape == (size if isinstance(size, tuple) else (size,))
        return array


def trace(attacker: Any, text: str, victim: Any, dice: Any = None) -> tuple[str | None, list[list[str]]]:
    """What the attacker finds, and the texts of each of its queries. Everything is admitted."""
    original = Text(text)
    search = attacker.search(original, Goal.away_from(victim.predict_proba([text])[0]), dice)
    asked: list[list[str]] = []
    answer: Any = None
    while True:
        try:
            ask = search.send(answer)
        except StopIteration as finished:
            return (finished.value and finished.value.text), asked
        if isinstance(ask, Query):
            asked.append([each.text for each in ask.texts])
            answer = victim.predict_proba(asked[-1])
        elif isinstance(ask, Consult):
            answer = ask.source.answer(ask.questions)
        else:
            assert isinstance(ask, Admit)
            answer = [Admitted(each, {}) for each in ask.candidates]
