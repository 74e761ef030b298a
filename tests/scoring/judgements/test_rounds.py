"""Means of rounds, their changes, and the drift of anchors, against scipy and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scoring.judgements.rounds import Observation, drift, from_round_to_round

WIDE = (-100.0, 100.0)
RNG = np.random.default_rng(4)
FIRST, SECOND = RNG.normal(3.5, 1, size=20), RNG.normal(3.0, 1, size=20)


def texts(values: np.ndarray, start: int = 0) -> list[Observation]:
    return [Observation(start + place, value) for place, value in enumerate(values.tolist())]


def test_a_change_over_the_same_originals_is_the_paired_t_test() -> None:
    first, second = from_round_to_round({"1": texts(FIRST), "2": texts(SECOND)}, scale=WIDE)
    theirs = stats.ttest_rel(SECOND, FIRST)
    low, high = theirs.confidence_interval()

    assert (first.mean.value, first.change, first.p_value) == (pytest.approx(FIRST.mean()), None, None)
    assert second.change is not None and second.change.interval is not None
    assert second.p_value is not None
    assert second.change.value == pytest.approx(SECOND.mean() - FIRST.mean())
    assert (second.change.interval.low, second.change.interval.high) == pytest.approx((low, high))
    assert second.p_value.value == pytest.approx(theirs.pvalue)


def test_texts_count_as_many_as_they_stand_for() -> None:
    drawn = [Observation("a", 5.0, 1.0), Observation("b", 2.0, 0.25), Observation("c", 1.0, 0.5)]
    (found,) = from_round_to_round({"1": drawn}, scale=WIDE)

    assert found.mean.value == pytest.approx((5 + 4 * 2 + 2 * 1) / 7)
    assert found.mean.interval is not None


def test_a_round_that_nobody_judged_is_passed_over() -> None:
    _, second, third = from_round_to_round({"1": texts(FIRST), "2": [], "3": texts(SECOND)}, scale=WIDE)

    assert second.mean.reason is not None and second.mean.reason.code == "empty"
    assert second.change is None
    assert third.change is not None
    assert third.change.value == pytest.approx(SECOND.mean() - FIRST.mean())
    assert from_round_to_round({"1": []}, scale=WIDE)[0].mean.value is None


def test_p_is_corrected_for_all_rounds() -> None:
    *_, second, third = from_round_to_round(
        {"1": texts(FIRST), "2": texts(SECOND), "3": texts(SECOND + RNG.normal(size=20))}, scale=WIDE
    )
    ps = [each.p_value.value for each in (second, third) if each.p_value is not None and each.p_value.value is not None]
    corrected = [each.p_corrected.value for each in (second, third) if each.p_corrected is not None]

    assert corrected[ps.index(min(ps))] == pytest.approx(2 * min(ps))


def test_anchors_are_compared_where_both_rounds_have_them() -> None:
    before = dict(enumerate(FIRST.tolist()))
    now = dict(enumerate((FIRST + SECOND / 10).tolist(), start=0)) | {99: 5.0}
    del now[0]
    first, second, third = drift({"1": before, "2": now, "3": {77: 1.0}}, scale=WIDE)

    assert first.change is None
    assert second.change is not None and second.p_value is not None
    assert (second.mean.n, second.change.n) == (20, 19)
    assert second.change.value == pytest.approx(SECOND[1:].mean() / 10)
    assert second.p_value.value == pytest.approx(stats.ttest_1samp(SECOND[1:] / 10, 0).pvalue)
    assert third.change is not None and third.change.reason is not None
    assert third.change.reason.code == "empty"


def test_no_interval_reaches_past_the_scale() -> None:
    share, changed = [Observation("a", 1.0), Observation("b", 0.0)], [Observation("a", 0.0), Observation("b", 0.0)]
    first, second = from_round_to_round({"1": share, "2": changed}, scale=(0.0, 1.0))
    assert first.mean.interval is not None
    assert (first.mean.interval.low, first.mean.interval.high) == (0.0, 1.0)
    assert second.change is not None and second.change.interval is not None
    assert (second.change.interval.low, second.change.interval.high) == (-1.0, 1.0)
    (anchors,) = drift({"1": {"a": 1.0, "b": 5.0}}, scale=(1.0, 5.0))
    assert anchors.mean.interval is not None
    assert (anchors.mean.interval.low, anchors.mean.interval.high) == (1.0, 5.0)
