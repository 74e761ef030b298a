"""Spearman's rank correlation of predictions and labels of many texts (Spearman 1904), with an interval that resamples originals.

As in `scoring.correlation`, predictions come as [repeats, n], and the measure is the mean over the repetitions.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from scoring.correlation import Array, few_originals, no_correlation
from scoring.judgements.bootstrap import weighted_bootstrap_interval
from scoring.result import Estimate

Ranks = Callable[[Array], Array]


def spearman(labels: Array, predictions: Array, groups: NDArray[np.int64], *, seed: int) -> Estimate:
    """Between labels [n] and predictions [repeats, n]; equal values share the mean of their ranks. Each draw of the bootstrap is
    ranked anew: ranks of the whole would hide that they are estimated too."""
    repeats, n = predictions.shape
    method = "Spearman's rank correlation" + ("" if repeats == 1 else f", mean of {repeats} repetitions")
    if reason := no_correlation(labels, predictions):
        return Estimate(value=None, reason=reason, n=n, method=method)
    of_labels, of_predictions = _ranks_of(labels), [_ranks_of(row) for row in predictions]
    originals, member_of = np.unique(groups, return_inverse=True)

    def of_draw(times: Array) -> float:
        weights = times[member_of]
        ranked = of_labels(weights)
        return float(np.mean([_correlation(weights, ranked, ranks(weights)) for ranks in of_predictions]))

    value = of_draw(np.ones(len(originals)))
    if reason := few_originals(groups):
        return Estimate(value=value, reason=None, n=n, method=method, no_interval=reason)
    # One by one: the texts of some hundred draws of few large originals would not fit into memory.
    interval, missing = weighted_bootstrap_interval(
        len(originals), lambda draws: np.array([of_draw(times) for times in draws]), seed=seed
    )
    return Estimate(value=value, reason=None, n=n, method=method, interval=interval, no_interval=missing)


def _ranks_of(values: Array) -> Ranks:
    """What maps how often each value stands in a sample, [n], to its rank there less the mean rank, [n]."""
    distinct, place = np.unique(values, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(len(distinct)))

    def ranks(weights: Array) -> Array:
        of_each = np.add.reduceat(weights[order], starts)
        middles = np.cumsum(of_each) - of_each / 2
        centred: Array = (middles - weights.sum() / 2)[place]
        return centred

    return ranks


def _correlation(weights: Array, one: Array, other: Array) -> float:
    """NaN where a draw holds equal values only."""
    weighted = weights * one
    with np.errstate(divide="ignore", invalid="ignore"):
        result = (weighted @ other) / np.sqrt((weighted @ one) * ((weights * other) @ other))
    return float(np.clip(result, -1, 1))
