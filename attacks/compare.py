"""Two runs side by side, usually without and with the suspicion constraint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attacks.constraints.suspicion import SuspicionModel
from attacks.errors import AttackError
from attacks.results import Run, mean_of
from attacks.set_aside import SetAside, set_aside, suspicion_of
from scoring.result import Estimate, Reason


@dataclass(frozen=True, slots=True)
class Side:
    """One run: its means over attacked examples, the predicted suspicion of its successes, and how many of those are set
    aside (they are still counted in ``success`` and ``bodega``; ``success_kept`` leaves them out)."""

    success: Estimate
    success_kept: Estimate
    bodega: Estimate
    queries: Estimate
    suspicion: Estimate
    set_aside: int

    def as_dict(self) -> dict[str, Any]:
        parts = {name: getattr(self, name) for name in ("success", "success_kept", "bodega", "queries", "suspicion")}
        return {name: estimate.as_dict() for name, estimate in parts.items()} | {"set_aside": self.set_aside}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs over the same originals.

    The paired figures are over the examples on which both succeed: mean predicted suspicion in each run, the difference
    (second minus first), and how many texts came out lower, equal or higher in the second. ``to_lower`` counts the first
    run's successes above the second's tau, ``brought_under`` those of them that the second run attacks with success at or
    below tau; both are None if the second run has no suspicion constraint with a tau.
    """

    first: Side
    second: Side
    paired_first: Estimate
    paired_second: Estimate
    paired_difference: Estimate
    lowered: int
    equal: int
    raised: int
    tau: float | None
    to_lower: int | None
    brought_under: int | None
    model_sha256: str | None

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        paired = {name: getattr(self, f"paired_{name}").as_dict() for name in ("first", "second", "difference")}
        counts = {name: getattr(self, name) for name in ("lowered", "equal", "raised", "tau", "to_lower", "brought_under")}
        sides = {"first": self.first.as_dict(), "second": self.second.as_dict()}
        return sides | {"paired": paired} | counts | {"model_sha256": self.model_sha256}


def compare(run_a: Run, run_b: Run, model: SuspicionModel) -> Comparison:
    """Compare two runs by a suspicion model. Raises `AttackError` if they attacked other originals."""
    if [(o.id, o.original) for o in run_a.outcomes] != [(o.id, o.original) for o in run_b.outcomes]:
        raise AttackError("the two runs attacked different texts, so they cannot be compared example by example")
    aside_a, aside_b = (set_aside(run.outcomes, suspicion_of(run.outcomes, model, run.header)) for run in (run_a, run_b))
    both = sorted(aside_a.suspicion.keys() & aside_b.suspicion.keys())
    a = np.array([aside_a.suspicion[id][1] for id in both])
    b = np.array([aside_b.suspicion[id][1] for id in both])
    originals = [run_a.successes[id].original for id in both]
    method = "mean over examples on which both runs succeed"
    tau = _tau_of(run_b)
    high = [] if tau is None else [id for id, (_, after) in aside_a.suspicion.items() if after > tau]
    under = [id for id in high if id in aside_b.suspicion and aside_b.suspicion[id][1] <= (tau or 0.0)]
    seed = int(run_b.header["seed"])
    return Comparison(
        first=_side(run_a, aside_a),
        second=_side(run_b, aside_b),
        paired_first=mean_of(a.tolist(), originals, seed, method),
        paired_second=mean_of(b.tolist(), originals, seed, method),
        paired_difference=mean_of((b - a).tolist(), originals, seed, method),
        lowered=int((b < a).sum()),
        equal=int((b == a).sum()),
        raised=int((b > a).sum()),
        tau=tau,
        to_lower=None if tau is None else len(high),
        brought_under=None if tau is None else len(under),
        model_sha256=model.sha256,
    )


def _side(run: Run, aside: SetAside) -> Side:
    attacked, seed = run.attacked, int(run.header["seed"])
    originals = [outcome.original for outcome in attacked]
    kept = {outcome.id for outcome in aside.kept}
    successes = run.successes
    return Side(
        success=mean_of([float(outcome.succeeded) for outcome in attacked], originals, seed),
        success_kept=mean_of([float(outcome.id in kept) for outcome in attacked], originals, seed),
        bodega=_bodega(run, originals, seed),
        queries=mean_of([float(outcome.queries.asked) for outcome in attacked], originals, seed),
        suspicion=mean_of(
            [after for _, after in aside.suspicion.values()],
            [successes[id].original for id in aside.suspicion],
            seed,
            "mean over successes",
        ),
        set_aside=len(aside.set_aside),
    )


def _bodega(run: Run, originals: Sequence[str], seed: int) -> Estimate:
    scores = [score.bodega for score in run.scores if score is not None]
    known = [score for score in scores if score is not None]
    if len(known) < len(scores):
        reason = Reason("no_semantic_scorer", "The run has no semantic scores, so there is no BODEGA score.")
        return Estimate(None, reason, 0, "mean over attacked examples")
    return mean_of(known, originals, seed)


def _tau_of(run: Run) -> float | None:
    return next((c["tau"] for c in run.header["constraints"] if c["name"] == "suspicion" and "tau" in c), None)
