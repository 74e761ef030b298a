"""Two pools of annotators, such as experts and a crowd: how each agrees within itself, and by how much they differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from scoring.result import Estimate, Reason, ScoringError

from .agreement import Clusters, Weights, check_labels, kappa_of, paired_answers
from .bootstrap import DRAWS, Floats, bootstrap_interval
from .items import named
from .pools import Alpha, Level, Rater, Units, check_level, undeclared_label
from .shares import ratio

AT_LEAST = 3
"""A deviation from the median is told of items that a pool judged so often."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One statistic in each pool, in the order of their names, and the first less the second."""

    pools: Mapping[str, Estimate]
    difference: Estimate

    def as_dict(self) -> dict[str, Any]:
        return {
            "pools": {pool: estimate.as_dict() for pool, estimate in self.pools.items()},
            "difference": self.difference.as_dict(),
        }


def compare_pools(
    units: Units[Rater],
    labels: Sequence[str],
    pool_of: Mapping[Rater, str],
    *,
    level: Level = "nominal",
    values: Sequence[float] | None = None,
    weights: Weights = None,
    clusters: Clusters = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> dict[str, Compared]:
    """ "kappa" (of the pool's first against its second answer to an item), "alpha" and "deviation" (mean distance from the median
    of the labels' `values`, their places unless given) of each pool, and their differences.

    Differences resample originals once for both pools, since both judged the same ones. ScoringError unless everybody belongs to
    one of two pools, or for an undeclared label.
    """
    check_labels(labels, len(units))
    check_level(level, labels, values)
    place = {label: index for index, label in enumerate(labels)}
    numbers = list(values if values is not None else range(len(labels)))
    pools = sorted(set(pool_of.values()))
    if clusters is not None and len(clusters) != len(units):
        raise ScoringError(f"There are {len(units)} items, but {len(clusters)} clusters.")
    if len(pools) != 2:
        raise ScoringError(f"Two pools are compared, not {len(pools)}.")
    answers: dict[str, list[list[int]]] = {pool: [[] for _ in units] for pool in pools}
    for row, unit in enumerate(units):
        for rater, label in unit.items():
            if label not in place:
                raise ScoringError(undeclared_label(label, labels))
            answers[named(pool_of, rater, "pool")][row].append(place[label])
    statistics = _statistics([given for own in answers.values() for given in own], level, numbers, weights)
    return {key: _compare(answers, statistic, clusters, seed, draws) for key, statistic in statistics.items()}


Given = Sequence[int]
"""The answers of one pool to one item, as places of labels, in the order in which they were given."""


@dataclass(frozen=True, slots=True)
class _Statistic:
    """`of` items with at least so many `answers`, of which there must be so many `items`: what each adds, a row of numbers."""

    name: str
    answers: int
    items: int
    of: Callable[[Sequence[Given]], Floats]
    value: Callable[[Floats], Floats]


def _statistics(answers: Sequence[Given], level: Level, numbers: Sequence[float], weights: Weights) -> dict[str, _Statistic]:
    size = len(numbers)

    def firsts(items: Sequence[Given]) -> Floats:
        first, second = np.array([given[:2] for given in items], dtype=np.int64).reshape(-1, 2).T
        return paired_answers(first, second, size, weights)

    def counts(items: Sequence[Given]) -> Floats:
        rows = np.zeros((len(items), size))
        for row, given in zip(rows, items, strict=True):
            np.add.at(row, list(given), 1.0)
        return rows

    def deviations(items: Sequence[Given]) -> Floats:
        rows = np.ones((len(items), 2))
        for row, given in zip(rows, items, strict=True):
            scores = [numbers[label] for label in given]
            middle = median(scores)
            row[0] = sum(abs(score - middle) for score in scores) / len(scores)
        return rows

    alpha = Alpha.of(counts(answers), level, numbers)

    kappa = "Cohen's kappa, first against second answer of the pool" + (f", {weights} weights" if weights else "")
    distance = f"mean deviation from the median, items judged at least {AT_LEAST} times"
    return {
        "kappa": _Statistic(kappa, 2, 2, firsts, lambda sums: kappa_of(sums, weights)),
        "alpha": _Statistic(
            f"Krippendorff's alpha, {level}", 2, 2, lambda items: alpha.contributions(counts(items)), alpha.of_sums
        ),
        "deviation": _Statistic(distance, AT_LEAST, 1, deviations, ratio),
    }


def _compare(
    answers: Mapping[str, Sequence[Given]], statistic: _Statistic, clusters: Clusters, seed: int, draws: int
) -> Compared:
    rows = {pool: _rows(given, statistic) for pool, given in answers.items()}
    found = {pool: _of_pool(rows[pool], answers[pool], statistic, clusters, seed, draws) for pool in rows}
    (first, one), (second, other) = found.items()
    # Items that both judged are the same ones, so they count once.
    n = sum(max(map(len, given)) >= statistic.answers for given in zip(*answers.values(), strict=True))
    method = f"difference of {statistic.name}; items that either pool judged"
    if one.value is None or other.value is None:
        missing = first if one.value is None else second
        reason = Reason("no_value", f"There is no value for {missing} to take a difference of.")
        return Compared(found, Estimate(None, reason, n, method))

    def difference(sums: Floats) -> Floats:
        return np.subtract(*map(statistic.value, np.split(sums, 2, axis=1)))

    both = np.hstack([rows[first], rows[second]])
    interval, none = bootstrap_interval(both, difference, clusters=clusters, seed=seed, draws=draws)
    return Compared(found, Estimate(one.value - other.value, None, n, method, interval=interval, no_interval=none))


def _rows(answers: Sequence[Given], statistic: _Statistic) -> Floats:
    """What every item adds: nothing where it has too few answers."""
    used = np.array([len(given) >= statistic.answers for given in answers], dtype=bool)
    own = statistic.of([given for given in answers if len(given) >= statistic.answers])
    rows = np.zeros((len(answers), own.shape[1]))
    rows[used] = own
    return rows


def _of_pool(
    rows: Floats, answers: Sequence[Given], statistic: _Statistic, clusters: Clusters, seed: int, draws: int
) -> Estimate:
    used = [place for place, given in enumerate(answers) if len(given) >= statistic.answers]
    n, name = len(used), statistic.name
    left_out = {"judged too rarely by this pool": len(rows) - n} if n < len(rows) else {}
    if n == 0:
        return Estimate(None, Reason("no_common_item", "No item has enough answers from this pool."), 0, name, left_out)
    if n < statistic.items:
        return Estimate(None, Reason("one_item", "One item cannot tell agreement from chance."), n, name, left_out)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(statistic.value(rows.sum(axis=0, keepdims=True))[0])
    if not np.isfinite(value):
        reason = Reason("one_label", f"This pool used one label, so {name} is undefined.")
        return Estimate(None, reason, n, name, left_out)
    groups = None if clusters is None else [clusters[place] for place in used]
    interval, missing = bootstrap_interval(rows[used], statistic.value, clusters=groups, seed=seed, draws=draws)
    return Estimate(value, None, n, name, left_out, interval, no_interval=missing)
