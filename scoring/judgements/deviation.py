"""Average deviation from the median: how far apart several people's judgements of one item are.

Burke, Finkelstein and Dusig, "On average deviation indices for estimating interrater agreement", Organizational
Research Methods 1999; used for suspicion by Tonni, Faustini and Dras, 2024. 0 is full agreement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from scoring.result import Estimate, Reason

from .bootstrap import bootstrap_interval
from .items import Item, Scores, check_scores, clusters_of, items_by_variant
from .shares import ratio

METHOD = "mean over items of the average deviation from the item's median"


@dataclass(frozen=True, slots=True)
class VariantDeviation:
    """One variant: items used, how many of them have which sum of deviations C·δ, and the mean δ."""

    variant: str
    n: int
    counts: Mapping[int, int]
    mean: Estimate


@dataclass(frozen=True, slots=True)
class DeviationReport:
    """δ over all items and by variant. `sums` are the columns of the table, 0 to the largest C·δ that occurs; C·δ is
    whole, since deviations of whole scores from their median add up to a whole number."""

    overall: Estimate
    counts: Mapping[int, int]
    variants: tuple[VariantDeviation, ...]
    sums: tuple[int, ...]
    raters: tuple[int, ...]
    """The numbers of judgements that the items have."""

    def bounds(self, scale: tuple[int, int]) -> dict[int, float]:
        """Number of judgements C → the largest δ that an item with so many can have on the scale; the smallest is 0."""
        return {count: largest_deviation(count, scale) for count in self.raters}

    def as_dict(self) -> dict[str, Any]:
        return {
            "overall": self.overall.as_dict(),
            "sums": list(self.sums),
            "counts": [self.counts.get(value, 0) for value in self.sums],
            "variants": [
                {"variant": v.variant, "n": v.n, "counts": [v.counts.get(s, 0) for s in self.sums], "mean": v.mean.as_dict()}
                for v in self.variants
            ],
        }


def median_deviation(
    scores_by_item: Scores[Item],
    *,
    at_least: int = 3,
    variant_of: Mapping[Item, str] | None = None,
    cluster_of: Mapping[Item, Hashable] | None = None,
    seed: int = 0,
) -> DeviationReport:
    """δ per item is the mean distance of its scores from their median; items judged fewer than `at_least` times are
    left out and counted. Intervals resample clusters (the originals), or items where none are given.

    ScoringError if a score is no whole number, or an item that is used has no variant or cluster.
    """
    check_scores(scores_by_item)
    used = [item for item, scores in scores_by_item.items() if len(scores) >= max(1, at_least)]
    sums = {item: deviation_sum(scores_by_item[item]) for item in used}
    left_out = _left_out(scores_by_item.values(), at_least)

    def mean_of(items: Sequence[Item], left: dict[str, int]) -> Estimate:
        if not items:
            reason = Reason("too_few_judgements", f"No item was judged at least {at_least} times.")
            return Estimate(None, reason, 0, METHOD, left)
        contributions = np.array([[sums[item] / len(scores_by_item[item]), 1.0] for item in items])
        interval, missing = bootstrap_interval(contributions, ratio, clusters=clusters_of(items, cluster_of), seed=seed)
        return Estimate(float(contributions[:, 0].mean()), None, len(items), METHOD, left, interval, no_interval=missing)

    variants = [
        VariantDeviation(variant, len(items), Counter(sums[item] for item in items), mean_of(items, {}))
        for variant, items in items_by_variant(used, variant_of).items()
    ]
    largest = max(sums.values(), default=-1)
    raters = tuple(sorted({len(scores_by_item[item]) for item in used}))
    return DeviationReport(mean_of(used, left_out), Counter(sums.values()), tuple(variants), tuple(range(largest + 1)), raters)


def deviation_sum(scores: Sequence[int]) -> int:
    """C·δ: the sum of the distances of C whole scores from their median."""
    middle = median(scores)
    return round(sum(abs(score - middle) for score in scores))


def largest_deviation(raters: int, scale: tuple[int, int]) -> float:
    """The δ of an item whose judgements are as far apart as the scale allows: half of them at either end."""
    return (raters // 2) * (scale[1] - scale[0]) / raters


def _left_out(all_scores: Any, at_least: int) -> dict[str, int]:
    few = sum(len(scores) < max(1, at_least) for scores in all_scores)
    return {f"judged fewer than {at_least} times": few} if few else {}
