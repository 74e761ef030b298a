"""The BODEGA score fitted to what people decided: weights of its components and thresholds from which a text is accepted.

The plain score is the product of confusion, semantic and character score. The calibrated one is a product of their powers,
confusion^a · semantic^b · character^c, whose exponents are the weights of a logistic regression on the logarithms, none below 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scoring.judgements.auc import auc
from scoring.judgements.bootstrap import bootstrap_interval
from scoring.result import Estimate, Reason

from .model import DecidedPairs, Floats, Indices, grouped_folds

COMPONENTS: Final = ("confusion", "semantic", "character")
FEWEST: Final = 15
"""Decisions of each kind that a task needs."""
FEWEST_ORIGINALS: Final = 10
REPEATS: Final = 10
FOLDS: Final = 10
_FLOOR: Final = 1e-3
"""A component of 0 has no logarithm."""
_PENALTY: Final = 1e-3
_STEPS: Final = 20

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Weights and acceptance thresholds by component."""

    weights: Floats
    thresholds: Floats

    def score(self, components: Floats) -> Floats:
        """The product of powers, 0 to 1."""
        found: Floats = np.exp(_logs(components) @ self.weights)
        return found

    def accepts(self, components: Floats) -> Bools:
        found: Bools = np.all(components >= self.thresholds, axis=1)
        return found


def fit(components: Floats, preserved: Bools) -> Calibrated:
    """`components` is [n, 3], 0 to 1. A component that does not vary gets no weight and no threshold (0)."""
    return Calibrated(_weights(components, preserved), _thresholds(components, preserved))


def calibrate(data: DecidedPairs, components: Floats, *, seed: int = 0) -> dict[str, Any]:
    """One task's weights and thresholds, fitted to all decisions, and what they are worth on originals set apart.

    The plain score stands beside, with one threshold of its own, fitted alike. A reason where there is too little to fit.
    """
    counts = {
        "pairs": len(data.pairs),
        "preserved": int(data.preserved.sum()),
        "originals": data.originals,
    }
    if reason := _too_little(data):
        none = Estimate(None, reason, len(data.pairs), "grouped cross-validation").as_dict()
        return counts | {"weights": None, "thresholds": None} | dict.fromkeys(_RESULTS, none)
    groups = data.groups
    plain = components.prod(axis=1, keepdims=True)
    seeds = np.random.SeedSequence(seed).generate_state(REPEATS).tolist()
    scores = np.stack([_scored_apart(components, data.preserved, groups, one) for one in seeds])
    fitted = fit(components, data.preserved)
    varying = np.ptp(components, axis=0) > 0
    return counts | {
        "weights": _named(fitted.weights, varying),
        "thresholds": _named(fitted.thresholds, varying),
        "auc_plain": auc(data.preserved.tolist(), plain[:, 0], clusters=groups.tolist()).as_dict(),
        "auc_calibrated": auc(data.preserved.tolist(), scores, clusters=groups.tolist()).as_dict(),
        "accepted_rightly_plain": _accuracy(data, _accepted_apart(plain, data.preserved, groups, seeds[0])).as_dict(),
        "accepted_rightly_calibrated": _accuracy(data, _accepted_apart(components, data.preserved, groups, seeds[0])).as_dict(),
    }


_RESULTS: Final = ("auc_plain", "auc_calibrated", "accepted_rightly_plain", "accepted_rightly_calibrated")


def _too_little(data: DecidedPairs) -> Reason | None:
    kept = int(data.preserved.sum())
    other = len(data.pairs) - kept
    if not kept or not other:
        return Reason("one_class", "People decided alike on all pairs, so there is nothing to fit to.")
    if min(kept, other) < FEWEST:
        return Reason("too_few_decisions", f"{kept} preserved and {other} not: at least {FEWEST} of each are needed.")
    if data.originals < FEWEST_ORIGINALS:
        return Reason("too_few_originals", f"{data.originals} originals: at least {FEWEST_ORIGINALS} are needed.")
    return None


def _named(values: Floats, varying: Bools) -> dict[str, Any]:
    """By component; None where a component is the same in all pairs."""
    return {name: float(value) if varies else None for name, value, varies in zip(COMPONENTS, values, varying, strict=True)}


def _logs(components: Floats) -> Floats:
    logs: Floats = np.log(np.clip(components, _FLOOR, 1.0))
    return logs


def _weights(components: Floats, preserved: Bools) -> Floats:
    from scipy.optimize import minimize

    logs, sign = _logs(components), np.where(preserved, 1.0, -1.0)

    def loss(weights: Floats) -> tuple[float, Floats]:
        margins = sign * (logs @ weights[:-1] + weights[-1])
        slope = -sign / (1 + np.exp(np.clip(margins, -500, 500))) / len(sign)
        penalty = _PENALTY * weights[:-1]
        gradient = np.append(logs.T @ slope + penalty, slope.sum())
        return float(np.logaddexp(0, -margins).mean() + penalty @ weights[:-1] / 2), gradient

    size = components.shape[1]
    bounds = [(0, None) if np.ptp(logs[:, index]) > 0 else (0, 0) for index in range(size)]
    found = minimize(loss, np.zeros(size + 1), jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)])
    weights: Floats = found.x[:-1]
    return weights


def _thresholds(components: Floats, preserved: Bools) -> Floats:
    """Those with the highest balanced accuracy among quantiles of the components; the loosest of equals."""
    steps = [_candidates(column) for column in components.T]
    above = [column[None, :] >= step[:, None] for column, step in zip(components.T, steps, strict=True)]
    best, found = -1.0, np.zeros(components.shape[1])
    for places in product(*map(range, map(len, steps))):
        accepted = np.logical_and.reduce([rows[place] for rows, place in zip(above, places, strict=True)])
        value = _balanced(preserved, accepted)
        if value > best + 1e-12:
            best, found = value, np.array([step[place] for step, place in zip(steps, places, strict=True)])
    return found


def _candidates(column: Floats) -> Floats:
    """0, which accepts everything, and values between the least and the most."""
    if np.ptp(column) == 0:
        return np.zeros(1)
    found: Floats = np.unique(np.append(0.0, np.quantile(column, np.linspace(0, 1, _STEPS + 1)[1:-1])))
    return found


def _balanced(preserved: Bools, accepted: Bools) -> float:
    """The mean of: preserved ones accepted, others refused."""
    return float((accepted[preserved].mean() + (~accepted[~preserved]).mean()) / 2)


def _scored_apart(components: Floats, preserved: Bools, groups: Indices, seed: int) -> Floats:
    """Each pair's log-odds without the constant, by weights that were fitted without its original."""
    scores = np.zeros(len(components))
    for train, test in grouped_folds(groups, folds=FOLDS, seed=seed):
        scores[test] = _logs(components[test]) @ _weights(components[train], preserved[train])
    return scores


def _accepted_apart(components: Floats, preserved: Bools, groups: Indices, seed: int) -> Bools:
    accepted = np.zeros(len(components), dtype=bool)
    for train, test in grouped_folds(groups, folds=FOLDS, seed=seed):
        kinds = preserved[train]
        if kinds.all() or not kinds.any():
            accepted[test] = kinds[0]
        else:
            accepted[test] = (components[test] >= _thresholds(components[train], kinds)).all(axis=1)
    return accepted


def _accuracy(data: DecidedPairs, accepted: Bools) -> Estimate:
    kept = data.preserved
    contributions = np.column_stack([kept & accepted, kept, ~kept & ~accepted, ~kept]).astype(float)
    interval, missing = bootstrap_interval(
        contributions,
        lambda sums: (sums[:, 0] / sums[:, 1] + sums[:, 2] / sums[:, 3]) / 2,
        clusters=data.groups.tolist(),
    )
    method = "balanced accuracy of the acceptance, out of fold"
    return Estimate(_balanced(kept, accepted), None, len(kept), method, interval=interval, no_interval=missing)


def sorted_components(
    pairs: Sequence[tuple[str, str]], preserved: Sequence[bool], components: Floats
) -> tuple[DecidedPairs, Floats]:
    """Both in one order that does not hang on that of the rows."""
    order = sorted(range(len(pairs)), key=lambda index: (*pairs[index], bool(preserved[index]), *components[index].tolist()))
    data = DecidedPairs.of(pairs, preserved)
    return data, components[order]
