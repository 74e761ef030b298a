"""Attackers one after the other: the next one tries where those before it failed."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from attacks.attackers.base import Cited, NamedAttacker
from attacks.engine.asks import Admit, Goal, Search
from attacks.errors import AttackError
from attacks.text import Text


class Ensemble(NamedAttacker):
    """The first part attacks the original; where its search ends without success, the second part does, and so on.

    All parts draw on one budget and one random generator; a text that one of them asked about is known to the next. The
    constraints of a part bind its own candidates only. Constraints of the same name must be the same: the engine keeps one score
    for each name.

    Asks the sum of what its parts ask, with first prediction and verification once.
    """

    variant = "one attacker, then the next"

    def __init__(self, parts: Sequence[NamedAttacker | Cited]) -> None:
        self.parts = tuple(parts)
        self.name = "+".join(part.name for part in parts)  # type: ignore[misc]
        self.unit = parts[0].unit  # type: ignore[misc, assignment]
        self.source = "; ".join(dict.fromkeys(part.source for part in parts))  # type: ignore[misc]
        self.constraints = _of_all(self.parts)

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "variant": self.variant,
            "source": self.source,
            "parameters": {},
            "parts": [part.describe() for part in self.parts],
        }

    def most_queries(self, text: Text) -> int:
        return 2 + sum(part.most_queries(text) - 2 for part in self.parts)

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        for part in self.parts:
            own = {constraint.name for constraint in part.constraints}
            others = tuple(constraint for constraint in self.constraints if constraint.name not in own)
            found = yield from _waiving(part.search(text, goal, rng), others)
            if found is not None:
                return found
        return None


def _waiving(search: Search, constraints: tuple[Any, ...]) -> Generator[Any, Any, Text | None]:
    """A search whose candidates are not held to those constraints."""
    answer = None
    while True:
        try:
            ask = search.send(answer)
        except StopIteration as finished:
            found: Text | None = finished.value
            return found
        answer = yield replace(ask, waived=ask.waived + constraints) if isinstance(ask, Admit) else ask


def _of_all(parts: Sequence[NamedAttacker | Cited]) -> tuple[Any, ...]:
    """The constraints of all parts, those that several have once. Raises `AttackError` where equal names mean other things."""
    found: dict[str, Any] = {}
    for constraint in (constraint for part in parts for constraint in part.constraints):
        other = found.setdefault(constraint.name, constraint)
        if (type(other), vars(other)) != (type(constraint), vars(constraint)):
            raise AttackError(
                f"{'+'.join(part.name for part in parts)}: two of them have a constraint {constraint.name} with other settings; "
                "an attack has one of a name"
            )
    return tuple(found.values())
