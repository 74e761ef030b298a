"""Judgements on a scale of whole numbers (Likert, 1932): how often each point was chosen, and the mean, by variant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from scoring.result import Estimate, Reason, ScoringError

from .bootstrap import bootstrap_interval
from .items import Item, Scores, check_scores, clusters_of, items_by_variant
from .shares import ratio, share

MOST_POINTS: Final = 1_001
"""Of a scale whose points are counted one by one: 0 to 1000."""


@dataclass(frozen=True, slots=True)
class VariantMean:
    """One variant: judgements, how many of them for each point of the scale, and their mean."""

    variant: str
    n: int
    counts: tuple[int, ...]
    mean: Estimate

    @property
    def shares(self) -> tuple[float, ...]:
        """The counts as parts of all judgements of the variant."""
        return tuple(count / self.n for count in self.counts)


@dataclass(frozen=True, slots=True)
class LikertReport:
    """Means over all judgements and by variant; `counts` and `scale` run from the scale's low to its high end."""

    overall: Estimate
    counts: tuple[int, ...]
    variants: tuple[VariantMean, ...]
    scale: tuple[int, ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "overall": self.overall.as_dict(),
            "scale": list(self.scale),
            "counts": list(self.counts),
            "variants": [
                {"variant": v.variant, "n": v.n, "counts": list(v.counts), "shares": list(v.shares), "mean": v.mean.as_dict()}
                for v in self.variants
            ],
        }


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
    scale, the scale has too many points to count, or an item that is used has no variant or cluster.
    """
    check_points(scale)
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
        chosen = Counter(score for item in items for score in scores_by_item[item])
        return tuple(chosen[point] for point in points)

    variants = []
    for variant, items in items_by_variant(used, variant_of).items():
        counts = counts_of(items)
        variants.append(VariantMean(variant, sum(counts), counts, mean_of(items, {})))
    unjudged = len(scores_by_item) - len(used)
    overall = mean_of(used, {"not judged": unjudged} if unjudged else {})
    return LikertReport(overall, counts_of(used), tuple(variants), tuple(points))


def check_points(scale: tuple[int, int]) -> None:
    """ScoringError for a scale of more points than are counted."""
    points = scale[1] - scale[0] + 1
    if points > MOST_POINTS:
        raise ScoringError(f"A scale from {scale[0]} to {scale[1]} has {points:,} points; {MOST_POINTS:,} are the most.")


@dataclass(frozen=True, slots=True)
class Splits:
    """The scale cut in two. `symmetric`: the share of judgements above its middle, those at the middle left out. `one_vs_other`:
    the share of judgements above its lowest point."""

    symmetric: Estimate
    one_vs_other: Estimate

    def as_dict(self) -> dict[str, Any]:
        return {"symmetric": self.symmetric.as_dict(), "one_vs_other": self.one_vs_other.as_dict()}


ALL: Final = "all"


def splits(
    scores_by_item: Scores[Item],
    *,
    variant_of: Mapping[Item, str] | None = None,
    cluster_of: Mapping[Item, Hashable] | None = None,
    scale: tuple[int, int] = (1, 5),
    seed: int = 0,
) -> dict[str, Splits]:
    """Both splits of all judgements (under "all") and of each variant, with intervals over clusters (the originals)."""
    check_scores(scores_by_item, scale)
    used = [item for item, scores in scores_by_item.items() if scores]
    middle = sum(scale) / 2

    def split(items: Sequence[Item]) -> Splits:
        judged = [(cluster, score) for item, cluster in zip(items, clusters_of(items, cluster_of), strict=True)
                  for score in scores_by_item[item]]  # fmt: skip
        sided = [(cluster, score) for cluster, score in judged if score != middle]
        at_middle = {"at the middle": len(judged) - len(sided)} if len(sided) < len(judged) else {}
        symmetric = share(
            [score > middle for _, score in sided], clusters=[cluster for cluster, _ in sided], left_out=at_middle, seed=seed
        )
        other = share([score > scale[0] for _, score in judged], clusters=[cluster for cluster, _ in judged], seed=seed)
        return Splits(symmetric, other)

    return {ALL: split(used)} | {variant: split(items) for variant, items in items_by_variant(used, variant_of).items()}


def by_variant(
    scores_by_item: Scores[Item], variant_of: Mapping[Item, str], cluster_of: Mapping[Item, Hashable] | None = None
) -> dict[str, list[tuple[Hashable, float]]]:
    """Every judgement with its cluster, by variant: what tests of differences between variants take."""
    used = [item for item, scores in scores_by_item.items() if scores]
    return {
        variant: [
            (cluster, float(score))
            for item, cluster in zip(items, clusters_of(items, cluster_of), strict=True)
            for score in scores_by_item[item]
        ]
        for variant, items in items_by_variant(used, variant_of).items()
    }
