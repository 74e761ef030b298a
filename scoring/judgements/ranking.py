"""A ranking of attackers or teams by what people decided about their examples: how many keep the meaning (or whatever counts).

The manual ranking of InCrediblAE (Przybyła et al. 2024) orders teams by the share of their examples that preserve the meaning. A
place alone hides that neighbours may not differ, so every two are compared, with a correction for how many comparisons there are.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.result import Estimate

from .bootstrap import DRAWS, Floats, bootstrap_interval
from .clustered import Comparison, compare_all
from .items import Item, clusters_of, items_by_variant, named
from .ranks import KENDALL, SPEARMAN, kendall, no_rank_correlation, places, spearman
from .shares import share


@dataclass(frozen=True, slots=True)
class Placed:
    """One attacker: its place by people's decisions, the share preserved, and place and mean by the automatic score."""

    attacker: str
    place: int
    preserved: Estimate
    automatic: float | None = None
    automatic_place: int | None = None

    def as_dict(self) -> dict[str, Any]:
        return {
            "attacker": self.attacker,
            "place": self.place,
            "preserved": self.preserved.as_dict(),
            "automatic": self.automatic,
            "automatic_place": self.automatic_place,
        }


@dataclass(frozen=True, slots=True)
class Ranking:
    """The attackers, best first; every two compared; and how far both rankings agree, None where there is no automatic one."""

    attackers: tuple[Placed, ...]
    comparisons: tuple[Comparison, ...]
    spearman: Estimate | None = None
    kendall: Estimate | None = None

    def as_dict(self) -> dict[str, Any]:
        return {
            "attackers": [placed.as_dict() for placed in self.attackers],
            "comparisons": [comparison.as_dict() for comparison in self.comparisons],
            "spearman": self.spearman and self.spearman.as_dict(),
            "kendall": self.kendall and self.kendall.as_dict(),
        }


def rank(
    preserved: Mapping[Item, bool],
    attacker_of: Mapping[Item, str],
    *,
    automatic: Mapping[Item, float] | None = None,
    cluster_of: Mapping[Item, Hashable] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> Ranking:
    """`preserved` holds the decided items; `automatic` a score of each of them, higher is better. Intervals and comparisons go by
    clusters (the originals), or by items without them. ScoringError if an item has no attacker or no score."""
    groups = items_by_variant(list(preserved), attacker_of)
    observed = {
        attacker: [(cluster, float(preserved[item])) for item, cluster in zip(items, clusters_of(items, cluster_of), strict=True)]
        for attacker, items in groups.items()
    }
    shares = {attacker: _share(own, seed) for attacker, own in observed.items()}
    human = places([float(found.value or 0) for found in shares.values()])
    means = {attacker: _mean(automatic, items) for attacker, items in groups.items()} if automatic is not None else {}
    by_score = dict(zip(means, places(list(means.values())), strict=True))
    rows = [
        Placed(attacker, place, shares[attacker], means.get(attacker), by_score.get(attacker))
        for attacker, place in zip(groups, human, strict=True)
    ]
    ordered = tuple(sorted(rows, key=lambda row: (row.place, row.attacker)))
    comparisons = tuple(compare_all({row.attacker: observed[row.attacker] for row in ordered}))
    if automatic is None:
        return Ranking(ordered, comparisons)
    correlations = [
        _correlation(name, statistic, preserved, groups, automatic, cluster_of, seed, draws)
        for name, statistic in ((SPEARMAN, spearman), (KENDALL, kendall))
    ]
    return Ranking(ordered, comparisons, *correlations)


def _share(observed: Sequence[tuple[Hashable, float]], seed: int) -> Estimate:
    return share([value == 1 for _, value in observed], clusters=[cluster for cluster, _ in observed], seed=seed)


def _mean(automatic: Mapping[Item, float], items: Sequence[Item]) -> float:
    return float(np.mean([named(automatic, item, "automatic score") for item in items]))


def _correlation(
    name: str,
    statistic: Callable[[Floats, Floats], Floats],
    preserved: Mapping[Item, bool],
    groups: Mapping[str, list[Item]],
    automatic: Mapping[Item, float],
    cluster_of: Mapping[Item, Hashable] | None,
    seed: int,
    draws: int,
) -> Estimate:
    """The rank correlation of both rankings; its interval draws originals anew, which moves either ranking."""
    k, method = len(groups), f"{name} of the attackers' places by people and by the automatic score"
    items = [(item, place) for place, own in enumerate(groups.values()) for item in own]
    contributions = np.zeros((len(items), 3 * k))
    for row, (item, place) in enumerate(items):
        contributions[row, [place, k + place, 2 * k + place]] = 1.0, preserved[item], automatic[item]

    def means(sums: Floats) -> tuple[Floats, Floats]:
        return sums[:, k : 2 * k] / sums[:, :k], sums[:, 2 * k :] / sums[:, :k]

    human, scored = means(contributions.sum(axis=0, keepdims=True)) if items else (np.zeros((1, 0)),) * 2
    if reason := no_rank_correlation(human[0], scored[0]):
        return Estimate(None, reason, k, method)
    clusters = clusters_of([item for item, _ in items], cluster_of)
    interval, missing = bootstrap_interval(
        contributions, lambda sums: statistic(*means(sums)), clusters=clusters, seed=seed, draws=draws
    )
    value = float(statistic(human, scored)[0])
    return Estimate(value, None, k, method, interval=interval, no_interval=missing)
