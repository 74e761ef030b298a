"""How well predictions follow labels: Pearson's r and root mean squared errors, with intervals that resample originals.

Predictions come as [repeats, n]: one row per repetition of the cross-validation; a measure is the mean over the rows.
Intervals are percentile bootstraps (Efron and Tibshirani 1993) clustered by original, since variants of one original
are not independent. All measures follow from sums, so a resample is a weighted sum of each original's sums.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoring.judgements.bootstrap import bootstrap_interval
from scoring.result import Estimate, Interval, Reason

Array = NDArray[np.float64]
FEWEST_TEXTS: Final = 3
FEWEST_ORIGINALS_FOR_INTERVAL: Final = 5
_TINY: Final = 1e-12


def pearson(labels: Array, predictions: Array, groups: NDArray[np.int64], *, seed: int) -> Estimate:
    """Pearson's r between labels [n] and predictions [repeats, n]."""
    method = "Pearson r"
    if len(labels) < FEWEST_TEXTS:
        return _none("too_few_texts", f"r needs at least {FEWEST_TEXTS} texts; there are {len(labels)}.", labels, method)
    if np.ptp(labels) == 0:
        return _none("constant_labels", "All texts have the same score, so r is undefined.", labels, method)
    if (np.ptp(predictions, axis=1) < _TINY).any():
        return _none("constant_predictions", "All predictions are the same, so r is undefined.", labels, method)
    # Centred first, so that the sums lose no digits.
    y = np.broadcast_to(labels - labels.mean(), predictions.shape)
    p = predictions - predictions.mean(axis=1, keepdims=True)
    parts = np.stack([np.ones_like(p), y, p, y * y, p * p, y * p])
    return _estimate(_r_from_sums, parts, groups, seed, method)


def rmse(labels: Array, predictions: Array, groups: NDArray[np.int64], *, seed: int, method: str = "RMSE") -> Estimate:
    """Root mean squared error, in the unit of the labels."""
    squared = (predictions - labels) ** 2
    return _estimate(lambda sums: np.sqrt(sums[1] / sums[0]), np.stack([np.ones_like(squared), squared]), groups, seed, method)


def rmse_gain(labels: Array, predictions: Array, constants: Array, groups: NDArray[np.int64], *, seed: int) -> Estimate:
    """How much smaller the RMSE is than that of a constant; paired, so above 0 means better than the constant."""
    parts = np.stack([np.ones_like(predictions), (constants - labels) ** 2, (predictions - labels) ** 2])
    return _estimate(lambda sums: np.sqrt(sums[1] / sums[0]) - np.sqrt(sums[2] / sums[0]), parts, groups, seed, "RMSE gain")


def share_of_ceiling(r: Estimate, ceiling: Estimate) -> Estimate:
    """r divided by the noise ceiling; the interval takes the bounds that lie furthest apart."""
    method = "r / noise ceiling"
    for part, name in ((r, "r"), (ceiling, "noise ceiling")):
        if part.reason is not None:
            return Estimate(
                value=None, reason=Reason(part.reason.code, f"No {name}: {part.reason.message}"), n=r.n, method=method
            )
    assert r.value is not None
    assert ceiling.value is not None
    if ceiling.value <= 0:
        reason = Reason("no_ceiling_above_zero", "The judgements of one text agree no better than chance.")
        return Estimate(value=None, reason=reason, n=r.n, method=method)
    if ceiling.interval is None:
        reason = Reason(
            "ceiling_uncertain", f"Only {ceiling.n} texts were judged at least twice, too few for a ceiling to divide by."
        )
        return Estimate(value=None, reason=reason, n=r.n, method=method)
    interval = None
    if r.interval and ceiling.interval.low > 0:
        bounds = ((r.interval.low, r.interval.high), (ceiling.interval.low, ceiling.interval.high))
        ratios = [of_r / of_ceiling for of_r, of_ceiling in product(*bounds)]
        interval = Interval(low=min(ratios), high=max(ratios), method="bounds of both, furthest apart (conservative)")
    return Estimate(value=r.value / ceiling.value, reason=None, n=r.n, method=method, interval=interval)


def _r_from_sums(sums: Array) -> Array:
    n, y, p, yy, pp, yp = sums
    variance_y, variance_p = yy - y * y / n, pp - p * p / n
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (yp - y * p / n) / np.sqrt(variance_y * variance_p)
    return np.where((variance_y > _TINY * n) & (variance_p > _TINY * n), np.clip(r, -1, 1), np.nan)


def _estimate(measure: Callable[[Array], Array], parts: Array, groups: NDArray[np.int64], seed: int, method: str) -> Estimate:
    """The mean over the repetitions of `measure`, which maps sums [parts, ...] of `parts` [parts, repeats, n] to [...]."""
    n_parts, repeats, n = parts.shape

    def of_sums(sums: Array) -> Array:
        return measure(np.moveaxis(sums.reshape(-1, n_parts, repeats), 1, 0)).mean(axis=1)

    contributions = parts.reshape(n_parts * repeats, n).T
    interval, missing = bootstrap_interval(contributions, of_sums, clusters=groups.tolist(), seed=seed)
    if (originals := len(np.unique(groups))) < FEWEST_ORIGINALS_FOR_INTERVAL:
        interval, missing = None, Reason("few_originals", f"No interval: {originals} originals are too few for one.")
    return Estimate(
        value=float(of_sums(contributions.sum(axis=0))[0]),
        reason=None,
        n=n,
        method=method if repeats == 1 else f"{method}, mean of {repeats} repetitions",
        interval=interval,
        no_interval=missing,
    )


def _none(code: str, message: str, labels: Array, method: str) -> Estimate:
    return Estimate(value=None, reason=Reason(code, message), n=len(labels), method=method)
