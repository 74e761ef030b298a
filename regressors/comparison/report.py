"""The comparison itself: every cell once, then measures of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from regressors.comparison.cells import Array, Cell, Cells
from regressors.comparison.plan import ALL, Plan
from regressors.comparison.settings import Settings
from regressors.errors import RegressorError
from regressors.evaluation import Progress, assess, ceiling_of, constants_out_of_fold
from regressors.overlap import check_apart
from regressors.paired import difference_of_r
from regressors.rows import Label, LabelledTexts, TrainingRows, label_texts
from regressors.training import check_trainable, describe_data, libraries
from regressors.transfer import transfers
from scoring.correlation import pearson

CELLS = "cells"

Results = Callable[[list[Cell]], list[Array | None]]


def compare(
    rows: TrainingRows,
    folder: Path,
    settings: Settings,
    *,
    test: TrainingRows | None = None,
    label: Label = "median",
    scale: tuple[float, float] = (1.0, 5.0),
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Every model of the settings in repeated grouped cross-validation on `rows`, ready for JSON; on `test`, if given, by models
    of all rows. Nothing is chosen by the test set: `selected` is the model with the highest r in cross-validation.

    Finished cells are kept in the folder; a second call goes on. RegressorError for data that cannot be used, a test set that
    shares texts or originals with the rows, or a folder with results of other data or settings.
    """
    settings.check()
    data = label_texts(rows, label=label, scale=scale)
    check_trainable(data, settings.repeats, settings.folds)
    if data.originals < 2:
        raise RegressorError("All texts are variants of one original, so none can be set apart to compare models with.")
    tested = None if test is None else label_texts(test, label=label, scale=scale)
    if test is not None:
        check_apart(rows, test)
    plan = Plan(settings, data, tested)
    results = _finished(plan, Cells(_own(folder) / CELLS, _basis(plan)), progress)
    return _report(plan, results)


def _own(folder: Path) -> Path:
    """RegressorError for a folder that holds something else than a comparison."""
    if folder.exists() and not (folder.is_dir() and ((folder / CELLS).is_dir() or not any(folder.iterdir()))):
        raise RegressorError(f"{folder} exists already, and holds no comparison that could go on. Choose another folder.")
    return folder


def _basis(plan: Plan) -> dict[str, Any]:
    """What every cell hangs on. Neither models nor repetitions do: more of them may be asked for later."""
    made = json.dumps([sorted(names) for names in plan.data.variants or []])
    return {
        "data": describe_data(plan.data),
        "variants": hashlib.sha256(made.encode("ascii")).hexdigest(),
        "test data": None if plan.test is None else describe_data(plan.test),
        "seed": plan.settings.seed,
        "folds": plan.settings.folds,
        "versions of libraries": libraries(),
    }


def _finished(plan: Plan, cells: Cells, progress: Progress | None) -> Results:
    wanted = list(plan.cells())
    for number, cell in enumerate(wanted):
        if progress is not None:
            progress(number, len(wanted), f"{cell.name}{' (known)' if cell in cells else ''}")
        cells.values(cell)
    if progress is not None:
        progress(len(wanted), len(wanted), "Measuring")
    return lambda asked: [cells.values(cell) for cell in asked]


def _report(plan: Plan, results: Results) -> dict[str, Any]:
    models = _models(plan, results)
    known = [entry for entry in models if entry["r"]["value"] is not None]
    return {
        "data": describe_data(plan.data),
        "settings": plan.settings.as_dict(),
        "libraries": libraries(),
        "models": models,
        "selected": max(known, key=lambda entry: entry["r"]["value"])["model"] if known else None,
        "ablation": _ablation(plan, results),
        "transfer": [
            transfer.as_dict()
            for variant in plan.variants
            for transfer in transfers(plan.data, variant, results(plan.transfer(variant)), seed=plan.settings.seed)
        ],
        "test": None if plan.test is None else _test(plan, plan.test, results),
    }


def _models(plan: Plan, results: Results) -> list[dict[str, Any]]:
    settings = plan.settings
    constants = np.array([constants_out_of_fold(plan.data, seed=seed, folds=settings.folds) for seed in plan.seeds])
    how = {"kind": "repeated grouped cross-validation", "repeats": settings.repeats, "folds": settings.folds}
    predictions = {name: np.array(results(plan.models(name))) for name in settings.compared}
    return _measured(plan, plan.data, predictions, constants, how)


def _test(plan: Plan, test: LabelledTexts, results: Results) -> dict[str, Any]:
    seen = plan.data.targets
    constants = np.full((plan.settings.repeats, len(test.texts)), np.average(seen.labels, weights=seen.counts))
    how = {"kind": "held-out data, models of all others", "repeats": plan.settings.repeats}
    predictions = {name: np.array(results(plan.tests(name))) for name in plan.settings.compared}
    return {"data": describe_data(test), "models": _measured(plan, test, predictions, constants, how)}


def _measured(
    plan: Plan, data: LabelledTexts, predictions: dict[str, Array], constants: Array, how: dict[str, Any]
) -> list[dict[str, Any]]:
    seed, baseline = plan.settings.seed, predictions[plan.settings.baseline]
    ceiling = ceiling_of(data, seed)
    return [
        {
            "model": name,
            **assess(data, predicted, constants, how, seed, ceiling).as_dict(),
            "difference_from_baseline": difference_of_r(data.labels, predicted, baseline, data.groups, seed=seed).as_dict(),
        }
        for name, predicted in predictions.items()
    ]


def _ablation(plan: Plan, results: Results) -> list[dict[str, Any]]:
    data, seed, sets = plan.data, plan.settings.seed, plan.group_sets()
    predictions = {name: np.array(results(plan.ablation(groups))) for name, groups in sets.items()}
    return [
        {
            "set": name,
            "groups": list(sets[name]),
            "r": pearson(data.labels, predicted, data.groups, seed=seed).as_dict(),
            "difference_from_all": difference_of_r(data.labels, predicted, predictions[ALL], data.groups, seed=seed).as_dict(),
        }
        for name, predicted in predictions.items()
    ]
