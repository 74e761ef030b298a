"""Regressors of texts, and their mean."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from sklearn.base import clone

from regressors.models import FrozenEncoderRidge, LexicalForest, TextNum, TextRegressor, default_model
from regressors.rows import TrainingRows


@pytest.fixture
def rows(make_rows: Callable[..., TrainingRows]) -> TrainingRows:
    return make_rows(20)


def each(model: TextNum) -> list[TextRegressor]:
    return [model, model.text, model.numeric]


def test_each_learns_clones_and_predicts_within_the_scale(small_model: TextNum, rows: TrainingRows) -> None:
    for model in each(small_model):
        fitted = clone(model).fit(rows.texts, rows.scores)
        predicted = fitted.predict(rows.texts)

        assert predicted.shape == (60,)
        assert np.isfinite(predicted).all()
        assert 1 <= predicted.min() < predicted.max() <= 5
        assert fitted.predict([]).shape == (0,)
        assert np.array_equal(fitted.predict(rows.texts[::-1]), predicted[::-1])
        assert np.array_equal(clone(model).fit(rows.texts, rows.scores).predict(rows.texts), predicted)


def test_represented_once_or_not_is_the_same(small_model: TextNum, rows: TrainingRows) -> None:
    features = small_model.represent(rows.texts)

    assert features.shape == (60, small_model.width) == (60, 24 + 22)
    assert np.array_equal(
        clone(small_model).fit_represented(features, rows.scores).predict_represented(features),
        clone(small_model).fit(rows.texts, rows.scores).predict(rows.texts),
    )


def test_text_num_is_the_mean_of_both_trained_apart(small_model: TextNum, rows: TrainingRows) -> None:
    weight = np.linspace(1, 3, 60)
    both = [clone(part).fit(rows.texts, rows.scores, weight).predict(rows.texts) for part in each(small_model)]

    np.testing.assert_allclose(both[0], (both[1] + both[2]) / 2, atol=1e-12)


def test_predictions_are_cut_to_the_scale(small_model: TextNum, rows: TrainingRows) -> None:
    for wide, narrow in (
        (
            FrozenEncoderRidge(small_model.text.encoder, (1.0,), (-99, 99)),
            FrozenEncoderRidge(small_model.text.encoder, (1.0,), (2, 3)),
        ),
        (LexicalForest(trees=9, scale=(-99, 99)), LexicalForest(trees=9, scale=(2, 3))),
    ):
        uncut = wide.fit(rows.texts, rows.scores).predict(rows.texts)

        assert uncut.min() < 2 < 3 < uncut.max()
        assert np.array_equal(narrow.fit(rows.texts, rows.scores).predict(rows.texts), np.clip(uncut, 2, 3))


def test_weights_matter(small_model: TextNum, rows: TrainingRows) -> None:
    weight = np.where(np.array(rows.scores) >= 4, 50.0, 1.0)
    for model in each(small_model):
        plain, weighted = clone(model).fit(rows.texts, rows.scores), clone(model).fit(rows.texts, rows.scores, weight)
        assert weighted.predict(rows.texts).mean() > plain.predict(rows.texts).mean() + 0.3


def test_workers_change_nothing(rows: TrainingRows) -> None:
    one = LexicalForest(trees=30, n_jobs=1).fit(rows.texts, rows.scores)
    two = LexicalForest(trees=30, n_jobs=2).fit(rows.texts, rows.scores)

    assert np.array_equal(one.predict(rows.texts), two.predict(rows.texts))


def test_the_seed_is_used(rows: TrainingRows) -> None:
    first, second = (LexicalForest(trees=10, seed=seed).fit(rows.texts, rows.scores) for seed in (0, 1))

    assert not np.array_equal(first.predict(rows.texts), second.predict(rows.texts))


def test_the_default_is_the_embedded_encoder_and_a_forest() -> None:
    model = default_model(7, scale=(0, 1), n_jobs=2)

    assert (model.text.encoder, model.numeric.seed, model.numeric.n_jobs, model.scale) == (None, 7, 2, (0, 1))
    assert model.text.encoder_used.name == "all-MiniLM-L6-v2"
    assert model.width == 384 + 22
