"""Training: features once, evaluation by grouped cross-validation, then the model on everything, with its card.

The card holds: "kind", "format", "model" (its name), "parameters", "features" (names, versions, hashes), "data" (SHA-256,
sizes, label, scale, grouping), "seed", "libraries" (versions), "evaluation" (see `regressors.evaluation`), "calibration",
"training_mean", "medians" (see `regressors.explanation`), "predictions" (their spread out of fold), "distribution" and "fails"
(see `regressors.out_of_fold`), "simulated", and what the caller adds.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from regressors.errors import RegressorError
from regressors.evaluation import FOLDS, Progress, cross_validate, evaluate_out_of_fold
from regressors.explanation import medians
from regressors.kept import Kept, Once, afresh
from regressors.models import DEFAULT, TextRegressor, make_model, tuned_with
from regressors.out_of_fold import distribution, fails
from regressors.overlap import seen_of
from regressors.rows import Label, LabelledTexts, TrainingRows, label_texts
from regressors.trained import TrainedModel, calibrate

KIND: Final = "suspicion regressor"
FEWEST_TEXTS: Final = 10
FORMAT: Final = 2
"""Of the card and the files; `regressors.storage` reads no other."""
LIBRARIES: Final = ("scikit-learn", "xgboost-cpu", "numpy", "wordfreq", "transformers", "torch")
_TEXTS_AT_ONCE: Final = 256


def train(
    rows: TrainingRows,
    *,
    seed: int = 0,
    card: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    label: Label = "median",
    scale: tuple[float, float] = (1.0, 5.0),
    model: TextRegressor | str = DEFAULT,
    repeats: int | None = None,
    folds: int = FOLDS,
    n_jobs: int = 1,
    device: str | None = None,
    smart: float | None = None,
    keep: Path | None = None,
) -> TrainedModel:
    """Trains `model`, a name of `regressors.models.MODELS` or an unfitted model, and evaluates it on texts that it had not seen.

    `card` may add fields, such as `"simulated": True`. `progress(done, total, message)` is called before each step, and more
    often where one takes long; an exception from it stops the training. `repeats` of the cross-validation are as many as the
    model's kind is worth unless given: one where a Transformer is trained, which is done on torch's `device`, and with SMART of
    the weight `smart`. `n_jobs` changes the time only. What is done is kept below the folder `keep` until there is a model:
    called again with the same data and settings, a training that was stopped goes on. RegressorError if the rows cannot be used.
    """
    extra = {"simulated": False} | dict(card or {})
    data = label_texts(rows, label=label, scale=scale)
    name = model if isinstance(model, str) else model.kind
    if isinstance(model, str):
        model = make_model(model, seed=seed, scale=data.scale, n_jobs=n_jobs)
    elif model.scale != data.scale:
        raise RegressorError(f"The model's scale is {model.scale}, the data's {data.scale}: they must be the same.")
    tuning = {"device": device, "smart_weight": smart, "bregman_weight": smart}
    model = tuned_with(model, **{setting: value for setting, value in tuning.items() if value is not None})
    repeats = model.repeats if repeats is None else repeats
    check_trainable(data, repeats, folds)
    report = _Report(progress, batches=-(-len(data.texts) // _TEXTS_AT_ONCE), fits=repeats * folds)
    model = _with_signs_of_life(model, report)
    kept = None if keep is None else Kept(keep, _settings(model, data, seed, folds))
    once = kept or afresh
    features = _represent(model, data.texts, report, once)
    out_of_fold = cross_validate(
        model, features, data, seed=seed, repeats=repeats, folds=folds, progress=report.cross_validation, once=once
    )
    report.final("Measuring")
    evaluation = evaluate_out_of_fold(data, out_of_fold, seed=seed, repeats=repeats, folds=folds)
    report.final("Training on all texts")
    fitted = clone(model).fit_represented(features, data.targets)
    predictions = None if out_of_fold is None else out_of_fold.predictions
    described = {
        "kind": KIND,
        "format": FORMAT,
        "model": name,
        "parameters": fitted.parameters(),
        "features": [group.described() for group in fitted.groups],
        "data": describe_data(data),
        "seed": seed,
        "libraries": libraries(),
        "evaluation": evaluation.as_dict(),
        "calibration": calibrate(data.labels, predictions),
        "training_mean": float(np.average(data.labels, weights=data.counts)),
        "medians": medians(fitted, features),
        **({"predictions": None} if predictions is None else _described(data, predictions.mean(axis=0))),
    }
    if clash := sorted(described.keys() & extra.keys()):
        raise RegressorError(f"The card's field {clash[0]!r} is written by the training; give it another name.")
    report.done()
    if kept is not None:
        kept.forget()
    return TrainedModel(fitted, described | extra, seen_of(rows, data.texts))


def _with_signs_of_life(model: TextRegressor, report: _Report) -> TextRegressor:
    """The model whose parts that take long for one fit say so on the way, so that a training can be stopped there."""
    model = clone(model)
    parts = [name for name in model.get_params() if name.rpartition("__")[2] == "progress"]
    return model.set_params(**dict.fromkeys(parts, lambda *step: report.again()))


class _Report:
    """Counts the steps of a training: batches of texts, fits of the cross-validation, and two more at the end."""

    def __init__(self, progress: Progress | None, *, batches: int, fits: int) -> None:
        self._progress = progress
        self._batches = batches
        self._total = batches + fits + 2
        self._ended = 0
        self._last = (0, "")

    def again(self) -> None:
        """Nothing new, but that it goes on."""
        self._tell(*self._last)

    def _tell(self, done: int, message: str) -> None:
        self._last = (done, message)
        if self._progress is not None:
            self._progress(done, self._total, message)

    def batch(self, number: int) -> None:
        self._tell(number, "Reading the texts")

    def cross_validation(self, done: int, total: int, message: str) -> None:
        self._tell(self._batches + done, message)

    def final(self, message: str) -> None:
        self._tell(self._total - 2 + self._ended, message)
        self._ended += 1

    def done(self) -> None:
        self._tell(self._total, "Trained")


def _represent(model: TextRegressor, texts: list[str], report: _Report, once: Once) -> NDArray[np.float64]:
    parts = []
    for number, start in enumerate(range(0, len(texts), _TEXTS_AT_ONCE)):
        report.batch(number)
        parts.append(once(f"texts-{number}", partial(model.represent, texts[start : start + _TEXTS_AT_ONCE])))
    return np.vstack(parts)


def _settings(model: TextRegressor, data: LabelledTexts, seed: int, folds: int) -> dict[str, Any]:
    """All that what is kept of a training hangs on."""
    return {
        "data": describe_data(data),
        "parameters": model.parameters(),
        "features": [group.described() for group in model.groups],
        "seed": seed,
        "folds": folds,
        "libraries": libraries(),
    }


def libraries() -> dict[str, str]:
    """The versions here of what results hang on."""
    return {name: version(name) for name in LIBRARIES}


def check_trainable(data: LabelledTexts, repeats: int, folds: int) -> None:
    """RegressorError unless there is something to learn from the data."""
    if len(data.texts) < FEWEST_TEXTS:
        raise RegressorError(f"At least {FEWEST_TEXTS} different texts are needed to train a model, not {len(data.texts)}.")
    if np.ptp(data.labels) == 0:
        raise RegressorError(f"Every text has the score {data.labels[0]:g}: there is nothing to learn from these data.")
    if repeats < 1 or folds < 2:
        raise RegressorError(f"Cross-validation needs at least 1 repetition of 2 folds, not {repeats} of {folds}.")


def describe_data(data: LabelledTexts) -> dict[str, Any]:
    """What a card says of the data."""
    return {
        "sha256": data.sha256(),
        "texts": len(data.texts),
        "judgements": int(data.counts.sum()),
        "originals": data.originals,
        "grouping": data.grouping,
        "label": data.label,
        "scale": list(data.scale),
    }


def _described(data: LabelledTexts, predictions: NDArray[np.float64]) -> dict[str, Any]:
    return {
        "predictions": _spread(predictions),
        "distribution": distribution(data, predictions),
        "fails": fails(data, predictions),
    }


def _spread(predictions: NDArray[np.float64]) -> dict[str, float]:
    """Quantiles of the out-of-fold predictions: what a threshold can be compared with."""
    names = ("min", "p10", "p25", "median", "p75", "p90", "max")
    values = np.quantile(predictions, [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1])
    return dict(zip(names, values.tolist(), strict=True))
