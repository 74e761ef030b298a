"""What an attack starts from and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Status = Literal["success", "failed", "skipped", "budget", "error", "inconsistent"]
STATUSES: tuple[Status, ...] = ("success", "failed", "skipped", "budget", "error", "inconsistent")


@dataclass(frozen=True, slots=True)
class Example:
    """A text to attack. ``id`` is its number in the attack set (from 0); ``label`` its gold label, 0 or 1."""

    id: int
    text: str
    label: int


@dataclass(frozen=True, slots=True)
class Queries:
    """Texts that the search asked the victim about (repeats, the original and the verification included), how many of
    them were distinct, and how many reached the victim, being neither repeats nor asked again after a failed call."""

    asked: int = 0
    unique: int = 0
    sent: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """One example after the attack.

    ``status``: success; failed (the search ended without one); skipped (not part of the scenario); budget (the next
    question would have exceeded it); error (of victim, constraint or attacker, see ``message``); inconsistent (a success
    that the victim did not confirm when asked again). ``adversarial`` and what belongs to it are None unless success.
    ``scores_before`` and ``scores_after`` are the victim's probabilities of labels 0 and 1. ``constraint_scores`` are
    per constraint the scores along the winning path, one for each text, the original's own first; None for a text about
    which the constraint was not asked, because the search took several steps at once or a cheaper constraint refused it.
    ``constraint_checks`` count the distinct candidates that each constraint scored.
    """

    id: int
    original: str
    label: int
    status: Status
    message: str = ""
    adversarial: str | None = None
    predicted_before: int | None = None
    predicted_after: int | None = None
    scores_before: list[float] | None = None
    scores_after: list[float] | None = None
    queries: Queries = Queries()
    constraint_checks: dict[str, int] = field(default_factory=dict)
    constraint_scores: dict[str, list[float | None]] = field(default_factory=dict)

    @property
    def succeeded(self) -> bool:
        return self.status == "success"

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Outcome:
        known = {name: values[name] for name in cls.__dataclass_fields__ if name in values}
        return cls(**known | {"queries": Queries(**values["queries"])})
