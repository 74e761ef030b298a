"""What learns from columns of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from regressors.errors import RegressorError
from regressors.models.learners import LEARNERS, GroupedStacking, OnNormalQuantiles, make_learner, parts_of, predictions

Data = tuple[NDArray[np.float64], NDArray[np.float64]]


@pytest.fixture(scope="module")
def data() -> Data:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    return X, X[:, 0] - 0.5 * X[:, 1] ** 2 + rng.normal(scale=0.3, size=200)


def one_leaf_deep(depth: int) -> Any:
    return DecisionTreeRegressor(max_depth=depth, random_state=0)


def not_equivalent(estimator: BaseEstimator) -> dict[str, str]:
    why = "a weight weighs the fit; the ranks of a column, and the folds, are those of the rows"
    return {f"check_sample_weight_equivalence_on_{kind}_data": why for kind in ("dense", "sparse")}


@parametrize_with_checks(
    [OnNormalQuantiles(LinearRegression()), GroupedStacking([("line", LinearRegression()), ("tree", one_leaf_deep(2))], folds=3)],
    expected_failed_checks=not_equivalent,
)
def test_scikit_learns_contract(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("name", LEARNERS)
def test_each_finds_what_is_there_and_is_the_same_again(name: str, data: Data) -> None:
    X, y = data
    if name == "ordinal":
        y = np.clip(np.round(y), -2, 2)
    first, again = (make_learner(name, seed=3).fit(X[:150], y[:150]) for _ in range(2))

    assert np.corrcoef(first.predict(X[150:]), y[150:])[0, 1] > 0.6
    assert np.array_equal(first.predict(X), again.predict(X))


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("rows", [1, 2, 50])
def test_predictions_for_attacks_are_scikit_learns_to_the_last_bit(name: str, rows: int, data: Data) -> None:
    X, y = data
    learner = make_learner(name, seed=3).fit(X[:150], np.round(y[:150]))
    of_scikit_learn = learner.stacking_ if name == "stacking" else learner

    assert np.array_equal(predictions(learner, X[-rows:]), of_scikit_learn.predict(X[-rows:]))


@pytest.mark.parametrize("unsound", [np.zeros((1, 3)), np.zeros((1, 5)), np.array([[0.0, np.nan, 0.0, 0.0]])])
def test_a_forest_is_not_led_astray_by_columns_that_it_does_not_know(unsound: NDArray[np.float64], data: Data) -> None:
    forest = make_learner("forest", seed=3).fit(*data)

    with pytest.raises(ValueError, match=r"features|NaN"):
        predictions(forest, unsound)


def test_an_unknown_name_is_told_with_those_that_are_known() -> None:
    with pytest.raises(RegressorError, match="There is no learner 'oracle': choose among ridge, linear, huber, forest"):
        make_learner("oracle", seed=0)


def test_only_the_order_of_a_column_matters_on_normal_quantiles(data: Data) -> None:
    X, y = data
    plain = OnNormalQuantiles(LinearRegression()).fit(X, y)
    bent = OnNormalQuantiles(LinearRegression()).fit(np.exp(X), y)

    np.testing.assert_allclose(bent.predict(np.exp(X)), plain.predict(X), atol=0.05)


def test_stacking_weighs_by_what_each_says_of_rows_that_it_did_not_see() -> None:
    """A deep tree knows each row that it saw by heart; a stacking by seen rows would trust it alone."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 3))
    y = X[:, 0] + rng.normal(scale=1.0, size=120)
    stacking = GroupedStacking([("line", LinearRegression()), ("tree", one_leaf_deep(30))]).fit(X, y)

    of_line, of_tree = stacking.stacking_.final_estimator_.coef_
    assert of_line > 3 * of_tree


def test_stacking_keeps_groups_together() -> None:
    """Each row is there twice with the same label: only by splitting such twins would the tree predict it."""
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(61, 3)), rng.normal(size=61)
    twice, labels, groups = np.vstack([X, X]), np.hstack([y, y]), np.tile(np.arange(61), 2)
    regressors = [("tree", one_leaf_deep(30))]

    apart = GroupedStacking(regressors).fit(twice, labels, groups=np.arange(122))
    together = GroupedStacking(regressors).fit(twice, labels, groups=groups)

    assert apart.stacking_.final_estimator_.coef_[0] > 0.7
    assert together.stacking_.final_estimator_.coef_[0] < 0.3


def test_all_parts_are_found(data: Data) -> None:
    X, y = data
    kinds = [type(part).__name__ for part in parts_of(make_learner("stacking", seed=0).fit(X[:60], y[:60]))]

    assert {kind: kinds.count(kind) for kind in ("GroupedStacking", "HuberRegressor", "RandomForestRegressor")} == {
        "GroupedStacking": 1,
        "HuberRegressor": 1,
        "RandomForestRegressor": 1,
    }
    assert kinds.count("DecisionTreeRegressor") == 200 + 100
    assert [type(part) for part in parts_of(RandomForestRegressor(2).fit(X, y))] == [
        RandomForestRegressor,
        DecisionTreeRegressor,
        DecisionTreeRegressor,
    ]
