"""Saving and loading trained models as model folders: what each part learned, and `card.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np

from regressors.errors import RegressorError
from regressors.features.group import FeatureGroup
from regressors.models import TextRegressor, model_of
from regressors.overlap import Seen
from regressors.trained import TrainedModel
from regressors.training import FORMAT, KIND
from scoring.model_folder import ModelFolderError, dump_tensors, load_tensors, read_model_folder, write_model_folder

TRAINING_TEXTS: Final = "training_texts.safetensors"


def save(trained: TrainedModel, folder: Path, *, replace: bool = False) -> TrainedModel:
    """Writes the model's folder whole or not at all; returns the model with its SHA-256.

    RegressorError if the folder exists (`replace` allows another model there).
    """
    files = trained.model.learned() | {TRAINING_TEXTS: dump_tensors(asdict(trained.seen))}
    try:
        sha256 = write_model_folder(folder, card=trained.card, files=files, replace=replace)
    except ModelFolderError as error:
        raise RegressorError(str(error)) from error
    return TrainedModel(trained.model, trained.card, trained.seen, sha256)


def load(folder: Path, *, groups: Mapping[str, FeatureGroup] | None = None) -> TrainedModel:
    """The model of a folder; predicts exactly what it predicted when it was saved. Nothing is unpickled.

    `groups` gives feature groups in place of those that the card names. RegressorError for anything missing, changed, or made
    with other features, another encoder or another major version of scikit-learn.
    """
    try:
        stored = read_model_folder(Path(folder))
        _check_card(stored.card, folder)
        model = model_of(stored.card["parameters"], groups)
        _check_features(stored.card["features"], model, folder)
        seen = Seen(**load_tensors(stored.files[TRAINING_TEXTS]))
        model.restore(stored.files)
        _check_predictions(model, folder)
    except ModelFolderError as error:
        raise RegressorError(str(error)) from error
    except RegressorError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise RegressorError(f"{folder} lacks a part of the model ({type(error).__name__}: {error}).") from error
    return TrainedModel(model, stored.card, seen, stored.sha256)


def _check_predictions(model: TextRegressor, folder: Path) -> None:
    """Two trial predictions: what was learned may fit together in form and yet give no number."""
    try:
        found = np.asarray(model.predict_represented(np.zeros((2, model.width))), dtype=np.float64)
    except Exception as error:  # whatever a library makes of numbers that nobody fitted
        raise RegressorError(f"{folder} holds a model that cannot predict ({type(error).__name__}: {error}).") from error
    low, high = model.scale
    if found.shape != (2,) or not ((found >= low) & (found <= high)).all():
        raise RegressorError(f"{folder} holds a model that predicts no number from {low:g} to {high:g}.")


def _check_card(card: dict[str, Any], folder: Path) -> None:
    if card.get("kind") != KIND:
        raise RegressorError(f"{folder} holds no {KIND}; its card says {card.get('kind')!r}.")
    if (written := card.get("format", 1)) != FORMAT:
        raise RegressorError(f"{folder} has format {written} of model folders; here format {FORMAT} is read. Train it again.")
    saved_with, here = card["libraries"]["scikit-learn"], version("scikit-learn")
    if saved_with.split(".")[0] != here.split(".")[0]:
        raise RegressorError(
            f"{folder} was saved with scikit-learn {saved_with}; here is {here}. Train it again, or install that version."
        )


def _check_features(described: list[dict[str, Any]], model: TextRegressor, folder: Path) -> None:
    here = [group.described() for group in model.groups]
    for then, now in zip(described, here, strict=True):
        if then != now:
            raise RegressorError(
                f"{folder} was trained on the features {_shown(then)}; here they are {_shown(now)}. "
                "Train it again, or give it those features."
            )


def _shown(described: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in described.items())
