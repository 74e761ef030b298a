"""What a constraint is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

Checked = tuple[np.ndarray, np.ndarray]


@runtime_checkable
class Constraint(Protocol):
    """A condition on candidates: scores (float64 [n]) and verdicts (bool [n], True lets through).

    ``cost`` orders constraints, cheap ones first. ``check_pairs`` takes candidates of several originals at once, an
    original beside each; `check` is the same for one. An answer must depend on its own pair only. ``describe`` names
    parameters, models and hashes, ready for JSON.
    """

    name: str
    cost: float

    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> Checked: ...

    def check(self, original: str, candidates: Sequence[str]) -> Checked: ...

    def describe(self) -> dict[str, Any]: ...


class PairConstraint(ABC):
    """Gives `check` to constraints that have `check_pairs`."""

    @abstractmethod
    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> Checked: ...

    def check(self, original: str, candidates: Sequence[str]) -> Checked:
        return self.check_pairs([original] * len(candidates), candidates)
