"""Models of feature groups."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from sklearn.base import clone

from regressors.features.encoder import EncoderFeatures
from regressors.features.group import FeatureGroup
from regressors.features.lexical import LexicalFeatures
from regressors.models import MODELS, FeatureModel, TextNum, default_model, make_model, model_of
from regressors.models.learners import LEARNERS
from regressors.rows import TrainingRows


@pytest.fixture
def rows(make_rows: Callable[..., TrainingRows]) -> TrainingRows:
    return make_rows(20)


@pytest.fixture(params=["ridge", "linear", "forest"])
def model(request: pytest.FixtureRequest, small_groups: dict[str, FeatureGroup]) -> FeatureModel:
    return FeatureModel((small_groups["encoder"], LexicalFeatures()), request.param, seed=3)


def test_it_learns_clones_and_predicts_within_the_scale(model: FeatureModel, rows: TrainingRows) -> None:
    fitted = clone(model).fit(rows.texts, rows.scores)
    predicted = fitted.predict(rows.texts)

    assert predicted.shape == (60,)
    assert 1 <= predicted.min() < predicted.max() <= 5
    assert fitted.predict([]).shape == (0,)
    np.testing.assert_allclose(fitted.predict(rows.texts[::-1]), predicted[::-1], atol=1e-9)
    assert np.array_equal(clone(model).fit(rows.texts, rows.scores).predict(rows.texts), predicted)


def test_predictions_are_cut_to_the_scale(model: FeatureModel, rows: TrainingRows) -> None:
    uncut = clone(model).set_params(scale=(-99, 99)).fit(rows.texts, rows.scores).predict(rows.texts)
    cut = clone(model).set_params(scale=(2, 3)).fit(rows.texts, rows.scores).predict(rows.texts)

    assert uncut.min() < 2 < 3 < uncut.max()
    assert np.array_equal(cut, np.clip(uncut, 2, 3))


@pytest.mark.parametrize("learner", LEARNERS)
def test_weights_matter_to_every_learner(learner: str, rows: TrainingRows) -> None:
    """Each text is called both 2 and 4, the one with nine times the weight of the other."""
    texts, y, weight = [*rows.texts, *rows.texts], np.repeat([2.0, 4.0], 60), np.repeat([9.0, 1.0], 60)
    model = FeatureModel((LexicalFeatures(),), learner)
    low, high = (clone(model).fit(texts, y, of).predict(rows.texts) for of in (weight, weight[::-1]))

    assert low.max() < 2.7 and high.min() > 3.3


def test_its_groups_stand_side_by_side(model: FeatureModel, rows: TrainingRows) -> None:
    encoder, lexical = model.groups

    assert model.width == len(encoder.names) + len(lexical.names)
    assert np.array_equal(model.represent(rows.texts), np.hstack([encoder.compute(rows.texts), lexical.compute(rows.texts)]))


def test_workers_change_nothing_and_the_seed_is_used(rows: TrainingRows) -> None:
    predictions = [
        FeatureModel((LexicalFeatures(),), "forest", seed=seed, n_jobs=n_jobs).fit(rows.texts, rows.scores).predict(rows.texts)
        for seed, n_jobs in ((0, 1), (0, 2), (1, 1))
    ]

    assert np.array_equal(predictions[0], predictions[1])
    assert not np.array_equal(predictions[0], predictions[2])


@pytest.mark.parametrize("name", MODELS)
def test_parameters_make_an_equal_model(name: str) -> None:
    parameters = make_model(name, seed=5, scale=(0, 1)).parameters()

    assert model_of(json.loads(json.dumps(parameters))).parameters() == parameters


def test_given_groups_stand_in_for_those_named(small_groups: dict[str, FeatureGroup]) -> None:
    model = model_of(make_model("encoder").parameters(), small_groups)

    assert (model.groups, model.width) == ((small_groups["encoder"],), 24)


def test_the_default_is_the_embedded_encoder_and_a_forest() -> None:
    model = default_model(7, scale=(0, 1), n_jobs=2)
    text, numeric = model.text, model.numeric
    assert isinstance(model, TextNum) and isinstance(text, FeatureModel) and isinstance(numeric, FeatureModel)
    [encoder] = text.groups

    assert isinstance(encoder, EncoderFeatures)
    assert (encoder.encoder.name, text.learner) == ("all-MiniLM-L6-v2", "ridge")
    assert (numeric.learner, numeric.seed, numeric.n_jobs, model.scale, numeric.scale) == ("forest", 7, 2, (0, 1), (0, 1))
    assert [type(group) for group in numeric.groups] == [LexicalFeatures]
