"""Judgements on a scale of whole numbers (Likert, 1932): how often each point was chosen, and the mean, by variant."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.result import Estimate, Reason

from .bootstrap import bootstrap_interval
from .items import Item, Scores, check_scores, clusters_of, items_by_variant
from .shares import ratio


@dataclass(frozen=True, slots=True)
class VariantMean:
    """One variant: judgements, how many of them for each point of the scale, and their mean."""

    variant: str
    n: int
    counts: tuple[int, ...]
    mean: Estimate


@dataclass(frozen=True, slots=True)
class LikertReport:
    """Means over all judgements and by variant; `counts` and `scale` run from the scale's low to its high end."""

    overall: Estimate
    counts: tuple[int, ...]
    variants: tuple[VariantMean, ...]
    scale: tuple[int, ...]


def means(
    scores_by_item: Scores[Item],
    *,
    variant_of: Mapping[Item, str] | None = None,
    cluster_of: Mapping[Item, Hashable] | None = None,
    scale: tuple[int, int] = (1, 5),
    seed: int = 0,
) -> LikertReport:
    """The mean over judgements, each counting once; `n` counts judgements. Items without any are left out and counted.

    Intervals resample clusters (the originals), or items where none are given. ScoringError if a score is outside the
    scale, or an item that is used has no variant or cluster.
    """
    check_scores(scores_by_item, scale)
    used = [item for item, scores in scores_by_item.items() if scores]
    points = range(scale[0], scale[1] + 1)

    def mean_of(items: Sequence[Item], left_out: dict[str, int]) -> Estimate:
        method = "mean over judgements"
        if not items:
            return Estimate(None, Reason("empty", "There is no judgement yet."), 0, method, left_out)
        sums = np.array([[sum(scores_by_item[item]), len(scores_by_item[item])] for item in items], dtype=float)
        interval, missing = bootstrap_interval(sums, ratio, clusters=clusters_of(items, cluster_of), seed=seed)
        total, n = sums.sum(axis=0)
        return Estimate(float(total / n), None, int(n), method, left_out, interval, no_interval=missing)

    def counts_of(items: Sequence[Item]) -> tuple[int, ...]:
        chosen = [score for item in items for score in scores_by_item[item]]
        return tuple(chosen.count(point) for point in points)

    variants = []
    for variant, items in items_by_variant(used, variant_of).items():
        counts = counts_of(items)
        variants.append(VariantMean(variant, sum(counts), counts, mean_of(items, {})))
    unjudged = len(scores_by_item) - len(used)
    overall = mean_of(used, {"not judged": unjudged} if unjudged else {})
    return LikertReport(overall, counts_of(used), tuple(variants), tuple(points))
