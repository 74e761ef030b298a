"""The 90 % interval covers 90 ± 3 % of the labels of originals that the model and its calibration had not seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

from regressors.evaluation import cross_validate, grouped_folds
from regressors.features.lexical import LexicalFeatures
from regressors.models import FeatureModel, TextRegressor, make_model
from regressors.overlap import seen_of
from regressors.rows import LabelledTexts, TrainingRows, label_texts
from regressors.trained import TrainedModel, calibrate
from scoring.table import read_table

MakeRows = Callable[..., TrainingRows]


def covered(model: TextRegressor, data: LabelledTexts, *, seed: int) -> float:
    """The share of labels within the interval, in grouped cross-validation: of each fold's other originals a model is made, with
    the residuals of a cross-validation inside them, as `regressors.training` does."""
    features, inside = model.represent(data.texts), np.zeros(len(data.texts), dtype=bool)
    for train, test in grouped_folds(data.groups, folds=5, seed=seed):
        known = part_of(data, train)
        out_of_fold = cross_validate(model, features[train], known, seed=seed, repeats=1)
        assert out_of_fold is not None
        card = {"calibration": calibrate(known.labels, out_of_fold.predictions), "data": {"scale": data.scale}}
        fitted = clone(model).fit_represented(features[train], known.targets)
        unseen = [data.texts[row] for row in test]
        _, low, high = TrainedModel(fitted, card, seen_of(TrainingRows([], []), [])).predict_interval(unseen)
        inside[test] = (low <= data.labels[test]) & (data.labels[test] <= high)
    return float(inside.mean())


def part_of(data: LabelledTexts, rows: np.ndarray) -> LabelledTexts:
    return replace(
        data,
        texts=[data.texts[row] for row in rows],
        judgements=[data.judgements[row] for row in rows],
        groups=data.groups[rows],
    )


@pytest.mark.parametrize("noise", [0.5, 1.5])
def test_of_simulated_judgements(make_rows: MakeRows, noise: float) -> None:
    data = label_texts(make_rows(400, noise=noise, seed=3))
    model = FeatureModel((LexicalFeatures(),), "ridge")

    assert 0.87 <= covered(model, data, seed=0) <= 0.93


def test_of_judgements_that_lie_further_apart_for_some_originals(make_rows: MakeRows) -> None:
    """Variants of one original err together, so that folds differ; the share over all of them still holds."""
    rows = make_rows(400, noise=0.5, seed=4)
    shift = dict(zip(sorted(set(rows.originals or ())), np.random.default_rng(0).integers(-1, 2, size=400).tolist(), strict=True))
    moved = [float(np.clip(score + shift[of], 1, 5)) for score, of in zip(rows.scores, rows.originals or (), strict=True)]
    data = label_texts(replace(rows, scores=moved))

    assert 0.87 <= covered(FeatureModel((LexicalFeatures(),), "ridge"), data, seed=0) <= 0.93


@pytest.mark.nightly
@pytest.mark.published_data
@pytest.mark.parametrize("name", ["text+num", "boosting"])
def test_of_the_published_judgements(published_data: Callable[[str], Path], name: str) -> None:
    text, score = "Input.text", "Answer.judgement.score"
    table = read_table(published_data("suspicion_mturk_dev.csv"), required=[text, score, "multi_annotation"])
    single = [row for row in table.rows if not table.boolean(row, "multi_annotation")]
    data = label_texts(TrainingRows([row[text] for row in single], [table.number(row, score) for row in single]))

    assert 0.87 <= covered(make_model(name), data, seed=0) <= 0.93
