"""How well scores tell two kinds apart: the area under the ROC curve, for items that share originals.

The interval is analytic: the structural components of DeLong, DeLong and Clarke-Pearson (Biometrics 1988) added up by cluster
(Obuchowski, "Nonparametric Analysis of Clustered ROC Curve Data", Biometrics 1997), on the logit scale so that it stays within
0 and 1.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import exp, log, sqrt
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoring.result import Estimate, Interval, Reason

from .bootstrap import LEVEL, cluster_sums

Floats = NDArray[np.float64]
METHOD: Final = "area under the ROC curve"
FEWEST_CLUSTERS: Final = 5
"""Of each kind, for an interval: the variance between fewer is a guess."""


def auc(
    positive: Sequence[bool],
    scores: Floats,
    *,
    clusters: Sequence[Hashable] | None = None,
    left_out: Mapping[str, int] | None = None,
) -> Estimate:
    """The chance that a positive item has a higher score than a negative one; equal scores count half.

    `scores` is [n], or [repeats, n] for repeated cross-validation: the value is then the mean over the repeats, and the interval
    is of that mean. Items of one cluster (variants of one original) are not taken for independent.
    """
    rows = np.atleast_2d(np.asarray(scores, dtype=float))
    is_positive = np.asarray(positive, dtype=bool)
    method = METHOD if len(rows) == 1 else f"{METHOD}, mean of {len(rows)} repeats"
    if not is_positive.any() or is_positive.all():
        reason = Reason("one_class", "All items are of one kind, so there is nothing to tell apart.")
        return Estimate(None, reason, len(is_positive), method, left_out or {})
    components = np.mean([_components(is_positive, row) for row in rows], axis=0)
    value = float(components[is_positive].mean())
    interval, missing = _interval(is_positive, components, value, clusters)
    return Estimate(value, None, len(is_positive), method, left_out or {}, interval=interval, no_interval=missing)


def _components(is_positive: NDArray[np.bool_], scores: Floats) -> Floats:
    """For each item the share of the other kind's items that are on the right side of it."""
    from scipy.stats import rankdata

    below = rankdata(scores)
    for kind in (is_positive, ~is_positive):
        below[kind] -= rankdata(scores[kind])
    positives = int(is_positive.sum())
    return np.where(is_positive, below / (len(scores) - positives), 1 - below / positives)


def _interval(
    is_positive: NDArray[np.bool_], components: Floats, value: float, clusters: Sequence[Hashable] | None
) -> tuple[Interval | None, Reason | None]:
    if value <= 0 or value >= 1:
        return None, Reason("no_overlap", "No interval: the scores of the two kinds do not overlap.")
    kinds = np.column_stack([is_positive, ~is_positive]).astype(float)
    sums = cluster_sums(np.hstack([kinds, kinds * (components - value)[:, None]]), clusters)
    holding = (sums[:, :2] > 0).sum(axis=0)
    if holding.min() < FEWEST_CLUSTERS:
        fewest = int(holding.min())
        return None, Reason("few_clusters", f"No interval: one kind stands in {fewest} independent groups of items only.")
    (m, n), (s, t) = sums[:, :2].sum(axis=0), sums[:, 2:].T
    own = holding / (holding - 1)
    both = len(sums) / (len(sums) - 1)
    variance = own[0] * (s @ s) / m**2 + own[1] * (t @ t) / n**2 + 2 * both * (s @ t) / (m * n)
    if variance <= 1e-12:
        return None, Reason("no_variance", "No interval: the scores do not vary.")
    width = NormalDist().inv_cdf((1 + LEVEL) / 2) * sqrt(variance) / (value * (1 - value))
    low, high = (1 / (1 + exp(min(700.0, -(log(value / (1 - value)) + sign * width)))) for sign in (-1, 1))
    how = f"Obuchowski's variance over {len(sums)} {'items' if clusters is None else 'clusters'}, on the logit scale"
    return Interval(low, high, how, LEVEL), None
