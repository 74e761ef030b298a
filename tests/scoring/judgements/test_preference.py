from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from scoring.judgements.preference import PreferenceReport, preference_test
from scoring.result import ScoringError


def items(first: int, second: int) -> dict[int, list[str]]:
    return {i: ["x", "x", "y"] if i < first else ["y", "x", "y"] for i in range(first + second)}


def result_of(choices: dict[int, list[str]], **options: object) -> PreferenceReport:
    return preference_test(choices, first="x", second="y", **options)  # type: ignore[arg-type]


def test_eighteen_of_twenty_three() -> None:
    """Tonni, Faustini and Dras 2024, section 5.2: p = 0.0106."""
    report = result_of(items(18, 5))
    assert report.p_value.value == pytest.approx(0.0106, abs=5e-5)
    assert (report.share.value, report.share.n, report.summary) == (18 / 23, 23, "18 of 23 items")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 40), st.integers(0, 40))
def test_p_is_that_of_another_library(first: int, second: int) -> None:
    found = result_of(items(first, second)).p_value
    if first + second:
        assert found.value == pytest.approx(stats.binomtest(first, first + second).pvalue)
    else:
        assert found.value is None and found.reason is not None


def test_items_that_are_still_open_are_counted_by_name() -> None:
    report = result_of({**items(2, 1), 9: ["x", "y"]}, still_open=14)
    assert report.summary == "2 of 3 items, 1 tied, 14 open"
    assert report.share.left_out == report.p_value.left_out == {"tied": 1, "open": 14}
    assert report.dependence.left_out == {"open": 14}


def test_votes_are_never_counted_singly() -> None:
    assert result_of({0: ["x"] * 5}).p_value.value == 1.0


def test_ties_and_unanswered_items_are_left_out_and_counted() -> None:
    report = result_of({0: ["x", "y"], 1: [], 2: ["y"]})
    assert (report.for_first, report.for_second, report.tied) == (0, 1, 1)
    assert report.p_value.left_out == report.share.left_out == {"tied": 1, "not judged": 1}
    assert report.summary == "0 of 1 items, 1 tied"


def test_shared_originals_are_named_in_the_method() -> None:
    report = result_of(items(3, 3), cluster_of={i: i // 3 for i in range(6)})
    assert report.p_value.method.endswith("taken as independent although the 6 items come from 2 originals")
    assert report.share.interval
    assert "2 clusters" in report.share.interval.method


def test_side_bias_is_over_votes_with_items_resampled_whole() -> None:
    report = result_of(items(2, 1), left={0: [True, True, True], 1: [True, False, True], 2: [False, True, False]})
    assert (report.left_share.value, report.left_share.n) == (pytest.approx(6 / 9), 9)
    assert report.left_share.interval
    assert "3 clusters" in report.left_share.interval.method


def test_nothing_has_reasons_and_a_strange_choice_is_named() -> None:
    report = result_of({})
    found = [e.reason and e.reason.code for e in (report.share, report.p_value, report.left_share)]
    assert found == ["empty", "no_majority", "sides_unknown"]
    with pytest.raises(ScoringError, match="Item 7 has the choice 'z', which is neither 'x' nor 'y'"):
        result_of({7: ["z"]})


def test_votes_on_one_item_hang_together() -> None:
    alike = result_of({i: ["x"] * 3 if i % 2 else ["y"] * 3 for i in range(10)}).dependence
    assert (alike.value, alike.n, alike.no_interval and alike.no_interval.code) == (1.0, 10, "draws_equal")
    apart = result_of({i: ["x", "y"] for i in range(10)} | {10: ["x"], 11: []}).dependence
    assert (apart.value, apart.left_out) == (pytest.approx(-1.0), {"judged once": 1})
    single = result_of({0: ["x"], 1: ["y"]}).dependence
    assert single.reason and single.reason.code == "not_repeated"


def test_a_side_that_is_always_chosen_is_told() -> None:
    choices = {i: ["x", "y", "x"] for i in range(12)}
    biased = result_of(choices, left={i: [True, i > 0, True] for i in choices})
    assert biased.left_p.value is not None and biased.left_p.value < 0.001
    even = result_of(choices, left={i: [i % 2 == 0, i % 2 == 1, i % 3 == 0] for i in choices})
    assert even.left_p.value is not None and even.left_p.value > 0.05
    assert (found := result_of(choices).left_p.reason) and found.code == "sides_unknown"
    assert biased.as_dict()["left_p"]["value"] == biased.left_p.value
