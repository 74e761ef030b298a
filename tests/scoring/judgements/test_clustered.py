from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.api import OLS, WLS
from statsmodels.stats.multitest import multipletests

from scoring.judgements.clustered import cell_means, compare_all, holm
from scoring.result import Estimate, Reason, ScoringError


def estimate(p: float | None) -> Estimate:
    return Estimate(p, None if p is not None else Reason("none", "None."), 1, "p")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2, max_size=15))
def test_pairs_give_the_paired_t_test(pairs: list[tuple[int, int]]) -> None:
    first, second = np.array(pairs, dtype=float).T
    difference, p = cell_means({"x": list(enumerate(first)), "y": list(enumerate(second))}).contrast([1, -1])
    assert difference.value == pytest.approx(first.mean() - second.mean())
    if np.ptp(first - second) == 0:
        assert (p.reason and p.reason.code, difference.no_interval and difference.no_interval.code) == ("no_spread", "no_spread")
        return
    theirs = stats.ttest_rel(first, second)
    low, high = theirs.confidence_interval()
    assert difference.interval
    assert (p.value, difference.interval.low, difference.interval.high) == pytest.approx((theirs.pvalue, low, high))


def test_groups_that_share_nothing_have_welchs_error() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=9), rng.normal(1, 3, size=6)
    cells = cell_means({"x": list(enumerate(first)), "y": [(100 + i, value) for i, value in enumerate(second)]})
    _, p = cells.contrast([1, -1])
    statistic = stats.ttest_ind(first, second, equal_var=False).statistic
    assert p.value == pytest.approx(2 * stats.t.sf(abs(statistic), 5))
    assert p.method.endswith("5 degrees of freedom")


def test_errors_are_those_of_a_regression_with_clustered_errors() -> None:
    """statsmodels, without its own small-sample factor; every group has all 12 clusters, so ours is 12 / 11."""
    rng = np.random.default_rng(1)
    cluster = np.tile(np.arange(12), 9)
    group = np.repeat(np.arange(3), 36)
    values = rng.normal(size=108) + rng.normal(size=12)[cluster] + 0.3 * group
    cells = cell_means({str(g): list(zip(cluster[group == g], values[group == g], strict=True)) for g in range(3)})
    fit = OLS(values, np.eye(3)[group]).fit(cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": False})
    assert cells.influence.T @ cells.influence == pytest.approx(fit.cov_params() * 12 / 11)
    weights = np.array([[1.0, -1, 0], [0, 1, -1]])
    theirs = fit.wald_test(weights, use_f=True, scalar=True)
    assert cells.wald(weights).value == pytest.approx(stats.f.sf(theirs.statistic * 11 / 12, 2, 11))


def test_weighted_means_have_the_errors_of_a_weighted_regression() -> None:
    rng = np.random.default_rng(2)
    cluster, group, weight = np.tile(np.arange(12), 6), np.repeat(np.arange(2), 36), rng.uniform(1, 5, size=72)
    values = rng.normal(size=72) + 0.3 * group
    groups = [group == g for g in range(2)]
    cells = cell_means(
        {str(g): list(zip(cluster[of], values[of], strict=True)) for g, of in enumerate(groups)},
        {str(g): weight[of].tolist() for g, of in enumerate(groups)},
    )
    fit = WLS(values, np.eye(2)[group], weights=weight).fit(
        cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": False}
    )
    assert cells.means == pytest.approx(fit.params)
    assert cells.influence.T @ cells.influence == pytest.approx(fit.cov_params() * 12 / 11)


def test_paired_yes_or_no_gets_mcnemars_exact_test() -> None:
    first, second = [1] * 8 + [0] * 2 + [1] * 5, [0] * 8 + [1] * 2 + [1] * 5
    [found] = compare_all({"x": list(enumerate(map(float, first))), "y": list(enumerate(map(float, second)))})
    assert found.p_value.value == pytest.approx(stats.binomtest(8, 10).pvalue)
    assert found.p_value.method == "p of McNemar's exact test, 8 against 2 originals that differ"
    same = compare_all({"x": [(1, 1.0), (2, 0.0)], "y": [(1, 1.0), (2, 0.0)]})[0]
    assert (same.difference.value, same.p_value.reason and same.p_value.reason.code) == (0.0, "no_difference")
    twice = compare_all({"x": [(1, 1.0), (1, 0.0), (2, 1.0)], "y": [(1, 0.0), (2, 0.0), (3, 1.0)]})[0]
    assert twice.p_value.method.startswith("p of the t-test")


def test_the_interval_of_a_difference_of_shares_lies_within_the_range() -> None:
    """Three originals: two kept by one attacker and none by the other. Of numbers that are no shares nothing is cut off."""
    first, second = [(0, 1.0), (1, 1.0), (2, 0.0)], [(0, 0.0), (1, 0.0), (2, 0.0)]
    [found] = compare_all({"x": first, "y": second})
    assert found.difference.interval
    assert found.difference.interval.low == pytest.approx(2 / 3 - 4.302653 / 3)
    assert found.difference.interval.high == 1.0
    assert found.difference.interval.method.endswith("2 degrees of freedom, cut off at −1 and 1")
    [points] = compare_all({"x": [(original, 2 * value) for original, value in first], "y": second})
    assert points.difference.interval
    assert points.difference.interval.high == pytest.approx(4 / 3 + 2 * 4.302653 / 3)


@pytest.mark.parametrize("seed", range(4))
def test_holm_is_that_of_another_library(seed: int) -> None:
    """A few examples only: the other library collects garbage at each call."""
    values = np.random.default_rng(seed).integers(0, 30, size=3 + 2 * seed) / 100
    expected = multipletests(values, method="holm")[1]
    assert [p.value for p in holm([estimate(value) for value in values])] == pytest.approx(list(expected))


def test_holm_counts_only_what_has_a_value() -> None:
    found = holm([estimate(0.03), estimate(None), estimate(0.02)])
    assert [p.value for p in found] == [pytest.approx(0.04), None, pytest.approx(0.04)]
    assert found[0].method == "p; Holm's correction for 2"


def test_what_has_no_test_says_why() -> None:
    alone = cell_means({"x": [(1, 2.0), (1, 3.0)], "y": [(1, 0.0)]})
    difference, p = alone.contrast([1, -1])
    assert (difference.value, p.reason and p.reason.code) == (2.5, "one_cluster")
    assert alone.wald(np.array([[1.0, -1.0]])).reason == p.reason
    few = cell_means({g: [(1, float(i)), (2, 1.0)] for i, g in enumerate("xyz")})
    wald = few.wald(np.array([[1.0, -1, 0], [0, 1, -1]]))
    assert wald.reason and wald.reason.code == "too_few_clusters"
    with pytest.raises(ScoringError, match="no observation of 'x'"):
        cell_means({"x": []})
    assert compare_all({}) == []
