"""Means of groups whose observations share clusters, and tests of differences between them.

Variants of one original are not independent, so the error of a difference comes from what each original adds to it
(linearisation; Liang and Zeger, "Longitudinal data analysis using generalized linear models", 1986). Where each original has
one observation of either group this is the paired t-test; where the groups share none the error is Welch's, and the degrees of
freedom are those of the smaller group.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

import numpy as np
from scipy.special import fdtrc, stdtr, stdtrit

from scoring.result import Estimate, Interval, Reason, ScoringError

from .bootstrap import LEVEL, Floats

Observed = Mapping[str, Sequence[tuple[Hashable, float]]]
"""For each group its observations, each with the cluster from which it comes."""

_NOTHING: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two groups: mean of the first less mean of the second, the test of no difference, and its p with the correction."""

    first: str
    second: str
    difference: Estimate
    p_value: Estimate
    p_corrected: Estimate

    def as_dict(self) -> dict[str, Any]:
        return {
            "first": self.first,
            "second": self.second,
            "difference": self.difference.as_dict(),
            "p_value": self.p_value.as_dict(),
            "p_corrected": self.p_corrected.as_dict(),
        }


@dataclass(frozen=True, slots=True)
class CellMeans:
    """The mean of each group, and by how much each cluster [m] moves each of them [k]; `spread` counts clusters by group."""

    groups: tuple[str, ...]
    means: Floats
    influence: Floats
    spread: tuple[int, ...]
    n: tuple[int, ...]

    def contrast(self, weights: Sequence[float], *, null: float = 0.0) -> tuple[Estimate, Estimate]:
        """The weighted sum of means with its interval, and p of the two-sided t-test that it is `null`."""
        vector = np.asarray(weights, dtype=float)
        involved = [place for place, weight in enumerate(weights) if weight]
        n, clusters = sum(self.n[place] for place in involved), min(self.spread[place] for place in involved)
        value = float(vector @ self.means)
        error = float(np.sqrt(((self.influence @ vector) ** 2).sum()))
        where = f"errors clustered by original, {clusters - 1} degrees of freedom"
        test = f"p of the t-test, {where}"
        if clusters < 2 or error < _NOTHING:
            reason = _no_error(clusters)
            return Estimate(value, None, n, "difference of means", no_interval=reason), Estimate(None, reason, n, test)
        reach = float(stdtrit(clusters - 1, (1 + LEVEL) / 2)) * error
        interval = Interval(value - reach, value + reach, f"t, {where}", LEVEL)
        p = float(2 * stdtr(clusters - 1, -abs(value - null) / error))
        return Estimate(value, None, n, "difference of means", interval=interval), Estimate(p, None, n, test)

    def wald(self, weights: Floats) -> Estimate:
        """p of the test that all the weighted sums [r, k] of means are 0 at once."""
        involved = np.flatnonzero(np.abs(weights).sum(axis=0))
        n, clusters = int(sum(self.n[place] for place in involved)), min(self.spread[place] for place in involved)
        method = f"p of the Wald F-test, errors clustered by original, {len(weights)} and {clusters - 1} degrees of freedom"
        values, moved = weights @ self.means, self.influence @ weights.T
        covariance = moved.T @ moved
        if clusters < 2 or float(np.trace(covariance)) < _NOTHING:
            return Estimate(None, _no_error(clusters), n, method)
        if np.linalg.matrix_rank(covariance, hermitian=True) < len(weights):
            message = "Too few originals, or some without any spread, to test so many differences at once."
            return Estimate(None, Reason("too_few_clusters", message), n, method)
        statistic = float(values @ np.linalg.solve(covariance, values)) / len(weights)
        return Estimate(float(fdtrc(len(weights), clusters - 1, statistic)), None, n, method)


def cell_means(observed: Observed, weights: Mapping[str, Sequence[float]] | None = None) -> CellMeans:
    """ScoringError for a group without observations.

    `weights`, above 0, say how many others each observation of a group stands for: one over the probability with which it was
    drawn. The mean is then Hájek's ("Comment on an essay by D. Basu", 1971), and the error linearised likewise.
    """
    empty = [group for group, values in observed.items() if not values]
    if empty:
        raise ScoringError(f"There is no observation of {empty[0]!r}, so it has no mean.")
    numbers: dict[Hashable, int] = {}
    for values in observed.values():
        for cluster, _ in values:
            numbers.setdefault(cluster, len(numbers))
    means, spread = np.zeros(len(observed)), []
    influence = np.zeros((len(numbers), len(observed)))
    for place, (group, values) in enumerate(observed.items()):
        rows = np.array([numbers[cluster] for cluster, _ in values])
        numeric = np.array([value for _, value in values], dtype=float)
        weight = np.ones(len(values)) if weights is None else np.array(weights[group], dtype=float)
        means[place] = weight @ numeric / weight.sum()
        np.add.at(influence[:, place], rows, weight * (numeric - means[place]) / weight.sum())
        clusters = len(set(rows.tolist()))
        spread.append(clusters)
        influence[:, place] *= np.sqrt(clusters / max(1, clusters - 1))
    return CellMeans(tuple(observed), means, influence, tuple(spread), tuple(len(values) for values in observed.values()))


def compare_all(observed: Observed) -> list[Comparison]:
    """Every two groups, in their order. Paired yes-or-no answers, one of each original in both groups, get McNemar's exact test;
    all else the t-test with clustered errors. p-values are corrected by Holm's method over those that there are."""
    cells = cell_means(observed)
    shares = all(value in (0, 1) for values in observed.values() for _, value in values)
    found = []
    for one, other in combinations(range(len(cells.groups)), 2):
        weights = [float(place == one) - float(place == other) for place in range(len(cells.groups))]
        first, second = cells.groups[one], cells.groups[other]
        difference, p_value = cells.contrast(weights)
        if shares:
            difference = cut_off(difference, -1, 1)
        if pairs := _paired_yes_or_no(observed[first], observed[second]):
            p_value = _mcnemar(pairs)
        found.append(Comparison(first, second, difference, p_value, p_value))
    corrected = holm([comparison.p_value for comparison in found])
    return [replace(comparison, p_corrected=p) for comparison, p in zip(found, corrected, strict=True)]


def cut_off(estimate: Estimate, low: float, high: float) -> Estimate:
    """Nothing is beyond these ends, such as -1 and 1 for a difference of two shares; of few originals the interval may reach past
    them, and is cut off there."""
    interval = estimate.interval
    if interval is None or (interval.low >= low and interval.high <= high):
        return estimate
    ends = [f"{end:g}".replace("-", "\N{MINUS SIGN}") for end in (low, high)]
    method = f"{interval.method}, cut off at {ends[0]} and {ends[1]}"
    return replace(estimate, interval=Interval(max(interval.low, low), min(interval.high, high), method, interval.level))


def holm(p_values: Sequence[Estimate]) -> list[Estimate]:
    """Each p-value times the number of those not smaller, never below one before it, at most 1 (Holm, "A simple sequentially
    rejective multiple test procedure", 1979). What has no value stays as it is and is not counted."""
    there = sorted((p.value, place) for place, p in enumerate(p_values) if p.value is not None)
    corrected, largest = list(p_values), 0.0
    for rank, (value, place) in enumerate(there):
        largest = max(largest, min(1.0, value * (len(there) - rank)))
        method = f"{p_values[place].method}; Holm's correction for {len(there)}"
        corrected[place] = replace(p_values[place], value=largest, method=method)
    return corrected


def _paired_yes_or_no(
    first: Sequence[tuple[Hashable, float]], second: Sequence[tuple[Hashable, float]]
) -> list[tuple[float, float]]:
    """Both answers of each cluster; empty unless all are 0 or 1 and every cluster has one in either group."""
    one, other = dict(first), dict(second)
    if len(one) < len(first) or len(other) < len(second) or one.keys() != other.keys():
        return []
    if {*one.values(), *other.values()} - {0, 1}:
        return []
    return [(value, other[cluster]) for cluster, value in one.items()]


def _mcnemar(pairs: Sequence[tuple[float, float]]) -> Estimate:
    for_first, for_second = (sum(a > b for a, b in pairs), sum(a < b for a, b in pairs))
    method = f"p of McNemar's exact test, {for_first} against {for_second} originals that differ"
    if not for_first + for_second:
        return Estimate(None, Reason("no_difference", "No original differs between the two."), 2 * len(pairs), method)
    from scipy.stats import binomtest  # takes longer to load than all else that a web process loads

    p = float(binomtest(for_first, for_first + for_second).pvalue)
    return Estimate(p, None, 2 * len(pairs), method)


def _no_error(clusters: int) -> Reason:
    if clusters < 2:
        return Reason("one_cluster", "It takes two originals or more of each group to tell how much they vary.")
    return Reason("no_spread", "All originals say the same, so there is no spread to measure a difference by.")
