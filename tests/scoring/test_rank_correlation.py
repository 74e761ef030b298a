"""Spearman's correlation of many texts, and its interval."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy.stats import spearmanr

from scoring.rank_correlation import spearman

RNG = np.random.default_rng(5)
LABELS = RNG.integers(1, 6, size=80).astype(float)
PREDICTIONS = np.round(np.stack([LABELS * 0.3 + RNG.normal(size=80) for _ in range(2)]), 1)
"""Rounded, so that both have ties."""
ALONE = np.arange(80)


def test_it_is_scipy_s_and_the_mean_over_the_repetitions() -> None:
    estimate = spearman(LABELS, PREDICTIONS, ALONE, seed=0)

    assert estimate.value == pytest.approx(np.mean([spearmanr(LABELS, row)[0] for row in PREDICTIONS]), abs=1e-12)
    assert (estimate.n, estimate.method) == (80, "Spearman's rank correlation, mean of 2 repetitions")


def test_the_interval_agrees_with_ranking_resampled_originals_by_hand() -> None:
    groups = ALONE // 2
    estimate = spearman(LABELS, PREDICTIONS[:1], groups, seed=0)
    draws = np.random.default_rng(0).integers(40, size=(1_000, 40))  # the very draws of the bootstrap, so that nothing differs
    drawn = [np.concatenate([2 * pairs, 2 * pairs + 1]) for pairs in draws]
    by_hand = [spearmanr(LABELS[rows], PREDICTIONS[0, rows])[0] for rows in drawn]

    assert estimate.interval is not None
    np.testing.assert_allclose([estimate.interval.low, estimate.interval.high], np.percentile(by_hand, [2.5, 97.5]), atol=1e-9)
    assert estimate.interval.method == "percentile bootstrap, 1000 draws of 40 clusters, seed 0"


def test_only_the_order_counts() -> None:
    assert spearman(np.exp(LABELS), PREDICTIONS**3, ALONE, seed=1) == spearman(LABELS, PREDICTIONS, ALONE, seed=1)


def test_many_texts_of_few_originals_fit_into_memory() -> None:
    """Ranks of all draws at once would take 32 MB for each step of the computation."""
    labels = RNG.normal(size=4_000)
    tracemalloc.start()
    spearman(labels, labels[None] + RNG.normal(size=(1, 4_000)), np.arange(4_000) % 50, seed=0)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 8_000_000


def test_few_originals_have_a_value_without_interval_and_equal_values_a_reason() -> None:
    few = spearman(LABELS, PREDICTIONS, ALONE % 4, seed=0)
    assert few.value == spearman(LABELS, PREDICTIONS, ALONE, seed=0).value
    assert few.no_interval is not None
    assert few.no_interval.code == "few_originals"

    equal = spearman(np.full(80, 3.0), PREDICTIONS, ALONE, seed=0)
    assert equal.reason is not None
    assert equal.reason.code == "constant_labels"
