"""Measures of predictions, and their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr

from regressors.measures import rmse, rmse_gain, share_of_ceiling
from scoring.correlation import pearson
from scoring.result import Estimate, Interval, Reason

RNG = np.random.default_rng(5)
LABELS = RNG.integers(1, 6, size=80).astype(float)
PREDICTIONS = np.stack([LABELS * 0.3 + RNG.normal(size=80) for _ in range(2)])
ALONE = np.arange(80)


def test_r_is_the_mean_over_the_repetitions() -> None:
    estimate = pearson(LABELS, PREDICTIONS, ALONE, seed=0)

    assert estimate.value == pytest.approx(np.mean([pearsonr(LABELS, row)[0] for row in PREDICTIONS]), abs=1e-12)
    assert (estimate.n, estimate.method) == (80, "Pearson r, mean of 2 repetitions")


def test_the_interval_agrees_with_resampling_rows_by_hand() -> None:
    estimate = pearson(LABELS, PREDICTIONS[:1], ALONE, seed=0)
    rng = np.random.default_rng(9)
    by_hand = [pearsonr(LABELS[rows], PREDICTIONS[0, rows])[0] for rows in rng.integers(80, size=(1_000, 80))]

    assert estimate.interval is not None
    np.testing.assert_allclose([estimate.interval.low, estimate.interval.high], np.percentile(by_hand, [2.5, 97.5]), atol=0.04)


def test_variants_of_one_original_count_as_one_for_the_interval() -> None:
    five_times = (np.repeat(LABELS, 5), np.repeat(PREDICTIONS, 5, axis=1), np.repeat(ALONE, 5))

    once, clustered = pearson(LABELS, PREDICTIONS, ALONE, seed=0), pearson(*five_times, seed=0)
    by_rows = pearson(*five_times[:2], np.arange(400), seed=0)

    assert once.interval is not None
    assert clustered.interval is not None
    assert by_rows.interval is not None
    assert clustered.interval.low == pytest.approx(once.interval.low, abs=1e-9)
    assert clustered.interval.high == pytest.approx(once.interval.high, abs=1e-9)
    assert by_rows.interval.high - by_rows.interval.low < 0.6 * (once.interval.high - once.interval.low)


def test_a_far_level_loses_no_digits() -> None:
    assert pearson(LABELS + 1e7, PREDICTIONS + 1e7, ALONE, seed=0).value == pytest.approx(
        pearson(LABELS, PREDICTIONS, ALONE, seed=0).value, abs=1e-6
    )


@pytest.mark.parametrize("unit", [1e-320, 1e-9, 1e15, 1e300])
@pytest.mark.filterwarnings("error")
def test_r_does_not_hang_on_the_unit(unit: float) -> None:
    whole = np.rint(100 * LABELS)
    expected = pearson(whole, PREDICTIONS, ALONE, seed=0)

    assert expected.interval is not None
    for labels, predictions in ((unit * whole, PREDICTIONS), (whole, 2.0**-60 * PREDICTIONS)):
        found = pearson(labels, predictions, ALONE, seed=0)
        assert found.interval is not None
        assert (found.value, found.interval.low) == pytest.approx((expected.value, expected.interval.low), rel=1e-9)


@pytest.mark.parametrize(
    ("labels", "predictions", "code"),
    [
        ([1, 2], [[1, 2]], "too_few_texts"),
        ([3, 3, 3, 3], [[1, 2, 3, 4]], "constant_labels"),
        ([1, 2, 3, 4], [[2, 2, 2, 2]], "constant_predictions"),
        ([1, 2, 3, 4], [[1, 2, 3, 4], [2, 2, 2, 2]], "constant_predictions"),
    ],
)
def test_no_r_without_a_reason(labels: list[float], predictions: list[list[float]], code: str) -> None:
    estimate = pearson(np.array(labels, float), np.array(predictions, float), np.arange(len(labels)), seed=0)

    assert estimate.value is None
    assert estimate.reason is not None
    assert estimate.reason.code == code
    assert estimate.n == len(labels)


def test_few_originals_have_a_value_without_interval() -> None:
    estimate = pearson(LABELS, PREDICTIONS, ALONE % 4, seed=0)

    assert estimate.value is not None
    assert estimate.interval is None
    assert pearson(LABELS, PREDICTIONS, ALONE % 5, seed=0).interval is not None


def test_errors_of_predictions_and_of_a_constant() -> None:
    labels, predictions = np.array([1.0, 3.0, 5.0, 3.0, 3.0]), np.array([[2.0, 3.0, 4.0, 3.0, 3.0]])
    constants = np.full((1, 5), 3.0)

    assert rmse(labels, predictions, np.arange(5), seed=0).value == pytest.approx(np.sqrt(2 / 5))
    assert rmse(labels, constants, np.arange(5), seed=0).value == pytest.approx(np.sqrt(8 / 5))
    gain = rmse_gain(labels, predictions, constants, np.arange(5), seed=0)
    assert gain.value == pytest.approx(np.sqrt(8 / 5) - np.sqrt(2 / 5))
    assert gain.interval is not None
    assert 0 <= gain.interval.low < gain.value < gain.interval.high


def test_the_seed_decides_the_interval() -> None:
    first, again, other = (pearson(LABELS, PREDICTIONS, ALONE, seed=seed).interval for seed in (1, 1, 2))

    assert first == again != other


def _estimate(value: float | None, low: float | None = None, high: float | None = None) -> Estimate:
    interval = None if low is None or high is None else Interval(low, high, "given")
    return Estimate(value, None if value is not None else Reason("why", "Because."), 9, "given", interval=interval)


def test_share_of_the_ceiling() -> None:
    share = share_of_ceiling(_estimate(0.2, 0.1, 0.3), _estimate(0.5, 0.4, 0.8))

    assert share.value == pytest.approx(0.4)
    assert share.interval is not None
    assert (share.interval.low, share.interval.high) == (pytest.approx(0.1 / 0.8), pytest.approx(0.3 / 0.4))
    negative = share_of_ceiling(_estimate(-0.1, -0.2, 0.1), _estimate(0.5, 0.4, 0.8))
    assert negative.interval is not None
    assert (negative.interval.low, negative.interval.high) == (pytest.approx(-0.2 / 0.4), pytest.approx(0.1 / 0.4))
    uncertain = share_of_ceiling(_estimate(0.2, 0.1, 0.3), _estimate(0.5, 0.0, 0.8))
    assert (uncertain.interval, uncertain.no_interval.code) == (None, "ceiling_may_be_zero")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("r", "ceiling", "code"),
    [
        (_estimate(None), _estimate(0.5, 0.4, 0.6), "why"),
        (_estimate(0.2), _estimate(None), "why"),
        (_estimate(0.2), _estimate(0.0, 0.0, 0.2), "no_ceiling_above_zero"),
        (_estimate(0.2), _estimate(0.5), "ceiling_uncertain"),
    ],
)
def test_no_share_without_a_reason(r: Estimate, ceiling: Estimate, code: str) -> None:
    share = share_of_ceiling(r, ceiling)

    assert share.reason is not None
    assert share.reason.code == code
