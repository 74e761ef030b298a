"""Saving and loading trained models as model folders: ridge as safetensors, forest as skops, `card.json`."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor

from regressors.errors import RegressorError
from regressors.features.lexical import LexicalFeatures
from regressors.models import FrozenEncoderRidge, LexicalForest, TextNum
from regressors.models.ridge import GroupedRidge
from regressors.trained import TrainedModel
from regressors.training import KIND
from scoring.model_folder import (
    ModelFolderError,
    dump_skops,
    dump_tensors,
    load_skops,
    load_tensors,
    read_model_folder,
    write_model_folder,
)
from scoring.texts.encoder import SentenceEncoder, embedded_encoder

RIDGE: Final = "ridge.safetensors"
FOREST: Final = "forest.skops"
TRAINING_TEXTS: Final = "training_texts.safetensors"
_LEAF: Final = -1
FOREST_TYPES: Final = frozenset(
    {
        "builtins.dict",
        "builtins.list",
        "builtins.str",
        "builtins.tuple",
        "numpy.ndarray",
        "sklearn.ensemble._forest.RandomForestRegressor",
        "sklearn.tree._classes.DecisionTreeRegressor",
        "sklearn.tree._tree.Tree",
    }
)


def save(trained: TrainedModel, folder: Path, *, replace: bool = False) -> TrainedModel:
    """Writes the model's folder whole or not at all; returns the model with its SHA-256.

    RegressorError if the folder exists (`replace` allows another model there).
    """
    assert isinstance(trained.model, TextNum)
    head = trained.model.text_.head_
    ridge = {
        "coef": head.coef_,
        "intercept": np.array([head.intercept_]),
        "mean": head.mean_,
        "scale": head.scale_,
        "alpha": np.array([head.alpha_]),
    }
    files = {
        RIDGE: dump_tensors(ridge),
        FOREST: dump_skops(trained.model.numeric_.forest_),
        TRAINING_TEXTS: dump_tensors({"sha256_prefixes": trained.training_texts}),
    }
    try:
        sha256 = write_model_folder(folder, card=trained.card, files=files, replace=replace)
    except ModelFolderError as error:
        raise RegressorError(str(error)) from error
    return TrainedModel(trained.model, trained.card, trained.training_texts, sha256)


def load(folder: Path, *, encoder: SentenceEncoder | None = None) -> TrainedModel:
    """The model of a folder; predicts exactly what it predicted when it was saved. Nothing is unpickled.

    RegressorError for anything missing, changed, or made with another encoder, other features or another major version
    of scikit-learn. `encoder`: the one it was trained with, unless that is the embedded one.
    """
    try:
        stored = read_model_folder(Path(folder))
        _check_card(stored.card, folder)
        _check_encoder(stored.card, encoder if encoder is not None else embedded_encoder())
        ridge = load_tensors(stored.files[RIDGE])
        forest = load_skops(stored.files[FOREST], FOREST_TYPES)
        training_texts = load_tensors(stored.files[TRAINING_TEXTS])["sha256_prefixes"]
        model = _rebuild(stored.card, ridge, forest, encoder)
    except ModelFolderError as error:
        raise RegressorError(str(error)) from error
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise RegressorError(f"{folder} lacks a part of the model ({type(error).__name__}: {error}).") from error
    return TrainedModel(model, stored.card, training_texts, stored.sha256)


def _check_card(card: dict[str, Any], folder: Path) -> None:
    if card.get("kind") != KIND:
        raise RegressorError(f"{folder} holds no {KIND}; its card says {card.get('kind')!r}.")
    saved_with, here = card["libraries"]["scikit-learn"], version("scikit-learn")
    if saved_with.split(".")[0] != here.split(".")[0]:
        raise RegressorError(
            f"{folder} was saved with scikit-learn {saved_with}; here is {here}. Train it again, or install that version."
        )
    lexical = card["features"][1]
    if (lexical["version"], lexical["names"]) != (LexicalFeatures.version, list(LexicalFeatures.names)):
        raise RegressorError(
            f"{folder} was trained on version {lexical['version']} of the lexical features; "
            f"here they are version {LexicalFeatures.version}. Train it again."
        )


def _check_encoder(card: dict[str, Any], encoder: SentenceEncoder) -> None:
    wanted = card["features"][0]
    if wanted["sha256"] != encoder.sha256:
        raise RegressorError(
            f"The model was trained with the encoder {wanted['name']} {wanted['version']}, SHA-256 {wanted['sha256']}; "
            f"{encoder.name} {encoder.version} has {encoder.sha256}."
        )


def _rebuild(card: dict[str, Any], ridge: dict[str, Any], forest: object, encoder: SentenceEncoder | None) -> TextNum:
    low, high = card["data"]["scale"]
    scale = (float(low), float(high))
    text, numeric = card["parameters"]["text"], dict(card["parameters"]["numeric"])
    numeric.pop("name")
    model = TextNum(FrozenEncoderRidge(encoder, tuple(text["alphas"]), scale), LexicalForest(**numeric, scale=scale))
    model.text_, model.numeric_ = model.text, model.numeric
    model.text_.head_ = _checked_ridge(ridge, model.text)
    model.numeric_.forest_ = _checked_forest(forest, model.numeric.width)
    return model


def _checked_ridge(tensors: dict[str, Any], text: FrozenEncoderRidge) -> GroupedRidge:
    head = GroupedRidge(text.alphas)
    head.coef_, head.mean_, head.scale_ = tensors["coef"], tensors["mean"], tensors["scale"]
    head.intercept_, head.alpha_ = float(tensors["intercept"][0]), float(tensors["alpha"][0])
    head.n_features_in_ = text.width
    if not head.coef_.shape == head.mean_.shape == head.scale_.shape == (text.width,):
        raise RegressorError(f"{RIDGE} holds no weights for {text.width} columns.")
    if not all(np.isfinite(tensor).all() for tensor in tensors.values()):
        raise RegressorError(f"{RIDGE} holds weights that are not finite.")
    return head


def _checked_forest(forest: Any, columns: int) -> RandomForestRegressor:
    """The forest, if all its trees are sound: scikit-learn follows their nodes without checking where they lead, so a
    crafted file could read foreign memory or never end."""
    if not isinstance(forest, RandomForestRegressor) or (forest.n_features_in_, forest.n_outputs_) != (columns, 1):
        raise RegressorError(f"{FOREST} holds no forest for {columns} features.")
    for tree in forest.estimators_:
        if not isinstance(tree, DecisionTreeRegressor) or not _is_sound(tree.tree_, columns):
            raise RegressorError(f"{FOREST} holds a tree that is not sound.")
    forest.n_jobs = 1
    return forest


def _is_sound(tree: Any, columns: int) -> bool:
    """Children come after their parent and exist; splits are on existing columns; values are finite numbers."""
    left, right, feature, value = tree.children_left, tree.children_right, tree.feature, tree.value
    inner = left != _LEAF
    own = np.flatnonzero(inner)
    children = (left[inner], right[inner])
    return bool(
        len(left)
        and tree.n_features == columns
        and value.shape == (len(left), 1, 1)
        and np.isfinite(value).all()
        and all((own < child).all() and (child < len(left)).all() for child in children)
        and ((feature[inner] >= 0) & (feature[inner] < columns)).all()
    )
