"""Pearson's r is that of another library, or there is a reason."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from scoring.correlation import pearson


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), min_size=3, max_size=12))
def test_r_is_that_of_another_library(pairs: list[tuple[int, int]]) -> None:
    human, automatic = np.array(pairs, dtype=float).T
    found = pearson(human, automatic[None], np.arange(len(pairs)), seed=0)
    if np.ptp(human) and np.ptp(automatic):
        assert found.value == pytest.approx(stats.pearsonr(human, automatic).statistic, abs=1e-12)
    else:
        code = "constant_predictions" if np.ptp(human) else "constant_labels"
        assert (found.value, found.reason and found.reason.code) == (None, code)
