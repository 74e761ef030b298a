"""Results by what made the text, and trained on one variant and tested on each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from regressors.by_variant import results_by_variant, texts_by_variant
from regressors.features.lexical import LexicalFeatures
from regressors.models import FeatureModel
from regressors.rows import LabelledTexts, TrainingRows, label_texts
from regressors.targets import Targets
from regressors.transfer import predict_from_variant, transfers

MakeRows = Callable[..., TrainingRows]


@pytest.fixture
def data(make_rows: MakeRows) -> LabelledTexts:
    """Three texts of each of 60 originals, by "a", "b" and "c" in turn."""
    rows = make_rows(60)
    return label_texts(replace(rows, variants=[*"abc"] * 60))


@pytest.fixture
def linear() -> FeatureModel:
    return FeatureModel((LexicalFeatures(),), "linear")


def test_measures_are_over_the_variant_s_texts() -> None:
    data = label_texts(TrainingRows(["one", "two", "three", "three"], [1, 2, 4, 5], [*"wxyy"], variants=["a", "b", "a", "b"]))
    predictions = np.array([[2.0, 3.0, 1.0], [2.0, 4.0, 2.0]])  # texts in the order one, three, two

    first, second = results_by_variant(data, predictions, seed=0)

    assert (first.variant, first.n, first.mean_judged, first.mean_predicted) == ("a", 2, pytest.approx(2.75), pytest.approx(2.75))
    assert (second.variant, second.n, second.mean_judged) == ("b", 2, pytest.approx(3.25))
    assert second.mean_predicted == pytest.approx(2.5)
    assert second.rmse.value == pytest.approx((np.sqrt((1.5**2 + 1) / 2) + np.sqrt(0.5**2 / 2)) / 2)
    assert first.r.reason is not None
    assert first.r.reason.code == "too_few_texts"


def test_without_variants_there_are_no_results(make_rows: MakeRows) -> None:
    data = label_texts(make_rows(5))
    assert list(texts_by_variant(data)) == []
    assert results_by_variant(data, np.zeros((1, 15)), seed=0) == []


def test_only_the_variant_s_texts_of_other_originals_are_trained_on(
    data: LabelledTexts, linear: FeatureModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    features = linear.represent(data.texts)
    seen: list[np.ndarray] = []
    fit, predict = FeatureModel.fit_represented, FeatureModel.predict_represented

    def fit_seen(self: FeatureModel, X: np.ndarray, told: Targets) -> FeatureModel:
        seen.append(told.groups)
        of_the_variant = features[dict(texts_by_variant(data))["b"]]
        assert {row.tobytes() for row in X} <= {row.tobytes() for row in of_the_variant}
        return fit(self, X, told)

    def predict_unseen(self: FeatureModel, X: np.ndarray) -> np.ndarray:
        rows = [place for place, row in enumerate(features) if row.tobytes() in {other.tobytes() for other in X}]
        assert set(data.groups[rows]) & set(seen[-1].tolist()) == set()
        return predict(self, X)

    monkeypatch.setattr(FeatureModel, "fit_represented", fit_seen)
    monkeypatch.setattr(FeatureModel, "predict_represented", predict_unseen)
    predicted = predict_from_variant(linear, features, data, "b", seed=1, folds=4)

    assert predicted is not None
    assert (predicted > 0).all()
    assert [len(groups) for groups in seen] == [45] * 4


def test_r_is_of_the_variant_tested_on(data: LabelledTexts, linear: FeatureModel) -> None:
    predicted = predict_from_variant(linear, linear.represent(data.texts), data, "a", seed=1, folds=4)
    found = transfers(data, "a", [predicted], seed=0)

    assert [(of.trained_on, of.tested_on, of.r.n) for of in found] == [("a", "a", 60), ("a", "b", 60), ("a", "c", 60)]
    assert predicted is not None
    for of, (_, rows) in zip(found, texts_by_variant(data), strict=True):
        assert of.r.value == pytest.approx(np.corrcoef(data.labels[rows], predicted[rows])[0, 1])
        assert of.r.value > 0.5


def test_too_few_of_a_variant_have_a_reason(linear: FeatureModel, make_rows: MakeRows) -> None:
    rows = make_rows(12)
    data = label_texts(replace(rows, variants=[*"abc"] * 12))
    assert predict_from_variant(linear, linear.represent(data.texts), data, "a", seed=1, folds=5) is None

    for found in transfers(data, "a", [None], seed=0):
        assert found.r.reason is not None
        assert found.r.reason.code == "too_few_of_the_variant"
