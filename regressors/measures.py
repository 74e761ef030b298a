"""How well predictions follow labels: Pearson's r and root mean squared errors, with intervals that resample
originals (`scoring.correlation`)."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from scoring.correlation import Array, estimate_of_sums
from scoring.result import Estimate, Interval, Reason


def rmse(labels: Array, predictions: Array, groups: NDArray[np.int64], *, seed: int, method: str = "RMSE") -> Estimate:
    """Root mean squared error, in the unit of the labels."""
    squared = (predictions - labels) ** 2
    return estimate_of_sums(
        lambda sums: np.sqrt(sums[1] / sums[0]), np.stack([np.ones_like(squared), squared]), groups, seed, method
    )


def mae(labels: Array, predictions: Array, groups: NDArray[np.int64], *, seed: int) -> Estimate:
    """Mean absolute error, in the unit of the labels."""
    parts = np.stack([np.ones_like(predictions), np.abs(predictions - labels)])
    return estimate_of_sums(lambda sums: sums[1] / sums[0], parts, groups, seed, "mean absolute error")


def rmse_gain(labels: Array, predictions: Array, constants: Array, groups: NDArray[np.int64], *, seed: int) -> Estimate:
    """How much smaller the RMSE is than that of a constant; paired, so above 0 means better than the constant."""
    parts = np.stack([np.ones_like(predictions), (constants - labels) ** 2, (predictions - labels) ** 2])
    return estimate_of_sums(
        lambda sums: np.sqrt(sums[1] / sums[0]) - np.sqrt(sums[2] / sums[0]), parts, groups, seed, "RMSE gain"
    )


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
    interval, without = None, None
    if ceiling.interval.low <= 0:
        without = Reason("ceiling_may_be_zero", "The noise ceiling's interval reaches 0, so that the share could be any.")
    elif r.interval:
        bounds = ((r.interval.low, r.interval.high), (ceiling.interval.low, ceiling.interval.high))
        ratios = [of_r / of_ceiling for of_r, of_ceiling in product(*bounds)]
        interval = Interval(low=min(ratios), high=max(ratios), method="bounds of both, furthest apart (conservative)")
    return Estimate(value=r.value / ceiling.value, reason=None, n=r.n, method=method, interval=interval, no_interval=without)
