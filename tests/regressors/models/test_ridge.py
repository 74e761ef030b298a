"""Ridge regression with a penalty chosen by groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from regressors.models.ridge import GroupedRidge


def _expected_failures(estimator: GroupedRidge) -> dict[str, str]:
    if len(estimator.alphas) == 1:
        return {}
    reason = "a row that is repeated falls into several folds of the choice, a row with a weight into one"
    return {"check_sample_weight_equivalence_on_dense_data": reason}


@parametrize_with_checks([GroupedRidge(alphas=(1.0,)), GroupedRidge()], expected_failed_checks=_expected_failures)
def test_keeps_the_contract_of_estimators(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("rows", [60, 3, 4, 5, 6], ids=lambda rows: f"{rows} rows of 5 columns")
def test_equals_scaling_and_ridge_of_scikit_learn(rows: int) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(rows, 5)) * [1, 10, 100, 1, 1] + 3
    y, weight = X @ [1.0, 0.1, 0.0, -1.0, 0.0] + rng.normal(size=rows), rng.uniform(0.5, 3, size=rows)
    reference = make_pipeline(StandardScaler(), Ridge(alpha=7.0))
    reference.fit(X, y, standardscaler__sample_weight=weight, ridge__sample_weight=weight)

    ours = GroupedRidge(alphas=(7.0,)).fit(X, y, weight)

    np.testing.assert_allclose(ours.predict(X), reference.predict(X), rtol=1e-10)
    np.testing.assert_allclose(ours.coef_, reference[-1].coef_, rtol=1e-8)


def test_chooses_a_small_penalty_for_a_signal_and_a_large_one_for_noise() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 20))

    assert GroupedRidge().fit(X, X[:, 0] * 3).alpha_ == 100
    assert GroupedRidge().fit(X, rng.normal(size=200)).alpha_ == 30_000


def test_the_choice_does_not_learn_an_original_from_its_own_variants() -> None:
    """Each original has its own level, which its nearly equal variants share: between originals there is only noise."""
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(40), 5)
    X = rng.normal(size=(40, 30))[groups] + rng.normal(scale=0.01, size=(200, 30))
    y = rng.normal(size=40)[groups]

    by_rows = GroupedRidge().fit(X, y)
    by_groups = GroupedRidge().fit(X, y, groups=groups)

    assert by_rows.alpha_ == 100
    assert by_groups.alpha_ >= 1_000


def test_one_group_takes_the_largest_penalty() -> None:
    X = np.arange(10.0)[:, None]

    assert GroupedRidge().fit(X, X[:, 0], groups=np.zeros(10)).alpha_ == 30_000


def test_constant_columns_and_rows_without_weight_do_no_harm() -> None:
    X = np.column_stack([np.full(20, 0.1), np.arange(20.0)])
    weight = np.r_[np.ones(10), np.zeros(10)]

    model = GroupedRidge().fit(X, X[:, 1], weight)

    assert np.isfinite(model.predict(X)).all()
