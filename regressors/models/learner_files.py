"""Fitted learners as files, and back: weights as safetensors, XGBoost in its own format, all else as skops."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.tree import DecisionTreeRegressor

from regressors.errors import RegressorError
from regressors.models.learners import make_learner, parts_of
from regressors.models.ordinal import OrdinalRegressor
from regressors.models.ridge import GroupedRidge
from scoring.model_folder import dump_skops, dump_tensors, load_skops, load_tensors

RIDGE: Final = "ridge.safetensors"
ORDINAL: Final = "ordinal.safetensors"
XGBOOST: Final = "xgboost.ubj"
SKOPS: Final = "learner.skops"
_LEAF: Final = -1

TYPES: Final = frozenset(
    {
        "builtins.dict",
        "builtins.list",
        "builtins.str",
        "builtins.tuple",
        "numpy.float64",
        "numpy.int64",
        "numpy.ndarray",
        "numpy.random.mtrand.RandomState",
        "regressors.models.learners.GroupedStacking",
        "regressors.models.learners.OnNormalQuantiles",
        "sklearn._loss._loss.CyHalfSquaredError",
        "sklearn._loss.link.IdentityLink",
        "sklearn._loss.link.Interval",
        "sklearn._loss.loss.HalfSquaredError",
        "sklearn.dummy.DummyRegressor",
        "sklearn.ensemble._forest.RandomForestRegressor",
        "sklearn.ensemble._gb.GradientBoostingRegressor",
        "sklearn.ensemble._stacking.StackingRegressor",
        "sklearn.ensemble._voting.VotingRegressor",
        "sklearn.linear_model._base.LinearRegression",
        "sklearn.linear_model._huber.HuberRegressor",
        "sklearn.preprocessing._data.QuantileTransformer",
        "sklearn.tree._classes.DecisionTreeRegressor",
        "sklearn.tree._tree.Tree",
        "sklearn.utils._bunch.Bunch",
    }
)
"""What a learner's skops file may name."""


def dump_learner(learner: Any) -> dict[str, bytes]:
    """The files of a fitted learner, by name."""
    if isinstance(learner, GroupedRidge):
        numbers = {"intercept": np.array([learner.intercept_]), "alpha": np.array([learner.alpha_])}
        return {RIDGE: dump_tensors({"coef": learner.coef_, "mean": learner.mean_, "scale": learner.scale_} | numbers)}
    if isinstance(learner, OrdinalRegressor):
        return {ORDINAL: dump_tensors(_ordinal_numbers(learner))}
    if _is_xgboost(learner):
        return {XGBOOST: bytes(learner.get_booster().save_raw("ubj"))}
    return {SKOPS: dump_skops(learner)}


def load_learner(name: str, files: Mapping[str, bytes], *, columns: int) -> Any:
    """The fitted learner of that name on that many columns. RegressorError or ModelFolderError where the files hold another, or
    an unsound one; KeyError for a missing file."""
    empty = make_learner(name, seed=0)
    if isinstance(empty, GroupedRidge):
        return _ridge(load_tensors(files[RIDGE]), columns)
    if isinstance(empty, OrdinalRegressor):
        return _ordinal(empty, load_tensors(files[ORDINAL]), columns)
    if _is_xgboost(empty):
        return _xgboost(empty, files[XGBOOST], columns)
    learner = load_skops(files[SKOPS], TYPES)
    if type(learner) is not type(empty) or getattr(learner, "n_features_in_", None) != columns:
        raise RegressorError(f"{SKOPS} holds no {name} for {columns} features.")
    for part in parts_of(learner):
        if isinstance(part, DecisionTreeRegressor) and not _is_sound(part, columns):
            raise RegressorError(f"{SKOPS} holds a tree that is not sound.")
    return learner


def _is_xgboost(learner: BaseEstimator) -> bool:
    return type(learner).__module__.startswith("xgboost.")


def _ridge(tensors: Mapping[str, Any], columns: int) -> GroupedRidge:
    ridge = GroupedRidge()
    ridge.coef_, ridge.mean_, ridge.scale_ = tensors["coef"], tensors["mean"], tensors["scale"]
    ridge.intercept_, ridge.alpha_ = float(tensors["intercept"][0]), float(tensors["alpha"][0])
    ridge.n_features_in_ = columns
    if not ridge.coef_.shape == ridge.mean_.shape == ridge.scale_.shape == (columns,):
        raise RegressorError(f"{RIDGE} holds no weights for {columns} columns.")
    if not all(np.isfinite(tensor).all() for tensor in tensors.values()):
        raise RegressorError(f"{RIDGE} holds weights that are not finite.")
    return ridge


def _ordinal_numbers(learner: OrdinalRegressor) -> dict[str, NDArray[Any]]:
    """What predictions need. Who the annotators were stays out of the files: their effects are there without their names."""
    return {
        "coef": learner.coef_,
        "mean": learner.mean_,
        "scale": learner.scale_,
        "levels": learner.levels_,
        "thresholds": learner.thresholds_,
        "effects": learner.effects_,
        "alpha": np.array([learner.alpha_]),
    }


def _ordinal(learner: OrdinalRegressor, tensors: Mapping[str, Any], columns: int) -> OrdinalRegressor:
    learner.coef_, learner.mean_, learner.scale_ = tensors["coef"], tensors["mean"], tensors["scale"]
    learner.levels_, learner.thresholds_, learner.effects_ = tensors["levels"], tensors["thresholds"], tensors["effects"]
    learner.alpha_, learner.n_features_in_ = float(tensors["alpha"][0]), columns
    if not learner.coef_.shape == learner.mean_.shape == learner.scale_.shape == (columns,):
        raise RegressorError(f"{ORDINAL} holds no weights for {columns} columns.")
    if not all(np.isfinite(tensor).all() for tensor in tensors.values()):
        raise RegressorError(f"{ORDINAL} holds weights that are not finite.")
    steps = (len(learner.levels_) - 1,)
    if learner.levels_.ndim != 1 or learner.thresholds_.shape != steps or learner.effects_.ndim != 1 or not learner.effects_.size:
        raise RegressorError(f"{ORDINAL} holds no threshold between each two levels.")
    return learner


def _xgboost(empty: Any, content: bytes, columns: int) -> Any:
    from xgboost.core import XGBoostError

    try:
        empty.load_model(bytearray(content))
        told = json.loads(empty.get_booster().save_raw("json"))
    except (XGBoostError, ValueError, TypeError) as error:
        raise RegressorError(f"{XGBOOST} cannot be read: {str(error).splitlines()[0]}") from error
    if empty.n_features_in_ != columns:
        raise RegressorError(f"{XGBOOST} holds no trees for {columns} features.")
    booster = told["learner"]["gradient_booster"]
    if booster.get("name") != "gbtree" or not all(_is_sound_in_xgboost(tree, columns) for tree in booster["model"]["trees"]):
        raise RegressorError(f"{XGBOOST} holds a tree that is not sound.")
    return empty


def _is_sound_in_xgboost(tree: Mapping[str, Any], columns: int) -> bool:
    """The same as for scikit-learn's trees: neither library checks where the nodes of a file lead."""
    left, right, feature = (np.array(tree[name]) for name in ("left_children", "right_children", "split_indices"))
    numbers = np.array([tree["split_conditions"], tree["base_weights"]], dtype=np.float64)
    alike = len(left) and len(left) == len(right) == len(feature) == numbers.shape[1] == len(tree["split_type"])
    leaf_alike = alike and np.array_equal(left == _LEAF, right == _LEAF)
    return bool(
        leaf_alike and not any(tree["split_type"]) and np.isfinite(numbers).all() and leads_on(left, right, feature, columns)
    )


def _is_sound(tree: Any, columns: int) -> bool:
    """Children come after their parent and exist; splits are on existing columns; values are finite numbers. scikit-learn
    follows a tree's nodes without checking where they lead, so a crafted file could read foreign memory or never end."""
    tree = tree.tree_
    left, value = tree.children_left, tree.value
    return bool(
        len(left)
        and tree.n_features == columns
        and value.shape == (len(left), 1, 1)
        and np.isfinite(value).all()
        and leads_on(left, tree.children_right, tree.feature, columns)
    )


def leads_on(left: Any, right: Any, feature: Any, columns: int) -> bool:
    """Whether each inner node splits an existing column and leads to nodes that exist and come after it."""
    inner = left != _LEAF
    own = np.flatnonzero(inner)
    children = (left[inner], right[inner])
    led = all((own < child).all() and (child < len(left)).all() for child in children)
    return bool(led and ((feature[inner] >= 0) & (feature[inner] < columns)).all())
