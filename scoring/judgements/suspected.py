"""Votes, such as "altered by a computer": the score of an item, and the share suspected by variant against guessing; and which
texts people find suspicious on a scale."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final, Literal

from scoring.result import Estimate, Reason

from .clustered import Observed, cell_means, holm
from .items import Item, clusters_of, items_by_variant
from .shares import share

AGAINST_HALF: Final = "p against one half"
SIGNIFICANT: Final = 0.05
SUSPECTED_FROM: Final = 4
"""On the scale of suspicion: rather, or surely, altered by a computer."""

Verdict = Literal["above", "below", "not told apart", "not known"]


@dataclass(frozen=True, slots=True)
class Suspected:
    """One variant: its items, the share of votes that suspect it, p against one half, and that p corrected for all variants."""

    variant: str
    items: int
    share: Estimate
    p_value: Estimate
    p_corrected: Estimate

    @property
    def verdict(self) -> Verdict:
        """Which side of one half the share is on, as far as the corrected test tells; or the interval, where all originals say
        the same and there is nothing to test with."""
        if self.share.value is None:
            return "not known"
        side: Verdict = "above" if self.share.value > 0.5 else "below"
        if self.p_corrected.value is not None:
            return side if self.p_corrected.value <= SIGNIFICANT else "not told apart"
        if (interval := self.share.interval) is None:
            return "not known"
        return "not told apart" if interval.low <= 0.5 <= interval.high else side

    def as_dict(self) -> dict[str, Any]:
        return {
            "variant": self.variant,
            "items": self.items,
            "share": self.share.as_dict(),
            "p_value": self.p_value.as_dict(),
            "p_corrected": self.p_corrected.as_dict(),
            "against_half": self.verdict,
        }


def item_score(votes: Sequence[bool]) -> float | None:
    """The share of an item's votes that suspect it; None without votes. 0.1 means that one of ten did."""
    return sum(votes) / len(votes) if votes else None


def suspected(
    votes_by_item: Mapping[Item, Sequence[bool]],
    *,
    cluster_of: Mapping[Item, Hashable] | None = None,
    seed: int = 0,
) -> Estimate:
    """The share of all votes that suspect a text; the interval is over clusters (the originals), or items without them."""
    votes = [(item, vote) for item, given in votes_by_item.items() for vote in given]
    unjudged = sum(not given for given in votes_by_item.values())
    clusters = clusters_of([item for item, _ in votes], cluster_of)
    left_out = {"not judged": unjudged} if unjudged else {}
    return share([vote for _, vote in votes], clusters=clusters, left_out=left_out, seed=seed)


def suspected_by_variant(
    votes_by_item: Mapping[Item, Sequence[bool]],
    variant_of: Mapping[Item, str],
    *,
    cluster_of: Mapping[Item, Hashable] | None = None,
    seed: int = 0,
) -> list[Suspected]:
    """Each variant, in alphabetical order, against the 50 % that guessing gives."""
    found = []
    for variant, items in items_by_variant(list(votes_by_item), variant_of).items():
        own = {item: votes_by_item[item] for item in items}
        votes = [(item, vote) for item in items for vote in own[item]]
        p_value = against_half([vote for _, vote in votes], clusters_of([item for item, _ in votes], cluster_of))
        judged = sum(bool(votes) for votes in own.values())
        found.append((variant, judged, suspected(own, cluster_of=cluster_of, seed=seed), p_value))
    corrected = holm([p_value for *_, p_value in found])
    return [Suspected(*row, p) for row, p in zip(found, corrected, strict=True)]


def against_half(votes: Sequence[bool], clusters: Sequence[Hashable]) -> Estimate:
    """The exact binomial test where every cluster has one vote, else the t-test with errors clustered by original."""
    if not votes:
        return Estimate(None, Reason("empty", "There is no vote."), 0, AGAINST_HALF)
    if len(set(clusters)) < len(votes):
        observed = {"": [(cluster, float(vote)) for cluster, vote in zip(clusters, votes, strict=True)]}
        return cell_means(observed).contrast([1.0], null=0.5)[1]
    from scipy.stats import binomtest  # takes longer to load than all else that a web process loads

    p = float(binomtest(sum(votes), len(votes)).pvalue)
    return Estimate(p, None, len(votes), f"{AGAINST_HALF}, exact binomial test")


def suspected_by_median(
    scores_by_item: Mapping[Item, Sequence[float]],
    variant_of: Mapping[Item, str],
    *,
    cluster_of: Mapping[Item, Hashable] | None = None,
) -> Observed:
    """Of each variant, for every judged item its cluster (itself without clusters) and 1 where people find it suspicious: the
    median of its scores, 1 to 5, is `SUSPECTED_FROM` or more. For `shares.share` and `clustered.compare_all`."""
    return {
        variant: [
            (item if cluster_of is None else cluster_of[item], float(median(scores_by_item[item]) >= SUSPECTED_FROM))
            for item in items
            if scores_by_item[item]
        ]
        for variant, items in items_by_variant(list(scores_by_item), variant_of).items()
    }
