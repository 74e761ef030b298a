"""The constraint robustness curve and its summary, ACCS (Morris 2020, section 3).

At each threshold of a constraint stand two rates: how often the victim is attacked with success under the constraint (first
order), and how often the constraint itself is: it lets through texts that it should not (second order). A good constraint
lets first-order examples in long before second-order ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from attacks.errors import AttackError
from scoring.judgements.bootstrap import bootstrap_interval
from scoring.result import Estimate, Reason

Loosest = Literal["lowest", "highest"]
METHOD: Final = (
    "area under the constraint robustness curve by trapezoids, over the product of both rates at the loosest threshold"
)


@dataclass(frozen=True, eq=False)
class Curve:
    """Thresholds from the strictest to the loosest, and both rates there, float64 [n], which only rise.

    A looser threshold lets through all that a stricter one does, so where a search found less, its rate is that of the
    stricter one (monotone envelope).
    """

    thresholds: NDArray[np.float64]
    first: NDArray[np.float64]
    second: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.thresholds)


def curve_of(
    thresholds: Sequence[float], first: Sequence[float], second: Sequence[float], *, loosest: Loosest | None = None
) -> Curve:
    """The curve of rates (0 or more, of any unit) at distinct thresholds, given in any order.

    ``loosest`` says which end of the thresholds lets most through: the lowest for a similarity that must be reached, the
    highest for a suspicion that must not be exceeded. Left out, it is the end at which the rates add up to more. Raises
    `AttackError` for fewer than two thresholds, a threshold given twice, a rate below 0, or rates that do not tell the ends
    apart.
    """
    points = np.array([thresholds, first, second], dtype=np.float64)
    if points.shape[1] < 2:
        raise AttackError("a curve needs two thresholds or more")
    if (points[1:] < 0).any():
        raise AttackError("a rate must not be negative")
    points = points[:, np.argsort(points[0], kind="stable")]
    if (np.diff(points[0]) == 0).any():
        twice = points[0][:-1][np.diff(points[0]) == 0][0]
        raise AttackError(f"the threshold {twice:g} is there twice")
    if (loosest or _loosest(points)) == "lowest":
        points = points[:, ::-1]
    return Curve(points[0], np.maximum.accumulate(points[1]), np.maximum.accumulate(points[2]))


def _loosest(points: NDArray[np.float64]) -> Loosest:
    lowest, highest = points[1:, 0].sum(), points[1:, -1].sum()
    if lowest == highest:
        raise AttackError("the rates are the same at the lowest and at the highest threshold; say which is the loosest")
    return "lowest" if lowest > highest else "highest"


def accs(curve: Curve) -> Estimate:
    """ACCS, 0 to 1: the area under first-order over second-order rates, divided by both at the loosest threshold.

    1 if all first-order examples are let in before any of second order, 0 if the other way round, 0.5 if both rise alike.
    Between two thresholds the curve is straight; left of the strictest one nothing is counted. There is no value where one
    of the rates stays 0. A curve alone has no interval: that takes the examples behind its rates.
    """
    first, second = curve.first[-1], curve.second[-1]
    if second == 0:
        reason = Reason("no_second_order_examples", "No second-order example was found, so nothing fooled the constraint.")
        return Estimate(None, reason, len(curve), METHOD)
    if first == 0:
        reason = Reason("no_first_order_examples", "No first-order example was found, so there is nothing to weigh against.")
        return Estimate(None, reason, len(curve), METHOD)
    only_rates = Reason("only_rates", "An interval takes the examples behind the rates; the curve holds rates only.")
    return Estimate(float(_share(curve.first, curve.second)), None, len(curve), METHOD, no_interval=only_rates)


def accs_of_examples(
    first: NDArray[np.bool_], second: NDArray[np.bool_], *, clusters: Sequence[Hashable] | None = None, seed: int = 0
) -> Estimate:
    """ACCS with its interval, from what came of each example: bool [n, thresholds], the strictest threshold first.

    ``first`` says whether the victim was attacked with success under the constraint, ``second`` whether the constraint was.
    The interval draws examples (or ``clusters`` of them) again with both of their rows.
    """
    curve = Curve(
        np.arange(first.shape[1], dtype=np.float64), *(np.maximum.accumulate(each.mean(axis=0)) for each in (first, second))
    )
    found = replace(accs(curve), n=len(first))
    if found.value is None:
        return found

    def of_sums(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        rising = (np.maximum.accumulate(half, axis=1) for half in np.split(sums, 2, axis=1))
        return _share(*rising)

    counted = np.hstack([first, second]).astype(np.float64)
    interval, missing = bootstrap_interval(counted, of_sums, clusters=clusters, seed=seed)
    return replace(found, interval=interval, no_interval=missing)


def _share(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """The area over the product of the ends, along the last axis; NaN where an end is 0."""
    area = np.trapezoid(first, second, axis=-1)
    ends = first[..., -1] * second[..., -1]
    share: NDArray[np.float64] = np.divide(area, ends, out=np.full_like(area, np.nan), where=ends > 0)
    return share
