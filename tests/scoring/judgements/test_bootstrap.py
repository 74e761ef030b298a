from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scoring.judgements.bootstrap import Floats, _kinds, bootstrap_interval, cluster_sums, weighted_bootstrap_interval
from scoring.judgements.shares import ratio
from scoring.result import ScoringError


def test_contributions_add_up_by_cluster() -> None:
    assert cluster_sums(np.array([[1.0], [2.0], [4.0]]), ["a", "b", "a"]).tolist() == [[5.0], [2.0]]


def test_clusters_widen_the_interval_as_theory_says() -> None:
    """Ten copies of one observation in a cluster hold no more than that one: the interval is √10 times as wide."""
    values = np.random.default_rng(0).normal(size=200).repeat(10)
    rows = np.column_stack([values, np.ones_like(values)])
    wide = bootstrap_interval(rows, ratio, clusters=[i // 10 for i in range(2000)], draws=4000)[0]
    narrow = bootstrap_interval(rows, ratio, draws=4000)[0]
    assert wide
    assert narrow
    assert (wide.high - wide.low) / (narrow.high - narrow.low) == pytest.approx(np.sqrt(10), rel=0.08)


def test_the_mean_s_interval_is_the_normal_one() -> None:
    values = np.random.default_rng(1).normal(size=400)
    found = bootstrap_interval(np.column_stack([values, np.ones(400)]), ratio, draws=4000)[0]
    half = 1.96 * values.std() / 20
    assert found
    assert (found.low, found.high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.01)


def test_no_interval_from_one_cluster_equal_draws_or_undefined_draws() -> None:
    rows = np.array([[1.0, 1.0], [0.0, 1.0], [1.0, 1.0]])

    def why_none(rows: Floats, statistic: Callable[[Floats], Floats] = ratio, **options: Any) -> str:
        interval, missing = bootstrap_interval(rows, statistic, **options)
        assert interval is None and missing
        return missing.code

    assert why_none(rows, clusters=["a", "a", "a"]) == "one_cluster"
    assert why_none(np.ones((5, 2))) == "draws_equal"
    assert why_none(rows, lambda sums: np.full(len(sums), np.nan)) == "draws_undefined"


def test_drawing_kinds_gives_the_interval_that_drawing_clusters_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few kinds of clusters are drawn by a multinomial; the interval is the same but for the draws' own noise."""
    rows = np.column_stack([np.random.default_rng(2).choice([0.0, 1.0, np.pi, np.e], 600), np.ones(600)])
    kinds, _ = bootstrap_interval(rows, ratio, draws=20_000)
    monkeypatch.setattr("scoring.judgements.bootstrap._MEMBERS_OF_A_KIND", 1000)
    each, _ = bootstrap_interval(rows, ratio, draws=20_000)
    assert kinds and each and kinds != each
    assert (kinds.low, kinds.high) == pytest.approx((each.low, each.high), abs=0.01)


def test_large_samples_are_drawn_in_batches_that_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.column_stack([np.arange(50.0), np.ones(50)])
    whole = bootstrap_interval(rows, ratio)
    monkeypatch.setattr("scoring.judgements.bootstrap._CELLS_AT_ONCE", 200)
    assert bootstrap_interval(rows, ratio) == whole


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ScoringError, match="3 observations, but 1 clusters"):
        bootstrap_interval(np.ones((3, 2)), ratio, clusters=["a"])


def test_kinds_are_those_of_numpy_in_the_same_order() -> None:
    rows = np.random.default_rng(0).integers(-2, 3, size=(200, 3)) * np.array([0.5, -1.0, 0.0])
    kinds, members = _kinds(rows)
    expected, times = np.unique(rows, axis=0, return_counts=True)
    assert (kinds.tolist(), members.tolist()) == (expected.tolist(), times.tolist())


def test_weights_give_the_same_draws_as_sums() -> None:
    rng = np.random.default_rng(4)
    rows, clusters = np.column_stack([rng.normal(size=90), np.ones(90)]), [i // 3 for i in range(90)]
    sums = cluster_sums(rows, clusters)

    by_weights = weighted_bootstrap_interval(30, lambda times: ratio(times @ sums), seed=5)
    assert by_weights == bootstrap_interval(rows, ratio, clusters=clusters, seed=5)
    alone, missing = weighted_bootstrap_interval(1, lambda times: times[:, 0])
    assert alone is None and missing
    assert missing.code == "one_cluster"
