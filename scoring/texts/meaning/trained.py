"""A trained meaning model: training, predicting, and its folder (trees as .ubj beside `card.json`; nothing is unpickled)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from math import isfinite
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scoring.model_folder import ModelFolder, ModelFolderError, read_model_folder, write_model_folder
from scoring.result import ScoringError
from scoring.texts.semantic import EncoderSimilarity, SemanticScorer, identity

from .evaluation import FOLDS, REPEATS, Progress, evaluate
from .features import NAMES, VERSION, Pair, features
from .model import PARAMETERS, TREES, Calibration, DecidedPairs, Trees, fit_calibration, fit_trees

KIND: Final = "meaning model"
TREES_FILE: Final = "trees.ubj"
LIBRARIES: Final = ("xgboost-cpu", "xgboost", "scikit-learn", "numpy", "wordfreq", "confusable-homoglyphs")
FEWEST_PAIRS: Final = 20
_AT_ONCE: Final = 1_024


@dataclass(frozen=True, slots=True)
class MeaningModel:
    """Predicts how likely people are to say that the adversarial text kept the original's meaning, 0 to 1.

    The card holds kind, features with version and encoder, data (SHA-256, sizes), parameters, calibration, seed, libraries and
    evaluation. `sha256` is that of the folder, once saved.
    """

    trees: Trees
    calibration: Calibration
    card: dict[str, Any]
    scorer: SemanticScorer
    sha256: str | None = None

    def predict(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """One probability for each (original, adversarial) pair, whatever the others are."""
        parts = [np.empty(0)]
        for start in range(0, len(pairs), _AT_ONCE):
            scores = self.trees.score(features(pairs[start : start + _AT_ONCE], self.scorer))
            parts.append(self.calibration.probability(scores))
        return np.concatenate(parts)

    def save(self, folder: Path, *, replace_model: bool = False) -> MeaningModel:
        """Writes the folder whole or not at all; returns the model with its SHA-256."""
        files = {} if self.trees.booster is None else {TREES_FILE: bytes(self.trees.booster.save_raw("ubj"))}
        return replace(self, sha256=write_model_folder(folder, card=self.card, files=files, replace=replace_model))

    @classmethod
    def load(cls, folder: Path, *, scorer: SemanticScorer | None = None) -> MeaningModel:
        """The model of a folder; predicts what it predicted when it was saved. ScoringError for anything missing, changed, or
        made with other features or another encoder than `scorer` (the embedded one unless given)."""
        scorer = scorer or EncoderSimilarity()
        stored = read_model_folder(Path(folder))
        try:
            _check(stored.card, scorer, folder)
            calibration = Calibration(**{name: _finite(value) for name, value in stored.card["calibration"].items()})
            trees = _trees(stored)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, ScoringError):
                raise
            raise ModelFolderError(f"{folder} lacks a part of the model ({type(error).__name__}: {error}).") from error
        return cls(trees, calibration, stored.card, scorer, stored.sha256)


def train(
    data: DecidedPairs,
    *,
    seed: int = 0,
    scorer: SemanticScorer | None = None,
    card: Mapping[str, Any] | None = None,
    repeats: int = REPEATS,
    folds: int = FOLDS,
    progress: Progress | None = None,
) -> MeaningModel:
    """Evaluates on originals set apart, then trains on all pairs. `card` may add fields. ScoringError for too little to learn
    from."""
    if len(data.pairs) < FEWEST_PAIRS:
        raise ScoringError(f"At least {FEWEST_PAIRS} decided pairs are needed to train a model, not {len(data.pairs)}.")
    if data.preserved.all() or not data.preserved.any():
        raise ScoringError("People decided alike on all pairs: there is nothing to learn from these data.")
    scorer = scorer or EncoderSimilarity()
    rows = features(data.pairs, scorer)
    evaluation = evaluate(data, rows, scorer, seed=seed, repeats=repeats, folds=folds, progress=progress)
    trees = fit_trees(rows, data.preserved, seed=seed)
    calibration = fit_calibration(rows, data.preserved, data.groups, seed=seed)
    described = {
        "kind": KIND,
        "features": {"version": VERSION, "names": list(NAMES), "encoder": identity(scorer)},
        "data": {
            "sha256": data.sha256(),
            "pairs": len(data.pairs),
            "preserved": int(data.preserved.sum()),
            "originals": data.originals,
        },
        "parameters": PARAMETERS | {"trees": TREES},
        "constant": trees.constant,
        "calibration": {"slope": calibration.slope, "intercept": calibration.intercept},
        "seed": seed,
        "libraries": _versions(),
        "evaluation": evaluation,
    }
    return MeaningModel(trees, calibration, described | dict(card or {}), scorer)


def _versions() -> dict[str, str]:
    """Of the libraries that are there: xgboost goes by either name."""
    from importlib.metadata import PackageNotFoundError

    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _check(card: Mapping[str, Any], scorer: SemanticScorer, folder: Path) -> None:
    if card.get("kind") != KIND:
        raise ModelFolderError(f"{folder} holds no {KIND}; its card says {card.get('kind')!r}.")
    wanted = card["features"]
    if (wanted["version"], wanted["names"]) != (VERSION, list(NAMES)):
        raise ModelFolderError(
            f"{folder} was trained on version {wanted['version']} of the features, not {VERSION}. Train it again."
        )
    if wanted["encoder"] != identity(scorer):
        raise ModelFolderError(f"{folder} was trained with {wanted['encoder']['name']}; here is {scorer.name}, another model.")


def _trees(stored: ModelFolder) -> Trees:
    if TREES_FILE not in stored.files:
        return Trees(None, _finite(stored.card["constant"]))
    import xgboost

    try:
        booster = xgboost.Booster()
        booster.load_model(bytearray(stored.files[TREES_FILE]))
        sound = _is_sound(json.loads(bytes(booster.save_raw("json"))))
    except (xgboost.core.XGBoostError, ValueError, KeyError, TypeError) as error:
        raise ModelFolderError(f"{TREES_FILE} holds no trees that can be read.") from error
    if not sound:
        raise ModelFolderError(f"{TREES_FILE} holds a tree that is not sound.")
    return Trees(booster)


def _is_sound(model: Mapping[str, Any]) -> bool:
    """Whether every tree can be followed: children come after their parent and exist, splits are on columns that exist. The
    library follows them without looking."""
    learner = model["learner"]
    trees = learner["gradient_booster"]["model"]["trees"]
    return int(learner["learner_model_param"]["num_feature"]) == len(NAMES) and all(map(_is_sound_tree, trees))


def _is_sound_tree(tree: Mapping[str, Any]) -> bool:
    left, right, split = np.array(tree["left_children"]), np.array(tree["right_children"]), np.array(tree["split_indices"])
    inner = np.flatnonzero(left != -1)
    children = left[inner], right[inner]
    return bool(
        len(left) == len(right) == len(split) == len(tree["split_conditions"])
        and len(left)
        and all((inner < child).all() and (child < len(left)).all() for child in children)
        and ((split[inner] >= 0) & (split[inner] < len(NAMES))).all()
        and np.isfinite(tree["split_conditions"]).all()
    )


def _finite(value: Any) -> float:
    number = float(value)
    if not isfinite(number):
        raise ModelFolderError("The card holds a number that is not finite.")
    return number
