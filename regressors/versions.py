"""Versions of a model beside each other on judgements that none of them has seen, and each beside the one before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regressors.errors import RegressorError
from regressors.measures import mae
from regressors.paired import difference_of_r
from regressors.rows import TrainingRows, label_texts
from regressors.trained import TrainedModel
from regressors.training import describe_data
from scoring.correlation import pearson
from scoring.judgements.clustered import cell_means, holm
from scoring.rank_correlation import spearman
from scoring.result import Estimate

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Version:
    """One version on the test set. Against the version before: `r_gain` is the difference of r, `error_change` that of the mean
    absolute errors (below 0: smaller errors), `p_value` of the paired t-test on absolute errors, with errors clustered by
    original, and with Holm's correction for all versions; None for the first."""

    name: str
    r: Estimate
    spearman: Estimate
    mae: Estimate
    r_gain: Estimate | None = None
    error_change: Estimate | None = None
    p_value: Estimate | None = None
    p_corrected: Estimate | None = None

    def as_dict(self) -> dict[str, Any]:
        names = ("r", "spearman", "mae", "r_gain", "error_change", "p_value", "p_corrected")
        estimates = {name: getattr(self, name) for name in names}
        return {"name": self.name} | {name: found and found.as_dict() for name, found in estimates.items()}


@dataclass(frozen=True, slots=True)
class Versions:
    """All versions, and what a card says of data, of the test set."""

    versions: Sequence[Version]
    data: Mapping[str, Any]

    def as_dict(self) -> dict[str, Any]:
        return {"data": dict(self.data), "versions": [version.as_dict() for version in self.versions]}


def compare_versions(models: Mapping[str, TrainedModel], rows: TrainingRows, *, seed: int = 0) -> Versions:
    """Every model, by name, the oldest first, on the judgements `rows`.

    RegressorError if there is no model, they have different labels or scales, the rows cannot be used, or hold texts that one of
    them was trained on or variants of their originals.
    """
    if not models:
        raise RegressorError("There is no model to compare.")
    asked = {(model.card["data"]["label"], tuple(model.card["data"]["scale"])) for model in models.values()}
    if len(asked) > 1:
        raise RegressorError("The models predict different things: their labels or scales differ.")
    ((label, scale),) = asked
    data = label_texts(rows, label=label, scale=scale)
    predictions = {}
    for name, model in models.items():
        try:
            model.seen.check(rows)
        except RegressorError as known:
            raise RegressorError(f"{name}: {known}") from known
        predictions[name] = model.predict(data.texts)[None, :]
    labels, groups = data.labels, data.groups
    found = {
        name: Version(
            name,
            r=pearson(labels, predicted, groups, seed=seed),
            spearman=spearman(labels, predicted, groups, seed=seed),
            mae=mae(labels, predicted, groups, seed=seed),
        )
        for name, predicted in predictions.items()
    }
    errors = {name: np.abs(predicted[0] - labels) for name, predicted in predictions.items()}
    for before, name in pairwise(models):
        difference, p_value = _error_change(errors[name], errors[before], groups)
        r_gain = difference_of_r(labels, predictions[name], predictions[before], groups, seed=seed)
        found[name] = replace(found[name], r_gain=r_gain, error_change=difference, p_value=p_value)
    later = list(models)[1:]
    for name, corrected in zip(later, holm([_there(found[name].p_value) for name in later]), strict=True):
        found[name] = replace(found[name], p_corrected=corrected)
    return Versions(list(found.values()), describe_data(data))


def _error_change(errors: Array, before: Array, groups: NDArray[np.int64]) -> tuple[Estimate, Estimate]:
    """The difference of mean absolute errors, and p of the test that there is none."""
    both = cell_means({name: list(zip(groups.tolist(), of.tolist(), strict=True)) for name, of in (("", errors), ("-", before))})
    difference, p_value = both.contrast([1.0, -1.0])
    method = "paired difference of mean absolute errors"
    return replace(difference, n=len(groups), method=method), replace(p_value, n=len(groups))


def _there(estimate: Estimate | None) -> Estimate:
    assert estimate is not None
    return estimate
