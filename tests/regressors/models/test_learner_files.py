"""Fitted learners as files: the same predictions afterwards, and nothing unsound."""

from __future__ import annotations

import json
import math
from copy import deepcopy
from functools import cache
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from regressors.errors import RegressorError
from regressors.models.learner_files import ORDINAL, RIDGE, SKOPS, XGBOOST, dump_learner, load_learner
from regressors.models.learners import LEARNERS, make_learner
from scoring.model_folder import ModelFolderError, dump_skops, dump_tensors, load_tensors

COLUMNS = 3
X = np.random.default_rng(0).normal(size=(60, COLUMNS))


@cache
def _fitted_once(name: str) -> Any:
    return make_learner(name, seed=1).fit(X, np.round(X[:, 0] * 2))


def fitted(name: str) -> Any:
    """A copy, with which the test may do what it likes."""
    return deepcopy(_fitted_once(name))


@pytest.mark.parametrize("name", LEARNERS)
def test_a_loaded_learner_predicts_exactly_the_same(name: str) -> None:
    learner = fitted(name)
    files = dump_learner(learner)
    loaded = load_learner(name, files, columns=COLUMNS)

    assert np.array_equal(loaded.predict(X), learner.predict(X))
    assert dump_learner(loaded).keys() == files.keys()


def test_another_object_in_its_place_is_refused() -> None:
    for obj, message in (
        (Ridge().fit([[0.0], [1.0]], [0.0, 1.0]), "a type that is not allowed here"),
        (fitted("forest").estimators_[0], "holds no forest for 3 features"),
        (fitted("boosting"), "holds no forest for 3 features"),
        ({"a": 1}, "holds no forest for 3 features"),
    ):
        with pytest.raises((RegressorError, ModelFolderError), match=message):
            load_learner("forest", {SKOPS: dump_skops(obj)}, columns=COLUMNS)


@pytest.mark.parametrize("name", ["forest", "boosting", "linear", "xgboost", "stacking"])
def test_other_columns_are_refused(name: str) -> None:
    with pytest.raises(RegressorError, match="for 4 features"):
        load_learner(name, dump_learner(fitted(name)), columns=4)


@pytest.mark.parametrize("name", ["forest", "stacking"])
@pytest.mark.parametrize(
    ("field", "value"), [("left_child", 10_000), ("left_child", 0), ("right_child", -5), ("feature", 22), ("feature", -1)]
)
def test_a_tree_that_leads_nowhere_is_refused(name: str, field: str, value: int) -> None:
    learner = fitted(name)
    forest = learner if name == "forest" else learner.stacking_.estimators_[1]
    del forest.estimators_[2:]  # of many trees each is written and read, and one is looked at here
    tree = forest.estimators_[0].tree_
    state = tree.__getstate__()
    nodes = state["nodes"].copy()
    nodes[field][0] = value
    tree.__setstate__(state | {"nodes": nodes})

    with pytest.raises(RegressorError, match="a tree that is not sound"):
        load_learner(name, dump_learner(learner), columns=COLUMNS)


def test_weights_that_do_not_fit_are_refused() -> None:
    ridge = load_tensors(dump_learner(fitted("ridge"))[RIDGE])

    with pytest.raises(RegressorError, match="no weights for 3 columns"):
        load_learner("ridge", {RIDGE: dump_tensors(ridge | {"coef": ridge["coef"][:-1]})}, columns=COLUMNS)
    with pytest.raises(RegressorError, match="not finite"):
        load_learner("ridge", {RIDGE: dump_tensors(ridge | {"coef": ridge["coef"] * np.inf})}, columns=COLUMNS)


def test_an_ordinal_regression_that_does_not_fit_is_refused() -> None:
    numbers = load_tensors(dump_learner(fitted("ordinal"))[ORDINAL])

    for changed, message in (
        ({"mean": numbers["mean"][:-1]}, "no weights for 3 columns"),
        ({"effects": np.array([np.nan])}, "not finite"),
        ({"effects": np.array([])}, "no threshold between each two levels"),
        ({"thresholds": numbers["thresholds"][1:]}, "no threshold between each two levels"),
    ):
        with pytest.raises(RegressorError, match=message):
            load_learner("ordinal", {ORDINAL: dump_tensors(numbers | changed)}, columns=COLUMNS)


def test_annotators_are_not_named_in_the_files() -> None:
    y = np.round(X[:, 0] * 2)
    told = {"judgements": [(score,) for score in y], "annotators": [("Ada",), ("Grace",)] * 30}
    learner = make_learner("ordinal", seed=0).fit(X, y, **told)
    files = dump_learner(learner)

    assert sorted(learner.annotator_effects_) == ["Ada", "Grace"]
    assert b"Ada" not in files[ORDINAL] and b"Grace" not in files[ORDINAL]
    assert np.array_equal(load_learner("ordinal", files, columns=COLUMNS).predict(X), learner.predict(X))


def test_what_is_no_xgboost_file_is_refused() -> None:
    with pytest.raises(RegressorError, match=r"xgboost\.ubj cannot be read"):
        load_learner("xgboost", {XGBOOST: b"no trees"}, columns=COLUMNS)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("left_children", 50_000_000),
        ("left_children", 0),
        ("right_children", -5),
        ("right_children", -1),
        ("split_indices", 100_000_000),
        ("split_indices", -1),
        ("split_conditions", math.nan),
        ("split_type", 1),
    ],
)
def test_a_tree_of_xgboost_that_leads_nowhere_is_refused(field: str, value: float) -> None:
    booster = json.loads(fitted("xgboost").get_booster().save_raw("json"))
    booster["learner"]["gradient_booster"]["model"]["trees"][1][field][0] = value

    with pytest.raises(RegressorError, match=r"xgboost\.ubj (holds a tree that is not sound|cannot be read)"):
        load_learner("xgboost", {XGBOOST: json.dumps(booster).encode()}, columns=COLUMNS)
