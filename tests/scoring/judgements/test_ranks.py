from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from scoring.judgements.ranks import kendall, places, spearman, spearman_of


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=8))
def test_rank_correlations_are_those_of_another_library(pairs: list[tuple[int, int]]) -> None:
    first, second = np.array(pairs, dtype=float).T
    assume(np.ptp(first) > 0 and np.ptp(second) > 0)
    assert spearman(first[None], second[None])[0] == pytest.approx(stats.spearmanr(first, second).statistic)
    assert kendall(first[None], second[None])[0] == pytest.approx(stats.kendalltau(first, second).statistic)


def test_equal_values_share_a_place() -> None:
    assert places([0.5, 0.9, 0.5, 0.1]) == [2, 1, 2, 4]


def test_no_order_has_a_reason() -> None:
    few, equal = spearman_of([1, 2], [1, 2]), spearman_of([1, 1, 1], [1, 2, 3])
    assert (few.reason and few.reason.code, equal.reason and equal.reason.code) == ("too_few", "all_equal")
    assert spearman_of([1, 2, 3], [3, 2, 1]).value == -1


@pytest.mark.parametrize("unit", [1e-300, 1e-13, 1e100])
def test_ranks_do_not_hang_on_the_unit(unit: float) -> None:
    figures = np.array([[3.0, 1.0, 2.0, 2.0 + 1e-15]])
    assert spearman(unit * figures, figures)[0] == kendall(unit * figures, figures)[0] == pytest.approx(1.0)
