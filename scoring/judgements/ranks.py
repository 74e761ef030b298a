"""Rank correlation of two figures over a few groups (attackers, teams): Spearman 1904, Kendall's tau-b 1945."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.result import Estimate, Reason

from .bootstrap import Floats

SPEARMAN, KENDALL = "Spearman's rank correlation", "Kendall's tau-b"


def spearman(first: Floats, second: Floats) -> Floats:
    """Of each row [d, k]; NaN where one of the two has all values equal. Equal values share the mean of their ranks."""
    one, other = _signs(first).sum(axis=2), _signs(second).sum(axis=2)
    return _correlation(one, other)


def kendall(first: Floats, second: Floats) -> Floats:
    """Of each row [d, k]; NaN where one of the two has all values equal."""
    return _correlation(*(_signs(values).reshape(len(values), -1) for values in (first, second)))


def spearman_of(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> Estimate:
    """Spearman's correlation of two lists of figures, or why there is none."""
    one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if reason := no_rank_correlation(one, other):
        return Estimate(None, reason, len(one), SPEARMAN)
    return Estimate(float(spearman(one[None], other[None])[0]), None, len(one), SPEARMAN)


def no_rank_correlation(first: Floats, second: Floats) -> Reason | None:
    """Why the two have no rank correlation, if so."""
    if len(first) < 3:
        return Reason("too_few", "Two or fewer are always in the same or in opposite order.")
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return Reason("all_equal", "All have the same value, so there is no order.")
    return None


def places(values: Sequence[float]) -> list[int]:
    """The place of each value, the highest first; equal values share a place, and the one after them is left empty."""
    return [1 + sum(other > value for other in values) for value in values]


def _signs(values: Floats) -> Floats:
    """For each row, which of two values is larger, for every two. What differs only by rounding is equal."""
    difference = values[:, :, None] - values[:, None, :]
    rounding = 1e-12 * np.abs(values).max(axis=1, initial=0.0)[:, None, None]
    result: Floats = np.sign(np.where(np.abs(difference) <= rounding, 0.0, difference))
    return result


def _correlation(one: Floats, other: Floats) -> Floats:
    """The correlation of each row of two that have the mean 0."""
    result: Floats = (one * other).sum(axis=1) / np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    return result
