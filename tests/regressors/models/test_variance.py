"""How far apart the opinions within a model are, by kind of model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from regressors.errors import RegressorError
from regressors.features.lexical import LexicalFeatures
from regressors.models import FeatureModel, TextNum
from regressors.models.learners import make_learner, variance_of
from regressors.rows import TrainingRows
from regressors.training import train

RNG = np.random.default_rng(5)
X = RNG.normal(size=(80, 3))
Y = np.clip(np.round(3 + X[:, 0] + RNG.normal(size=80) / 2), 1, 5)


def test_a_forest_is_as_uncertain_as_its_trees_differ() -> None:
    forest = make_learner("forest", seed=1).fit(X, Y)
    trees = np.array([tree.predict(X) for tree in forest.estimators_])

    assert variance_of(forest, X) == pytest.approx(trees.var(axis=0))


def test_a_vote_adds_what_its_parts_are_uncertain_of_themselves() -> None:
    vote = make_learner("voting", seed=1).fit(X, Y)
    parts = np.array([part.predict(X) for part in vote.estimators_])
    of_forest = variance_of(vote.estimators_[1], X)

    assert of_forest is not None
    assert variance_of(vote, X) == pytest.approx(parts.var(axis=0) + of_forest / 3)


def test_an_ordinal_model_knows_the_spread_of_the_scores_that_it_expects() -> None:
    model = make_learner("ordinal", seed=1).fit(X, Y)
    severity = (X - model.mean_) / model.scale_ @ model.coef_
    at_most = 1 / (1 + np.exp(-(model.thresholds_ - severity[:, None])))
    shares = np.diff(at_most, prepend=0.0, append=1.0)
    mean = shares @ model.levels_

    assert variance_of(model, X) == pytest.approx(shares @ model.levels_**2 - mean**2)


def test_a_line_has_one_opinion() -> None:
    assert variance_of(make_learner("ridge", seed=1).fit(X, Y), X) is None


def test_text_and_numbers_differ_within_and_from_each_other(small_model: TextNum, make_rows: Callable[..., TrainingRows]) -> None:
    rows = make_rows(20)
    fitted = small_model.fit(rows.texts, rows.scores)
    features = fitted.represent(rows.texts)
    of_text, of_numbers = fitted._split(features)
    text, numeric = fitted.text_.predict_represented(of_text), fitted.numeric_.predict_represented(of_numbers)
    within = [part.variance_represented(of) for part, of in ((fitted.text_, of_text), (fitted.numeric_, of_numbers))]
    expected = (text - numeric) ** 2 / 4 + sum(0.5 * found for found in within if found is not None)

    assert fitted.variance_represented(features) == pytest.approx(expected)


def test_a_trained_model_says_it_in_points_of_its_scale_or_why_it_cannot(make_rows: Callable[..., TrainingRows]) -> None:
    rows = make_rows(20)
    forest, ridge = (
        train(rows, model=FeatureModel((LexicalFeatures(),), learner), repeats=1, folds=2) for learner in ("forest", "ridge")
    )
    assert forest.uncertainty(rows.texts) ** 2 == pytest.approx(
        forest.model.variance_represented(forest.model.represent(rows.texts))
    )
    assert forest.uncertainty([]).tolist() == []
    with pytest.raises(RegressorError, match="does not say how uncertain it is"):
        ridge.uncertainty(rows.texts)
