"""What every statistic of this library returns: a value with its circumstances, or a named reason why there is none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


class ScoringError(ValueError):
    """Input that cannot be scored; the message says what was wrong, where, and what to do."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval: bounds in the unit of the estimate, `level` in (0, 1), and how it was made."""

    low: float
    high: float
    method: str
    level: float = 0.95

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high)):
            raise ScoringError(f"An interval needs finite bounds, not {self.low} and {self.high}.")
        if self.low > self.high:
            raise ScoringError(f"An interval's lower bound ({self.low}) may not exceed its upper bound ({self.high}).")
        if not 0 < self.level < 1:
            raise ScoringError(f"An interval's level lies between 0 and 1, not at {self.level}.")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why there is no value: a stable `code` for programs and a sentence for people."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """One statistic: exactly one of `value` and `reason` is set. Where a value has no interval, `no_interval` may say why.

    `n` counts what was used, `left_out` what was not, by cause. `labels_declared` and `labels_seen` are for
    statistics over labels, in the declared order. The value is finite: NaN and infinity are refused.
    """

    value: float | None
    reason: Reason | None
    n: int
    method: str
    left_out: Mapping[str, int] = field(default_factory=dict)
    interval: Interval | None = None
    labels_declared: tuple[str, ...] = ()
    labels_seen: tuple[str, ...] = ()
    no_interval: Reason | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ScoringError("An estimate has either a value or a reason, never both and never neither.")
        if self.value is not None and not math.isfinite(self.value):
            raise ScoringError(f"The estimate of {self.method} is {self.value}, which is no number to report.")
        if self.value is None and self.interval is not None:
            raise ScoringError("An estimate without a value has no interval.")
        if self.interval is not None and self.no_interval is not None:
            raise ScoringError("An estimate has either an interval or a reason why it has none.")

    def as_dict(self) -> dict[str, Any]:
        """The same as built-in types, ready for `json.dumps`."""
        return asdict(self) | {
            "value": None if self.value is None else float(self.value),
            "left_out": dict(self.left_out),
            "labels_declared": list(self.labels_declared),
            "labels_seen": list(self.labels_seen),
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Estimate:
        """The estimate whose `as_dict()` this is, as a card or a summary keeps it."""
        reason, interval = stored["reason"], stored["interval"]
        # Cards of models that were trained before there was such a reason do not have it.
        no_interval = stored.get("no_interval")
        return cls(
            value=stored["value"],
            reason=Reason(**reason) if reason else None,
            n=stored["n"],
            method=stored["method"],
            left_out=stored["left_out"],
            interval=Interval(**interval) if interval else None,
            labels_declared=tuple(stored["labels_declared"]),
            labels_seen=tuple(stored["labels_seen"]),
            no_interval=Reason(**no_interval) if no_interval else None,
        )
