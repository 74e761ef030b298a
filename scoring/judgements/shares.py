"""The share of yes among yes and no."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from scoring.result import Estimate, Interval, Reason, ScoringError
from scoring.wording import counted

from .bootstrap import LEVEL, Floats, bootstrap_interval


def share(
    values: Sequence[bool],
    *,
    clusters: Sequence[Hashable] | None = None,
    left_out: Mapping[str, int] | None = None,
    seed: int = 0,
) -> Estimate:
    """The share of true values, 0 to 1, with Wilson's interval, or a bootstrap over `clusters` where they are given
    and repeat.

    If all values are equal, a bootstrap knows no spread; then Wilson's interval counts each cluster once.
    """
    method = "share"
    dropped = dict(left_out or {})
    if clusters is not None and len(clusters) != len(values):
        raise ScoringError(f"{len(values)} values, but {len(clusters)} clusters were given for them.")
    if len(values) == 0:
        return Estimate(None, Reason("empty", "There is nothing to take a share of."), 0, method, dropped)
    yes = int(sum(bool(value) for value in values))
    independent = len(values) if clusters is None else len(set(clusters))
    interval, missing = None, None
    if independent < len(values) and 0 < yes < len(values):
        contributions = np.array([[float(value), 1.0] for value in values])
        interval, missing = bootstrap_interval(contributions, ratio, clusters=clusters, seed=seed)
    else:
        interval = _wilson(yes / len(values), independent, "cluster" if independent < len(values) else "observation")
    return Estimate(yes / len(values), None, len(values), method, dropped, interval, no_interval=missing)


def ratio(sums: Floats) -> Floats:
    """First sum over second, for rows [d, 2]: the mean as a statistic of sums."""
    result: Floats = sums[:, 0] / sums[:, 1]
    return result


def _wilson(proportion: float, n: int, unit: str) -> Interval:
    from scipy.stats import binomtest  # takes longer to load than all else that a web process loads

    found = binomtest(round(proportion * n), n).proportion_ci(LEVEL, method="wilson")
    return Interval(float(found.low), float(found.high), f"Wilson, {counted(n, unit)}", LEVEL)
