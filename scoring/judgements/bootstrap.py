"""Intervals by resampling whole clusters: variants of one original are not independent, so they are drawn together
(Davison and Hinkley, "Bootstrap Methods and their Application", 1997, sections 3.8 and 5.3)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoring.result import Interval, Reason, ScoringError

DRAWS: Final = 1000
LEVEL: Final = 0.95
_UNDEFINED_AT_MOST: Final = 0.05
_CELLS_AT_ONCE: Final = 4_000_000
_MEMBERS_OF_A_KIND: Final = 10
"""On average at least so many clusters of a kind, or they are drawn one by one."""

Floats = NDArray[np.float64]


def cluster_sums(contributions: Floats, clusters: Sequence[Hashable] | None) -> Floats:
    """The rows of `contributions` [n, k] added up by cluster [m, k], in order of first appearance."""
    if clusters is None:
        return contributions
    if len(clusters) != len(contributions):
        raise ScoringError(f"{len(contributions)} observations, but {len(clusters)} clusters were given for them.")
    numbers: dict[Hashable, int] = {}
    index = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
    sums = np.zeros((len(numbers), contributions.shape[1]))
    np.add.at(sums, index, contributions)
    return sums


def bootstrap_interval(
    contributions: Floats,
    statistic: Callable[[Floats], Floats],
    *,
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> tuple[Interval | None, Reason | None]:
    """Percentile interval of a statistic that is a function of sums over observations, or why there is none.

    `contributions` [n, k] holds what each observation adds; `statistic` maps sums [d, k] to d values, NaN where
    undefined. There is no interval if there are fewer than two clusters, if every draw gives the same value (which would
    feign certainty), or if more than one draw in twenty is undefined.
    """
    sums = cluster_sums(np.asarray(contributions, dtype=float), clusters)
    units = "observations" if clusters is None else "clusters"
    if len(sums) < 2:
        return None, _one_cluster(units)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = statistic(_resampled(sums, np.random.default_rng(seed), draws))
    return _between(values, f"percentile bootstrap, {draws} draws of {len(sums)} {units}, seed {seed}", level)


def weighted_bootstrap_interval(
    clusters: int,
    statistic: Callable[[Floats], Floats],
    *,
    seed: int = 0,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> tuple[Interval | None, Reason | None]:
    """As `bootstrap_interval`, for a statistic that does not follow from sums, such as one of ranks: it maps how often each of
    the clusters was drawn, float64 [d, clusters], to d values."""
    if clusters < 2:
        return None, _one_cluster("clusters")
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.concatenate([statistic(times) for times in _times_drawn(clusters, np.random.default_rng(seed), draws)])
    return _between(values, f"percentile bootstrap, {draws} draws of {clusters} clusters, seed {seed}", level)


def _one_cluster(units: str) -> Reason:
    return Reason("one_cluster", f"No interval: it takes two {units} or more to tell how much they vary.")


def _between(values: Floats, method: str, level: float) -> tuple[Interval | None, Reason | None]:
    """The percentiles of what the draws gave, or why there is no interval."""
    defined = values[np.isfinite(values)]
    if len(defined) < (1 - _UNDEFINED_AT_MOST) * len(values):
        share = 1 - len(defined) / len(values)
        return None, Reason("draws_undefined", f"No interval: {share:.0%} of the bootstrap draws leave it undefined.")
    if np.ptp(defined) < 1e-12:
        return None, Reason("draws_equal", "No interval: every bootstrap draw gives the same value.")
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), method, level), None


def _resampled(sums: Floats, rng: np.random.Generator, draws: int) -> Floats:
    """`draws` times the total of as many clusters, drawn with replacement: [draws, k].

    Many clusters add the same (items of a confusion table, for instance): how often each *kind* is drawn is multinomial, and
    drawing that is the same as drawing the clusters one by one, at a small part of the time.
    """
    size = len(sums)
    kinds, members = _kinds(sums)
    if len(kinds) <= size // _MEMBERS_OF_A_KIND:
        drawn: Floats = rng.multinomial(size, members / size, size=draws) @ kinds
        return drawn
    return np.concatenate([times @ sums for times in _times_drawn(size, rng, draws)])


def _times_drawn(size: int, rng: np.random.Generator, draws: int) -> Iterator[Floats]:
    """How often each of `size` clusters is drawn, [rows, size], in batches that fit into memory: `draws` rows in all."""
    batch = max(1, _CELLS_AT_ONCE // size)
    for start in range(0, draws, batch):
        rows = min(batch, draws - start)
        picked = rng.integers(size, size=(rows, size)) + np.arange(rows)[:, None] * size
        times = np.bincount(picked.ravel(), minlength=rows * size).reshape(rows, size)
        yield times.astype(float)


def _kinds(sums: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The rows that differ, in order, and how many there are of each.

    Rows are told apart by their bytes: `np.unique` over an axis compares number by number, which takes minutes for wide rows.
    """
    rows = np.ascontiguousarray(sums + 0.0)  # minus zero has other bytes than zero
    as_bytes = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    _, first, members = np.unique(as_bytes, return_index=True, return_counts=True)
    order = np.lexsort(rows[first].T[::-1])
    return rows[first[order]], members[order]
