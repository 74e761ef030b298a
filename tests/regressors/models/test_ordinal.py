"""Ordinal regression of judgements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.stats import spearmanr
from sklearn.utils.estimator_checks import parametrize_with_checks

from regressors.models.ordinal import OrdinalRegressor, _Draws, _Likelihood, expected_scores
from regressors.models.ridge import GroupedRidge

Simulated = tuple[np.ndarray, np.ndarray, list[tuple[float, ...]], list[tuple[str, ...]], np.ndarray]


def _expected_failures(estimator: OrdinalRegressor) -> dict[str, str]:
    if len(estimator.alphas) == 1:
        return {}
    reason = "a row that is repeated falls into several folds of the choice, a row with a weight into one"
    return {"check_sample_weight_equivalence_on_dense_data": reason}


@parametrize_with_checks(
    [OrdinalRegressor(alphas=(1.0,)), OrdinalRegressor(alphas=(1.0, 10.0), folds=2)], expected_failed_checks=_expected_failures
)
def test_keeps_the_contract_of_estimators(estimator: Any, check: Any) -> None:
    check(estimator)


def simulated(*, texts: int = 300, people: int = 12, per_text: int = 3, spread: float = 2.0, seed: int = 0) -> Simulated:
    """Columns, the mean score that all people would give, judgements, who gave them, and how high each of them scores."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(texts, 4)) * [1, 10, 1, 1] + [0, 5, 0, 0]
    severity = X @ [1.0, 0.08, 0.0, -0.5]
    effects = rng.normal(scale=spread, size=people)
    thresholds = np.array([-1.5, -0.5, 0.5, 1.5])
    judges = np.array([rng.choice(people, size=per_text, replace=False) for _ in range(texts)])
    latent = severity[:, None] + effects[judges] + rng.logistic(size=judges.shape)
    scores = 1 + (latent[:, :, None] > thresholds).sum(axis=2)
    higher = 1 / (1 + np.exp(thresholds - severity[:, None, None] - effects[:, None]))
    expected = 1 + higher.sum(axis=2).mean(axis=1)
    names = [tuple(f"person {judge}" for judge in row) for row in judges]
    return X, expected, [tuple(map(float, row)) for row in scores], names, effects


def test_the_gradient_is_that_of_the_likelihood() -> None:
    rng = np.random.default_rng(0)
    level = rng.integers(0, 4, size=40)
    draws = _Draws(np.arange(40), level.astype(float), rng.uniform(0.5, 2, 40), rng.integers(0, 5, 40), list("abcde"))
    likelihood = _Likelihood(rng.normal(size=(40, 3)), level, 4, draws, 0.7)
    place = np.concatenate([[-1.0, 0.1, -0.2], rng.normal(size=8)])

    assert check_grad(lambda at: likelihood(at, 1.3)[0], lambda at: likelihood(at, 1.3)[1], place) < 1e-4


def test_without_penalty_it_is_the_ordered_model_of_statsmodels() -> None:
    from statsmodels.miscmodels.ordinal_model import OrderedModel

    X, _, judgements, _, _ = simulated(per_text=1)
    y = np.array(judgements)[:, 0]
    reference = OrderedModel(y, X, distr="logit").fit(method="bfgs", disp=False, gtol=1e-8)
    slopes, gaps = reference.params[:4], reference.params[4:]

    ours = OrdinalRegressor(alphas=(0.0,)).fit(X, y)

    np.testing.assert_allclose(ours.coef_ / ours.scale_, slopes, rtol=1e-4, atol=1e-5)
    raw = ours.thresholds_ + ours.mean_ / ours.scale_ @ ours.coef_
    np.testing.assert_allclose(raw, np.cumsum([gaps[0], *np.exp(gaps[1:])]), rtol=1e-4)
    np.testing.assert_allclose(ours.predict(X), reference.predict() @ np.arange(1, 6), rtol=1e-4)


def test_the_severities_of_annotators_are_recovered() -> None:
    X, _, judgements, names, effects = simulated()
    y = np.mean(judgements, axis=1)

    ours = OrdinalRegressor(alphas=(1.0,)).fit(X, y, judgements=judgements, annotators=names)

    assert sorted(ours.annotator_effects_) == sorted(f"person {place}" for place in range(12))
    found = [ours.annotator_effects_[f"person {place}"] for place in range(12)]
    assert spearmanr(found, effects).statistic > 0.9
    assert 0.5 < np.std(found) / np.std(effects) < 1.2


@pytest.mark.parametrize("seed", range(3))
def test_where_annotators_differ_it_beats_a_regression_on_mean_labels(seed: int) -> None:
    """Each text has two of 40 judges, so that its mean says as much of them as of the text."""
    X, expected, judgements, names, _ = simulated(texts=200, people=40, per_text=2, spread=3.0, seed=seed)
    y = np.mean(judgements, axis=1)
    train, test = np.arange(100), np.arange(100, 200)

    def error(predicted: np.ndarray) -> float:
        return float(np.sqrt(np.mean((predicted - expected[test]) ** 2)))

    told = {"judgements": judgements[:100], "annotators": names[:100]}
    alphas = (0.1, 1.0, 10.0, 100.0)
    ordinal = error(OrdinalRegressor(alphas).fit(X[train], y[train], np.full(100, 2.0), **told).predict(X[test]))
    nameless = error(OrdinalRegressor(alphas).fit(X[train], y[train], judgements=judgements[:100]).predict(X[test]))
    plain = error(GroupedRidge(alphas).fit(X[train], y[train]).predict(X[test]))

    assert ordinal < 0.9 * plain
    assert ordinal < nameless


def test_predictions_are_the_mean_of_what_all_people_would_say() -> None:
    """Somebody between mild and severe would say more extreme things than the mean of both."""
    X, expected, judgements, names, _ = simulated(spread=4.0)
    ours = OrdinalRegressor(alphas=(1.0,)).fit(X, np.mean(judgements, axis=1), judgements=judgements, annotators=names)
    severity = (X - ours.mean_) / ours.scale_ @ ours.coef_
    people = np.array(list(ours.annotator_effects_.values()))

    of_all = expected_scores(severity, ours.thresholds_, ours.levels_, people)
    of_one = expected_scores(severity, ours.thresholds_, ours.levels_, np.zeros(1))

    assert np.abs(ours.predict(X) - of_all).max() < 0.15
    assert np.abs(of_one - of_all).max() > 0.3
    assert np.std(ours.predict(X)) < 1.2 * np.std(expected) < np.std(of_one)


def test_a_judgement_is_a_draw() -> None:
    """A text judged three times is three rows judged once."""
    X, _, judgements, _, _ = simulated(texts=60)
    y = np.mean(judgements, axis=1)

    once = OrdinalRegressor(alphas=(1.0,)).fit(X, y, np.full(60, 3.0), judgements=judgements)
    apart = OrdinalRegressor(alphas=(1.0,)).fit(np.repeat(X, 3, axis=0), np.ravel(judgements))

    np.testing.assert_allclose(once.predict(X), apart.predict(X), atol=1e-5)


def test_predictions_stay_within_the_levels_seen() -> None:
    X, _, judgements, _, _ = simulated(texts=80)
    y = np.clip(np.array(judgements)[:, 0], 2, 4)

    far = OrdinalRegressor(alphas=(0.1,)).fit(X, y).predict(X * 1e6)

    assert far.min() == pytest.approx(2) and far.max() == pytest.approx(4)
    assert far.min() >= 2 and far.max() <= 4


def test_one_level_is_what_is_expected() -> None:
    X = np.arange(10.0)[:, None]

    assert np.array_equal(OrdinalRegressor().fit(X, np.full(10, 3.0)).predict(X), np.full(10, 3.0))


def test_the_penalty_is_chosen_with_groups_kept_together() -> None:
    """Each original has its own level, which its nearly equal variants share: between originals there is only noise."""
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(40), 5)
    X = rng.normal(size=(40, 30))[groups] + rng.normal(scale=0.01, size=(200, 30))
    y = rng.integers(1, 6, size=40)[groups].astype(float)
    alphas = (1.0, 1_000.0)

    assert OrdinalRegressor(alphas).fit(X, y).alpha_ == 1
    assert OrdinalRegressor(alphas).fit(X, y, groups=groups).alpha_ == 1_000


def test_annotators_must_match_the_judgements() -> None:
    with pytest.raises(ValueError, match="There are 4 judgements but 3 annotators"):
        OrdinalRegressor().fit([[0.0], [1.0]], [1, 2], judgements=[(1, 1), (2, 2)], annotators=[("a", "b"), ("a",)])
