from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.judgements.deviation import deviation_sum, largest_deviation, median_deviation
from scoring.result import ScoringError

OF_THREE = {0: [2, 2, 2], 1: [2, 2, 3], 2: [1, 2, 3], 3: [1, 2, 4], 4: [1, 3, 5]}
"""Three scores whose distances from their median add up to the key."""


def test_the_published_counts_give_the_published_deviation() -> None:
    """Tonni, Faustini and Dras 2024, Table 6: counts 43 104 57 88 23 of 315 texts judged three times, δ = 0.61."""
    counts = {0: 43, 1: 104, 2: 57, 3: 88, 4: 23}
    scores = {(total, i): OF_THREE[total] for total, count in counts.items() for i in range(count)}
    report = median_deviation(scores)
    assert (report.overall.n, report.counts, report.sums) == (315, counts, (0, 1, 2, 3, 4))
    assert report.overall.value == pytest.approx(0.607, abs=5e-4)
    assert report.overall.value == pytest.approx((104 + 2 * 57 + 3 * 88 + 4 * 23) / 3 / 315)


def test_variants_are_counted_apart_and_few_judgements_left_out() -> None:
    scores = {"a": [1, 1, 4], "b": [2, 2, 2], "c": [1, 5], "d": [], "e": [1, 2, 3, 4]}
    variant = {"a": "x", "b": "w", "c": "x", "e": "x"}
    report = median_deviation(scores, variant_of=variant)
    assert report.overall.left_out == {"judged fewer than 3 times": 2}
    assert [(v.variant, v.n, v.counts, v.mean.value) for v in report.variants] == [
        ("w", 1, {0: 1}, 0.0),
        ("x", 2, {3: 1, 4: 1}, 1.0),
    ]
    assert report.overall.value == pytest.approx((1 + 0 + 1) / 3)
    assert report.as_dict()["counts"] == [1, 0, 0, 1, 1]
    assert report.as_dict()["variants"][1]["counts"] == [0, 0, 0, 1, 1]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=9))
def test_no_other_point_is_nearer_than_the_median(scores: list[int]) -> None:
    assert deviation_sum(scores) == min(sum(abs(score - point) for score in scores) for point in range(1, 6))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=9))
def test_no_deviation_is_outside_its_bounds(scores: list[int]) -> None:
    c = len(scores)
    assert deviation_sum(scores) / c <= largest_deviation(c, (1, 5)) + 1e-12
    apart = [1] * (c // 2) + [5] * (c - c // 2)
    assert deviation_sum(apart) / c == pytest.approx(largest_deviation(c, (1, 5)))


def test_bounds_are_told_for_the_numbers_of_judgements_that_there_are() -> None:
    """Three people on five points: from 0 to 4/3."""
    report = median_deviation({"a": [1, 2, 3], "b": [1, 2, 3, 4], "c": [1]})
    assert report.bounds((1, 5)) == {3: pytest.approx(4 / 3), 4: 2.0}


def test_intervals_resample_originals() -> None:
    scores = {i: OF_THREE[i % 5] for i in range(20)}
    found = median_deviation(scores, cluster_of={i: i // 2 for i in range(20)}).overall
    assert found.interval
    assert found.interval.method == "percentile bootstrap, 1000 draws of 10 clusters, seed 0"


def test_nothing_judged_often_enough_has_a_reason() -> None:
    for scores in ({}, {"a": [1, 2]}):
        report = median_deviation(scores)
        assert (report.overall.value, report.overall.reason and report.overall.reason.code) == (None, "too_few_judgements")
        assert (report.sums, report.variants) == ((), ())


def test_all_equal_is_no_deviation_without_feigned_certainty() -> None:
    found = median_deviation({i: [3, 3, 3] for i in range(5)}).overall
    assert (found.value, found.interval) == (0.0, None)


@pytest.mark.parametrize("score", [1.5, True, None])
def test_a_score_that_is_no_whole_number_names_the_item(score: object) -> None:
    with pytest.raises(ScoringError, match=r"Item 'a' has the score .* not a whole number"):
        median_deviation({"a": [1, 2, score]})  # type: ignore[list-item]


def test_an_item_without_variant_or_cluster_is_named() -> None:
    with pytest.raises(ScoringError, match="Item 'a' has no variant"):
        median_deviation({"a": [1, 2, 3]}, variant_of={})
    with pytest.raises(ScoringError, match="Item 'a' has no cluster"):
        median_deviation({"a": [1, 2, 3]}, cluster_of={})


@pytest.mark.published_data
def test_the_public_part_of_the_data(published_data: Callable[[str], Path]) -> None:
    scores: dict[tuple[str, str], list[int]] = {}
    with published_data("suspicion_mturk_dev.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            scores.setdefault((row["Input.text"], row["group"]), []).append(int(row["Answer.judgement.score"]))
    report = median_deviation(scores)
    assert (report.overall.n, report.overall.value) == (60, pytest.approx(0.5556, abs=5e-5))
    assert report.counts == {0: 14, 1: 16, 2: 9, 3: 18, 4: 3}
