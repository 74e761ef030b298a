"""Pearson's r, and whatever else tells from sums how predictions follow labels, with intervals that resample originals.

Predictions come as [repeats, n]: one row per repetition of a cross-validation; a measure is the mean over the rows.
Intervals are percentile bootstraps (Efron and Tibshirani 1993) clustered by original, since variants of one original
are not independent. All measures follow from sums, so a resample is a weighted sum of each original's sums.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoring.judgements.bootstrap import bootstrap_interval
from scoring.result import Estimate, Reason

Array = NDArray[np.float64]
FEWEST_TEXTS: Final = 3
FEWEST_ORIGINALS_FOR_INTERVAL: Final = 5
_TINY: Final = 1e-12


def pearson(labels: Array, predictions: Array, groups: NDArray[np.int64], *, seed: int) -> Estimate:
    """Pearson's r between labels [n] and predictions [repeats, n]."""
    method = "Pearson r"
    if reason := no_correlation(labels, predictions):
        return Estimate(value=None, reason=reason, n=len(labels), method=method)
    return estimate_of_sums(r_from_sums, parts_of_r(labels, predictions), groups, seed, method)


def parts_of_r(labels: Array, predictions: Array) -> Array:
    """What labels [n] and predictions [repeats, n] add to the sums that r follows from: [6, repeats, n]."""
    y = np.broadcast_to(_centred(labels[None]), predictions.shape)
    p = _centred(predictions)
    return np.stack([np.ones_like(p), y, p, y * y, p * p, y * p])


def r_from_sums(sums: Array) -> Array:
    """r from sums [6, ...] of `parts_of_r`; NaN where labels or predictions do not vary."""
    n, y, p, yy, pp, yp = sums
    variance_y, variance_p = yy - y * y / n, pp - p * p / n
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (yp - y * p / n) / np.sqrt(variance_y * variance_p)
    return np.where((variance_y > _TINY * n) & (variance_p > _TINY * n), np.clip(r, -1, 1), np.nan)


def no_correlation(labels: Array, predictions: Array) -> Reason | None:
    """Why labels [n] and predictions [repeats, n] have none, if so."""
    if len(labels) < FEWEST_TEXTS:
        return Reason("too_few_texts", f"r needs at least {FEWEST_TEXTS} texts; there are {len(labels)}.")
    if np.ptp(labels) == 0:
        return Reason("constant_labels", "All texts have the same score, so r is undefined.")
    if (np.ptp(predictions, axis=1) <= _TINY * np.abs(predictions).max(axis=1)).any():
        return Reason("constant_predictions", "All predictions are the same, so r is undefined.")
    return None


def few_originals(groups: NDArray[np.int64]) -> Reason | None:
    """Why so many originals are not resampled for an interval, if so."""
    if (originals := len(np.unique(groups))) < FEWEST_ORIGINALS_FOR_INTERVAL:
        return Reason("few_originals", f"No interval: {originals} originals are too few for one.")
    return None


def estimate_of_sums(
    measure: Callable[[Array], Array], parts: Array, groups: NDArray[np.int64], seed: int, method: str
) -> Estimate:
    """The mean over the repetitions of `measure`, which maps sums [parts, ...] of `parts` [parts, repeats, n] to [...]."""
    n_parts, repeats, n = parts.shape

    def of_sums(sums: Array) -> Array:
        return measure(np.moveaxis(sums.reshape(-1, n_parts, repeats), 1, 0)).mean(axis=1)

    contributions = parts.reshape(n_parts * repeats, n).T
    interval, missing = bootstrap_interval(contributions, of_sums, clusters=groups.tolist(), seed=seed)
    if reason := few_originals(groups):
        interval, missing = None, reason
    return Estimate(
        value=float(of_sums(contributions.sum(axis=0))[0]),
        reason=None,
        n=n,
        method=method if repeats == 1 else f"{method}, mean of {repeats} repetitions",
        interval=interval,
        no_interval=missing,
    )


def _centred(rows: Array) -> Array:
    """Each row less its mean, so that the sums lose no digits, in units of its largest deviation: r does not hang on the unit."""
    _, exponents = np.frexp(np.abs(rows).max(axis=1, keepdims=True))
    scaled = np.ldexp(rows, -exponents)  # by a power of two, which rounds nothing
    deviations = scaled - scaled.mean(axis=1, keepdims=True)
    result: Array = deviations / np.abs(deviations).max(axis=1, keepdims=True)
    return result
