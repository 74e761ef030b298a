"""Which of two variants do people take for a person's? An exact test over items, whether sides mattered, and how far the votes
on one item hang together."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.result import Estimate, Reason, ScoringError

from .bootstrap import bootstrap_interval
from .ceiling import icc, icc_sums, no_icc
from .items import Item, clusters_of
from .shares import share
from .suspected import AGAINST_HALF, against_half


@dataclass(frozen=True, slots=True)
class PreferenceReport:
    """`share`: share of items whose majority chose the first variant. `p_value`: of the exact two-sided binomial test
    against one half. `left_share`: share of votes for the side shown left; `left_p`: that it is one half. `dependence`: how alike
    the votes on one item are (intraclass correlation; 0 where they are independent, 1 where all are equal), which is why votes
    are not counted singly. `for_first`, `for_second`, `tied`, `still_open`: items."""

    share: Estimate
    p_value: Estimate
    left_share: Estimate
    left_p: Estimate
    dependence: Estimate
    for_first: int
    for_second: int
    tied: int
    still_open: int = 0

    @property
    def summary(self) -> str:
        """The counts in words, such as "18 of 23 items"."""
        others = {"tied": self.tied, "open": self.still_open}
        without = "".join(f", {count:,} {how}" for how, count in others.items() if count)
        return f"{self.for_first} of {self.for_first + self.for_second} items{without}"

    def as_dict(self) -> dict[str, Any]:
        return {
            "share": self.share.as_dict(),
            "p_value": self.p_value.as_dict(),
            "left_share": self.left_share.as_dict(),
            "left_p": self.left_p.as_dict(),
            "dependence": self.dependence.as_dict(),
            "for_first": self.for_first,
            "for_second": self.for_second,
            "tied": self.tied,
        }


def preference_test(
    choices_by_item: Mapping[Item, Sequence[str]],
    *,
    first: str,
    second: str,
    left: Mapping[Item, Sequence[bool]] | None = None,
    cluster_of: Mapping[Item, Hashable] | None = None,
    still_open: int = 0,
    seed: int = 0,
) -> PreferenceReport:
    """Each item counts once, by the majority of its votes; tied and unanswered items are left out and counted. So are those
    `still_open`, whose choices are not given because further ones may change their majority.

    `choices_by_item` holds the choices, each `first` or `second`; `left` says for each vote whether the side on the left
    was chosen. Votes on one item are not independent, so the test never counts them singly. It takes items as
    independent of each other; where several share a cluster (an original), the method says so.
    """
    majority, left_out = _majorities(choices_by_item, first, second)
    if still_open:
        left_out["open"] = still_open
    items = list(majority)
    clusters = clusters_of(items, cluster_of)
    preferred = share([majority[item] for item in items], clusters=clusters, left_out=left_out, seed=seed)
    wins = sum(majority.values())
    tied = left_out.get("tied", 0)
    p_value = _binomial(wins, len(items), len(set(clusters)), left_out)
    dependence = _dependence(choices_by_item, first, cluster_of, still_open, seed)
    sides = _sides(left, cluster_of, seed)
    return PreferenceReport(preferred, p_value, *sides, dependence, wins, len(items) - wins, tied, still_open)


def _majorities(
    choices_by_item: Mapping[Item, Sequence[str]], first: str, second: str
) -> tuple[dict[Item, bool], dict[str, int]]:
    """Whether each decided item prefers the first variant; and how many items are undecided, by cause."""
    majority: dict[Item, bool] = {}
    left_out = {"tied": 0, "not judged": 0}
    for item, choices in choices_by_item.items():
        odd = [choice for choice in choices if choice not in (first, second)]
        if odd:
            raise ScoringError(f"Item {item!r} has the choice {odd[0]!r}, which is neither {first!r} nor {second!r}.")
        lead = 2 * sum(choice == first for choice in choices) - len(choices)
        if lead:
            majority[item] = lead > 0
        else:
            left_out["tied" if choices else "not judged"] += 1
    return majority, {cause: count for cause, count in left_out.items() if count}


def _binomial(wins: int, n: int, clusters: int, left_out: Mapping[str, int]) -> Estimate:
    method = "p of the exact two-sided binomial test over items"
    if clusters < n:
        method += f", taken as independent although the {n} items come from {clusters} originals"
    if n == 0:
        return Estimate(None, Reason("no_majority", "No item has a majority yet."), 0, method, left_out)
    from scipy.stats import binomtest  # takes longer to load than all else that a web process loads

    return Estimate(float(binomtest(wins, n).pvalue), None, n, method, left_out)


def _sides(
    left: Mapping[Item, Sequence[bool]] | None, cluster_of: Mapping[Item, Hashable] | None, seed: int
) -> tuple[Estimate, Estimate]:
    if left is None:
        reason = Reason("sides_unknown", "The sides on which the variants stood were not given.")
        return Estimate(None, reason, 0, "share"), Estimate(None, reason, 0, AGAINST_HALF)
    votes = [(item, on_left) for item, sides in left.items() for on_left in sides]
    clusters = clusters_of([item for item, _ in votes], cluster_of)
    chosen = [on_left for _, on_left in votes]
    return share(chosen, clusters=clusters, seed=seed), against_half(chosen, clusters)


def _dependence(
    choices_by_item: Mapping[Item, Sequence[str]],
    first: str,
    cluster_of: Mapping[Item, Hashable] | None,
    still_open: int,
    seed: int,
) -> Estimate:
    method = "intraclass correlation of the votes on one item, ICC(1)"
    repeated = {
        item: [int(choice == first) for choice in choices] for item, choices in choices_by_item.items() if len(choices) > 1
    }
    judged = sum(bool(choices) for choices in choices_by_item.values())
    causes = {"judged once": judged - len(repeated), "open": still_open}
    left_out = {cause: count for cause, count in causes.items() if count}
    sums = icc_sums(repeated)
    if reason := no_icc(sums):
        return Estimate(None, reason, len(repeated), method, left_out)
    value = float(icc(sums.sum(axis=0, keepdims=True))[0])
    interval, missing = bootstrap_interval(sums, icc, clusters=clusters_of(list(repeated), cluster_of), seed=seed)
    return Estimate(value, None, len(repeated), method, left_out, interval, no_interval=missing)
