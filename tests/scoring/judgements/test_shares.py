from __future__ import annotations

import pytest
from statsmodels.stats.proportion import proportion_confint

from scoring.judgements.shares import share
from scoring.result import ScoringError


@pytest.mark.parametrize(("yes", "n"), [(0, 3), (3, 3), (2, 5), (50, 1000)])
def test_wilson_as_statsmodels_computes_it(yes: int, n: int) -> None:
    found = share([True] * yes + [False] * (n - yes), left_out={"not decided": 4})
    low, high = proportion_confint(yes, n, method="wilson")
    assert (found.value, found.n, found.left_out) == (yes / n, n, {"not decided": 4})
    assert found.interval
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=1e-9)
    assert found.interval.method == f"Wilson, {n:,} observations"


def test_repeated_clusters_are_resampled_whole() -> None:
    found = share([True, True, False, False, True, False], clusters=list("aabbcc"))
    assert found.interval
    assert found.interval.method == "percentile bootstrap, 1000 draws of 3 clusters, seed 0"


def test_if_all_are_equal_each_cluster_counts_once() -> None:
    found = share([True] * 6, clusters=list("aabbcc"))
    alone = share([True] * 3)
    assert found.interval
    assert alone.interval
    assert (found.interval.low, found.interval.method) == (alone.interval.low, "Wilson, 3 clusters")


def test_nothing_has_a_reason_and_unequal_lengths_are_refused() -> None:
    found = share([])
    assert (found.value, found.reason and found.reason.code) == (None, "empty")
    with pytest.raises(ScoringError, match="2 values, but 1 clusters"):
        share([True, True], clusters=["a"])
