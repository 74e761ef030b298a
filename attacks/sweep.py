"""What other limits on suspicion would have done to a run, told from the scores along its winning paths.

An attacker keeps its path (`attacks.attackers.base.NamedAttacker.keeps_its_path`) if a limit that lets through every text on
the way to a success leaves the search as it is. Then such successes come out of a run under that limit letter for letter.
What a limit stops may still succeed on another way, which only a run can tell: so the share of successes is at least the one
told here. Of other attackers nothing can be told without a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from attacks.constraints.suspicion import SuspicionAtMost, limits
from attacks.engine.outcome import Outcome
from attacks.errors import AttackError
from attacks.results import Run, mean_of
from scoring.result import Estimate, Reason

METHOD = "mean over attacked examples; at least so much, as what the limit stops counts as a failure"


@dataclass(frozen=True, slots=True)
class Limit:
    """A rule of `SuspicionAtMost`: either ``tau`` or ``margin``."""

    tau: float | None = None
    margin: float | None = None

    def __post_init__(self) -> None:
        if (self.tau is None) == (self.margin is None):
            raise AttackError("a limit is either tau or a margin above the original")

    def __str__(self) -> str:
        return f"tau {self.tau:g}" if self.tau is not None else f"margin {self.margin:g}"


@dataclass(frozen=True, slots=True)
class Swept:
    """One limit. ``admitted``: the successes whose whole path it lets through; ``unscored``: those whose original has no score,
    which count as stopped. ``success`` and ``bodega`` are at least what a run under the limit has."""

    limit: Limit
    admitted: list[int]
    unscored: int
    success: Estimate
    bodega: Estimate

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self.limit) | {
            "admitted": self.admitted,
            "unscored": self.unscored,
            "success_at_least": self.success.as_dict(),
            "bodega_at_least": self.bodega.as_dict(),
        }


def sweep(run: Run, given: Sequence[Limit]) -> list[Swept]:
    """What each limit would have done to a run that has a suspicion constraint, best one that only observes.

    Raises `AttackError` if the run has none, or if it already refused what a limit would let through.
    """
    rule = next((each for each in run.header["constraints"] if each["name"] == SuspicionAtMost.name), None)
    if rule is None:
        raise AttackError("the run has no scores of suspicion; run it with --suspicion MODEL --observe")
    paths = {id: success.constraint_scores[SuspicionAtMost.name] for id, success in run.successes.items()}
    scored = {id: path for id, path in paths.items() if path[0] is not None}
    _check_nested(rule, given, np.array([path[0] for path in scored.values()], dtype=np.float64))
    return [_swept(run, limit, scored, len(paths) - len(scored)) for limit in given]


def _swept(run: Run, limit: Limit, paths: dict[int, list[float | None]], unscored: int) -> Swept:
    originals = np.array([path[0] for path in paths.values()], dtype=np.float64)
    allowed = limits(originals, limit.tau, limit.margin)
    # About a step without a score no run asks the constraint; the original, with which a path begins, is within any limit.
    highest = [max(score for score in path if score is not None) for path in paths.values()]
    admitted = [id for id, most, least in zip(paths, highest, allowed, strict=True) if most <= least]
    passed = set(admitted)
    shares = [(outcome, float(outcome.id in passed)) for outcome in run.attacked]
    bodega = {o.id: score.bodega for o, score in zip(run.outcomes, run.scores, strict=True) if score is not None}
    known = all(bodega[id] is not None for id in admitted)
    gains = [(outcome, (bodega[outcome.id] or 0.0) * share) for outcome, share in shares]
    no_scorer = Reason("no_semantic_scorer", "The run has no semantic scores, so there is no BODEGA score.")
    return Swept(
        limit,
        admitted,
        unscored,
        success=_at_least(run, shares),
        bodega=_at_least(run, gains) if known else Estimate(None, no_scorer, 0, METHOD),
    )


def _at_least(run: Run, values: Sequence[tuple[Outcome, float]]) -> Estimate:
    if not keeps_its_path(run):
        name = run.header["attacker"]["name"]
        message = f"What {name} finds also hangs on refused texts beside its path: only a run under the limit can tell."
        return Estimate(None, Reason("path_not_kept", message), 0, METHOD)
    originals = [outcome.original for outcome, _ in values]
    return mean_of([value for _, value in values], originals, int(run.header["seed"]), METHOD)


def keeps_its_path(run: Run) -> bool:
    """Whether the run's attacker says of itself that it keeps its path."""
    attacker = run.header["attacker"]
    return bool(attacker.get("made_of", attacker).get("keeps_its_path", False))


def _check_nested(rule: dict[str, Any], given: Sequence[Limit], originals: np.ndarray) -> None:
    if "tau" not in rule and "margin" not in rule:
        return
    own = Limit(rule.get("tau"), rule.get("margin"))
    for limit in given:
        if (limits(originals, limit.tau, limit.margin) > limits(originals, own.tau, own.margin)).any():
            raise AttackError(f"the run refused texts above its own {own}, so it cannot tell about {limit}; observe instead")
