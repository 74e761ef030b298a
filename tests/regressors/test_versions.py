"""Versions of a model on one test set: the measures, the paired differences, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from regressors.errors import RegressorError
from regressors.features.lexical import LexicalFeatures
from regressors.models import FeatureModel
from regressors.rows import TrainingRows, label_texts
from regressors.trained import TrainedModel
from regressors.training import train
from regressors.versions import compare_versions
from scoring.correlation import pearson
from scoring.judgements.clustered import compare_all
from tests.regressors.conftest import judged_texts


@pytest.fixture(scope="module")
def versions() -> dict[str, TrainedModel]:
    """Of few originals, and of these with more."""
    rows = judged_texts(30, seed=1)

    def of(n: int) -> TrainedModel:
        part = TrainingRows(rows.texts[:n], rows.scores[:n], (rows.originals or [])[:n])
        return train(part, model=FeatureModel((LexicalFeatures(),), "forest"), repeats=1, folds=2)

    return {"first": of(12), "second": of(90)}


@pytest.fixture(scope="module")
def unseen() -> TrainingRows:
    return judged_texts(20, seed=2)


def test_every_version_has_its_measures_on_the_same_texts(versions: dict[str, TrainedModel], unseen: TrainingRows) -> None:
    found = compare_versions(versions, unseen)
    data = label_texts(unseen)
    predicted = versions["second"].predict(data.texts)

    assert [version.name for version in found.versions] == ["first", "second"]
    assert found.versions[1].r == pearson(data.labels, predicted[None], data.groups, seed=0)
    assert found.versions[1].mae.value == pytest.approx(np.abs(predicted - data.labels).mean())
    assert {version.mae.n for version in found.versions} == {len(data.texts)} == {found.data["texts"]}


def test_a_version_is_tested_against_the_one_before_on_the_same_texts(
    versions: dict[str, TrainedModel], unseen: TrainingRows
) -> None:
    first, second = compare_versions(versions, unseen).versions
    data = label_texts(unseen)
    errors = {
        name: list(zip(data.groups.tolist(), np.abs(model.predict(data.texts) - data.labels).tolist(), strict=True))
        for name, model in versions.items()
    }
    (same,) = compare_all({name: errors[name] for name in ("second", "first")})

    assert (first.r_gain, first.error_change, first.p_value) == (None, None, None)
    assert second.error_change is not None
    assert second.p_value is not None
    assert second.r_gain is not None
    assert second.error_change.value == pytest.approx(same.difference.value)
    assert second.p_value.value == pytest.approx(same.p_value.value)
    assert second.p_corrected == replace(second.p_value, method=f"{second.p_value.method}; Holm's correction for 1")
    assert second.r_gain.value == pytest.approx((second.r.value or 0) - (first.r.value or 0))


def test_texts_that_a_version_knows_are_refused_by_its_name(versions: dict[str, TrainedModel]) -> None:
    with pytest.raises(RegressorError, match=r"first: .* are among those that the model was trained on"):
        compare_versions(versions, judged_texts(30, seed=1))


def test_versions_that_predict_different_things_are_refused(versions: dict[str, TrainedModel], unseen: TrainingRows) -> None:
    other = versions["second"]
    mean = replace(other, card=other.card | {"data": other.card["data"] | {"label": "mean"}})
    with pytest.raises(RegressorError, match="labels or scales differ"):
        compare_versions({"first": versions["first"], "mean": mean}, unseen)
    with pytest.raises(RegressorError, match="no model"):
        compare_versions({}, unseen)
