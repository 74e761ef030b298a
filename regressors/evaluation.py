"""Honest evaluation: repeated cross-validation in which the variants of one original are never split, beside what a
constant would reach and the ceiling that the judges' own disagreement sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from statistics import stdev
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import GroupKFold

from regressors import measures
from regressors.by_variant import VariantResult, results_by_variant
from regressors.kept import Once, afresh
from regressors.models import TextRegressor
from regressors.rows import LabelledTexts, TrainingRows, label_texts
from regressors.targets import Targets
from regressors.trained import TrainedModel
from scoring.correlation import pearson
from scoring.judgements.ceiling import noise_ceiling
from scoring.rank_correlation import spearman
from scoring.result import Estimate, Reason

Array = NDArray[np.float64]
Progress = Callable[[int, int, str], None]

REPEATS: Final = TextRegressor.repeats
FOLDS: Final = 5


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Correlations, errors and the ceiling, and how they were measured. Constants predict their training data's mean.
    `by_variant` holds the results by what made the text; nothing where the data do not say."""

    r: Estimate
    spearman: Estimate
    rmse: Estimate
    rmse_constant: Estimate
    rmse_gain: Estimate
    noise_ceiling: Estimate
    share_of_ceiling: Estimate
    by_variant: list[VariantResult]
    protocol: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        estimates = ("r", "spearman", "rmse", "rmse_constant", "rmse_gain", "noise_ceiling", "share_of_ceiling")
        described = {"by_variant": [result.as_dict() for result in self.by_variant], "protocol": self.protocol}
        return {name: getattr(self, name).as_dict() for name in estimates} | described


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
    once: Once = afresh,
) -> OutOfFold | None:
    """Out-of-fold predictions from `features` (= model.represent(data.texts)); None with fewer than two originals. `once` may
    know those of a fold already."""
    if data.originals < 2:
        return None
    seeds, parts = seeds_of(seed, repeats), []
    for repeat, repeat_seed in enumerate(seeds):

        def tell(fold: int, repeat: int = repeat) -> None:
            if progress is not None:
                progress(repeat * folds + fold, repeats * folds, f"Cross-validation {repeat + 1} of {repeats}")

        parts.append(predict_out_of_fold(model, features, data, seed=repeat_seed, folds=folds, tell=tell, once=once))
    constants = [constants_out_of_fold(data, seed=repeat_seed, folds=folds) for repeat_seed in seeds]
    return OutOfFold(np.array(parts), np.array(constants))


def seeds_of(seed: int, repeats: int) -> list[int]:
    """A seed for each repetition; those of fewer repetitions are the first of those of more."""
    seeds: list[int] = np.random.SeedSequence(seed).generate_state(repeats).tolist()
    return seeds


def predict_out_of_fold(
    model: TextRegressor,
    features: Array,
    data: LabelledTexts,
    *,
    seed: int,
    folds: int = FOLDS,
    tell: Callable[[int], None] = lambda fold: None,
    once: Once = afresh,
) -> Array:
    """For each text the prediction of a model that was fitted without its original, float64 [n], from one split into folds, which
    the seed decides. `tell` is called with the number of each fold before it is computed; `once` may know it already."""
    told, predictions = data.targets, np.zeros(len(data.texts))
    for fold, (train, test) in enumerate(grouped_folds(data.groups, folds=folds, seed=seed)):
        tell(fold)
        compute = partial(_predict, model, features[train], told.take(train), features[test])
        predictions[test] = once(f"fold-{seed}-{fold}", compute)
    return predictions


def _predict(model: TextRegressor, seen: Array, told: Targets, unseen: Array) -> Array:
    return clone(model).fit_represented(seen, told).predict_represented(unseen)


def constants_out_of_fold(data: LabelledTexts, *, seed: int, folds: int = FOLDS) -> Array:
    """The mean label of the other folds, by judgements, float64 [n], with the same split."""
    told, constants = data.targets, np.zeros(len(data.texts))
    for train, test in grouped_folds(data.groups, folds=folds, seed=seed):
        constants[test] = np.average(told.labels[train], weights=told.counts[train])
    return constants


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
    return assess(data, out_of_fold.predictions, out_of_fold.constants, how, seed)


def evaluate_model(trained: TrainedModel, rows: TrainingRows, *, seed: int = 0) -> Evaluation:
    """The measures of a trained model on other data, with the label and scale that it was trained for.

    RegressorError if the rows cannot be used, or hold texts that it was trained on or variants of their originals.
    """
    described = trained.card["data"]
    data = label_texts(rows, label=described["label"], scale=tuple(described["scale"]))
    trained.seen.check(rows)
    predictions = trained.predict(data.texts)[None, :]
    constants = np.full_like(predictions, trained.card["training_mean"])
    return assess(data, predictions, constants, {"kind": "other data"}, seed)


def assess(
    data: LabelledTexts,
    predictions: Array,
    constants: Array,
    how: dict[str, Any],
    seed: int,
    ceiling: Estimate | None = None,
) -> Evaluation:
    """The measures of predictions [repeats, n] for the texts of `data`, beside those of constants [repeats, n]. `how` they came
    about goes into the protocol. The data's `ceiling` is computed unless given."""
    labels, groups = data.labels, data.groups
    r = pearson(labels, predictions, groups, seed=seed)
    ceiling = ceiling or ceiling_of(data, seed)
    by_repeat = [] if r.value is None else [float(np.corrcoef(labels, row)[0, 1]) for row in predictions]
    return Evaluation(
        r=r,
        spearman=spearman(labels, predictions, groups, seed=seed),
        rmse=measures.rmse(labels, predictions, groups, seed=seed),
        rmse_constant=measures.rmse(labels, constants, groups, seed=seed, method="RMSE of a constant"),
        rmse_gain=measures.rmse_gain(labels, predictions, constants, groups, seed=seed),
        noise_ceiling=ceiling,
        share_of_ceiling=measures.share_of_ceiling(r, ceiling),
        by_variant=results_by_variant(data, predictions, seed=seed),
        protocol=how | _data_protocol(data, seed) | {"r_by_repeat": by_repeat, "r_spread": _spread(by_repeat)},
    )


def _without_value(data: LabelledTexts, reason: Reason, how: dict[str, Any], seed: int) -> Evaluation:
    def none(method: str) -> Estimate:
        return Estimate(value=None, reason=reason, n=len(data.texts), method=method)

    return Evaluation(
        r=none("Pearson r"),
        spearman=none("Spearman's rank correlation"),
        rmse=none("RMSE"),
        rmse_constant=none("RMSE of a constant"),
        rmse_gain=none("RMSE gain"),
        noise_ceiling=ceiling_of(data, seed),
        share_of_ceiling=none("r / noise ceiling"),
        by_variant=[],
        protocol=how | _data_protocol(data, seed),
    )


def _spread(by_repeat: list[float]) -> dict[str, float] | None:
    """How far r hangs on the split into folds and on the model's own draws; None where there is no second repetition."""
    if len(by_repeat) < 2:
        return None
    return {"least": min(by_repeat), "greatest": max(by_repeat), "standard_deviation": stdev(by_repeat)}


def ceiling_of(data: LabelledTexts, seed: int) -> Estimate:
    """The noise ceiling of the label used. From whole-number scores only: a median's needs judgements on a scale of points."""
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
