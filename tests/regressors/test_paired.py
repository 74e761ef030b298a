"""The paired difference of two models."""

from __future__ import annotations

import numpy as np
import pytest

from regressors.paired import difference_of_r
from scoring.correlation import pearson

RNG = np.random.default_rng(3)
LABELS = RNG.normal(size=300)
GROUPS = np.arange(300) // 2
NOISE = RNG.normal(size=(2, 300))
WEAK = LABELS * 0.3 + NOISE
STRONG = WEAK + LABELS * 0.1 + 0.1 * RNG.normal(size=(2, 300))


def test_it_is_the_mean_difference_over_the_repetitions() -> None:
    expected = np.mean([np.corrcoef(LABELS, a)[0, 1] - np.corrcoef(LABELS, b)[0, 1] for a, b in zip(STRONG, WEAK, strict=True)])
    found = difference_of_r(LABELS, STRONG, WEAK, GROUPS, seed=0)

    assert found.value == pytest.approx(expected, abs=1e-12)
    assert (found.n, found.method) == (300, "paired difference of Pearson r, mean of 2 repetitions")


def test_its_interval_is_that_of_originals_resampled_for_both_at_once() -> None:
    found = difference_of_r(LABELS, STRONG[:1], WEAK[:1], GROUPS, seed=0)
    rng = np.random.default_rng(8)
    drawn = [np.concatenate([2 * pairs, 2 * pairs + 1]) for pairs in rng.integers(150, size=(1_000, 150))]
    by_hand = [
        np.corrcoef(LABELS[rows], STRONG[0, rows])[0, 1] - np.corrcoef(LABELS[rows], WEAK[0, rows])[0, 1] for rows in drawn
    ]

    assert found.interval is not None
    np.testing.assert_allclose([found.interval.low, found.interval.high], np.percentile(by_hand, [2.5, 97.5]), atol=0.015)


def test_it_tells_apart_what_two_intervals_do_not() -> None:
    strong, weak = (pearson(LABELS, rows, GROUPS, seed=0).interval for rows in (STRONG, WEAK))
    difference = difference_of_r(LABELS, STRONG, WEAK, GROUPS, seed=0).interval

    assert strong is not None and weak is not None and difference is not None
    assert strong.low < weak.high
    assert difference.low > 0


def test_a_constant_has_a_reason_and_a_model_no_difference_from_itself() -> None:
    constant = difference_of_r(LABELS, STRONG, np.ones((2, 300)), GROUPS, seed=0)
    assert constant.reason is not None
    assert constant.reason.code == "constant_predictions"

    same = difference_of_r(LABELS, STRONG, STRONG, GROUPS, seed=0)
    assert same.value == 0
    assert same.no_interval is not None
    assert same.no_interval.code == "draws_equal"
