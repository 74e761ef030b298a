"""Honest evaluation: repeated cross-validation in which the variants of one original are never split, beside what a
constant would reach and the ceiling that the judges' own disagreement sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import GroupKFold

from regressors import measures
from regressors.errors import RegressorError
from regressors.models import TextRegressor
from regressors.rows import LabelledTexts, TrainingRows, label_texts
from regressors.trained import TrainedModel
from scoring.correlation import pearson
from scoring.judgements.ceiling import noise_ceiling
from scoring.result import Estimate, Reason

Array = NDArray[np.float64]
Progress = Callable[[int, int, str], None]

REPEATS: Final = 5
FOLDS: Final = 5


@dataclass(frozen=True, slots=True)
class Evaluation:
    """`r`, the errors and the ceiling, and how they were measured. Constants predict their training data's mean."""

    r: Estimate
    rmse: Estimate
    rmse_constant: Estimate
    rmse_gain: Estimate
    noise_ceiling: Estimate
    share_of_ceiling: Estimate
    protocol: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        estimates = ("r", "rmse", "rmse_constant", "rmse_gain", "noise_ceiling", "share_of_ceiling")
        return {name: getattr(self, name).as_dict() for name in estimates} | {"protocol": self.protocol}


@dataclass(frozen=True, slots=True)
class OutOfFold:
    """Predictions for texts that the model had not seen, and those of a constant: float64 [repeats, n]."""

    predictions: Array
    constants: Array


def grouped_folds(groups: NDArray[np.int64], *, folds: int, seed: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Train and test rows of each fold, at most one fold per group; no group is ever in both."""
    n_folds = min(folds, len(np.unique(groups)))
    yield from GroupKFold(n_folds, shuffle=True, random_state=seed).split(groups, groups=groups)


def cross_validate(
    model: TextRegressor,
    features: Array,
    data: LabelledTexts,
    *,
    seed: int,
    repeats: int = REPEATS,
    folds: int = FOLDS,
    progress: Progress | None = None,
) -> OutOfFold | None:
    """Out-of-fold predictions from `features` (= model.represent(data.texts)); None with fewer than two originals."""
    if data.originals < 2:
        return None
    told = data.targets
    result = OutOfFold(*np.zeros((2, repeats, len(told))))
    seeds = np.random.SeedSequence(seed).generate_state(repeats)
    for repeat, repeat_seed in enumerate(seeds.tolist()):
        for fold, (train, test) in enumerate(grouped_folds(data.groups, folds=folds, seed=repeat_seed)):
            if progress is not None:
                progress(repeat * folds + fold, repeats * folds, f"Cross-validation {repeat + 1} of {repeats}")
            seen = told.take(train)
            fitted = clone(model).fit_represented(features[train], seen)
            result.predictions[repeat, test] = fitted.predict_represented(features[test])
            result.constants[repeat, test] = np.average(seen.labels, weights=seen.counts)
    return result


def evaluate_out_of_fold(
    data: LabelledTexts, out_of_fold: OutOfFold | None, *, seed: int, repeats: int = REPEATS, folds: int = FOLDS
) -> Evaluation:
    """The measures of a cross-validation; all with a reason instead of a value if there was none."""
    how = {
        "kind": "repeated grouped cross-validation",
        "repeats": repeats,
        "folds": min(folds, data.originals),
    }
    if out_of_fold is None:
        reason = Reason("one_original", "All texts are variants of one original, so none can be set apart for testing.")
        return _without_value(data, reason, how, seed)
    return _assess(data, out_of_fold.predictions, out_of_fold.constants, how, seed)


def evaluate_model(trained: TrainedModel, rows: TrainingRows, *, seed: int = 0) -> Evaluation:
    """The measures of a trained model on other data, with the label and scale that it was trained for.

    RegressorError if the rows cannot be used or hold texts that it was trained on.
    """
    described = trained.card["data"]
    data = label_texts(rows, label=described["label"], scale=tuple(described["scale"]))
    if seen := trained.trained_on(data.texts):
        raise RegressorError(
            f"{len(seen)} of the {len(data.texts)} texts are among those that the model was trained on, such as "
            f"{seen[0][:60]!r}. Leave them out: predictions for them prove nothing."
        )
    predictions = trained.predict(data.texts)[None, :]
    constants = np.full_like(predictions, trained.card["training_mean"])
    return _assess(data, predictions, constants, {"kind": "other data"}, seed)


def _assess(data: LabelledTexts, predictions: Array, constants: Array, how: dict[str, Any], seed: int) -> Evaluation:
    labels, groups = data.labels, data.groups
    r = pearson(labels, predictions, groups, seed=seed)
    ceiling = _ceiling(data, seed)
    by_repeat = [] if r.value is None else [float(np.corrcoef(labels, row)[0, 1]) for row in predictions]
    return Evaluation(
        r=r,
        rmse=measures.rmse(labels, predictions, groups, seed=seed),
        rmse_constant=measures.rmse(labels, constants, groups, seed=seed, method="RMSE of a constant"),
        rmse_gain=measures.rmse_gain(labels, predictions, constants, groups, seed=seed),
        noise_ceiling=ceiling,
        share_of_ceiling=measures.share_of_ceiling(r, ceiling),
        protocol=how | _data_protocol(data, seed) | {"r_by_repeat": by_repeat},
    )


def _without_value(data: LabelledTexts, reason: Reason, how: dict[str, Any], seed: int) -> Evaluation:
    def none(method: str) -> Estimate:
        return Estimate(value=None, reason=reason, n=len(data.texts), method=method)

    return Evaluation(
        r=none("Pearson r"),
        rmse=none("RMSE"),
        rmse_constant=none("RMSE of a constant"),
        rmse_gain=none("RMSE gain"),
        noise_ceiling=_ceiling(data, seed),
        share_of_ceiling=none("r / noise ceiling"),
        protocol=how | _data_protocol(data, seed),
    )


def _ceiling(data: LabelledTexts, seed: int) -> Estimate:
    """From whole-number scores only: the ceiling of a median needs judgements on a scale of points."""
    if not all(score.is_integer() for scores in data.judgements for score in scores):
        reason = Reason("not_whole_numbers", "The noise ceiling needs single judgements on a scale of whole numbers.")
        return Estimate(value=None, reason=reason, n=len(data.texts), method="noise ceiling")
    scores = {index: [int(score) for score in judged] for index, judged in enumerate(data.judgements)}
    original_of = dict(enumerate(data.groups.tolist()))
    return noise_ceiling(scores, label=data.label, seed=seed, cluster_of=original_of)


def _data_protocol(data: LabelledTexts, seed: int) -> dict[str, Any]:
    return {
        "seed": seed,
        "texts": len(data.texts),
        "judgements": int(data.counts.sum()),
        "originals": data.originals,
        "grouping": data.grouping,
        "label": data.label,
    }
