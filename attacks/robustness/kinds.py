"""The kinds of constraints whose robustness can be measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attacks.constraints.base import Constraint
from attacks.constraints.wanted import make_constraints
from attacks.errors import AttackError
from attacks.robustness.curve import Loosest
from attacks.robustness.damage import Damage, Glued, Negation, Opposite, OtherName, OtherNumber, Salad, Typo
from attacks.robustness.search import Spoiled

Damages = Callable[[Sequence[str]], list[Damage]]
"""From the texts that are spoiled to the ways in which they are."""


@dataclass(frozen=True)
class Kind:
    """A kind of constraint. ``limit`` and ``model`` are the names of its threshold and of its model, if it needs one, in
    `attacks.constraints.wanted.WANTED`; ``loosest`` says which threshold lets most through, ``fluent`` whether spoiled texts can
    be asked to read well."""

    name: str
    limit: str
    thresholds: tuple[float, ...]
    damages: Damages
    loosest: Loosest = "lowest"
    model: str | None = None
    fluent: bool = False


def _opposites(texts: Sequence[str]) -> list[Damage]:
    return [Opposite()]


def _suspicious(texts: Sequence[str]) -> list[Damage]:
    return [Salad(), Typo(), Glued()]


def _other_meaning(texts: Sequence[str]) -> list[Damage]:
    """An antonym stays away from a negation: "not bad" would mean "good" again."""
    return [Negation(), Opposite(range(-Negation.ahead, 1)), OtherNumber(), OtherName(texts)]


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("suspicion", "tau", (1.5, 2.0, 2.25, 2.5, 2.75, 3.0, 4.0, 5.0), _suspicious, "highest", "suspicion"),
        Kind("meaning", "preserved", (0.95, 0.9, 0.75, 0.5, 0.25, 0.1, 0.0), _other_meaning, model="meaning"),
        Kind("encoder", "similarity", (0.95, 0.9, 0.85, 0.8, 0.7, 0.5, 0.0), _opposites, fluent=True),
        Kind("bertscore", "f1", (0.99, 0.98, 0.95, 0.9, 0.85, 0.8, 0.0), _opposites, model="bertscore", fluent=True),
        Kind("character", "character", (0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.0), _opposites, fluent=True),
    )
}


@dataclass(frozen=True)
class Examined:
    """A constraint under test: its kind and, where there is one, the folder of its model."""

    kind: Kind
    path: str | None

    @classmethod
    def of(cls, given: str) -> Examined:
        """From ``KIND`` or ``KIND:PATH``. Raises `AttackError` for an unknown kind, or a model too few or too many."""
        name, colon, path = given.partition(":")
        kind = _kind(name)
        if kind.model and not path:
            raise AttackError(f"the constraint {name} needs the folder of its model: {name}:PATH")
        if colon and not kind.model:
            raise AttackError(f"the constraint {name} takes no model, so write {name} alone")
        return cls(kind, path or None)

    @classmethod
    def of_kind(cls, name: str, path: str = "") -> Examined:
        """From the name of a kind and the folder of its model, where one is to be asked. Raises `AttackError` for an unknown
        kind."""
        return cls(_kind(name), path or None)

    def options(self, threshold: float) -> dict[str, Any]:
        """The constraint at a threshold, as `make_constraints` takes it."""
        model = {self.kind.model: self.path} if self.kind.model else {}
        return model | {self.kind.limit: threshold}

    def at_its_loosest(self) -> Constraint:
        """The constraint that scores everything; what it refuses does not matter."""
        (constraint,) = make_constraints(self.options(self._sorted()[-1]))
        return constraint

    def thresholds(self, given: Sequence[float] = ()) -> list[float]:
        """Those given, or the kind's own, the strictest first."""
        return self._sorted(given)

    def passes(self, scores: np.ndarray, threshold: float) -> np.ndarray:
        """Whether scores meet the threshold: bool [n]."""
        return scores <= threshold if self.kind.loosest == "highest" else scores >= threshold

    def readiness(self, scores: np.ndarray) -> np.ndarray:
        """Scores so that more is accepted more readily; and back, for it only turns them round."""
        return -scores if self.kind.loosest == "highest" else scores

    def score(self, spoiled: Spoiled) -> float | None:
        """The constraint's own score of a spoiled text; None where there is no text."""
        return None if spoiled.accepted is None else float(self.readiness(np.array(spoiled.accepted)))

    def _sorted(self, given: Sequence[float] = ()) -> list[float]:
        return sorted(set(given or self.kind.thresholds), reverse=self.kind.loosest == "lowest")


def _kind(name: str) -> Kind:
    if name not in KINDS:
        raise AttackError(f"unknown kind of constraint {name[:40]!r}; there are {', '.join(KINDS)}")
    return KINDS[name]
