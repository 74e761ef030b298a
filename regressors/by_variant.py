"""Results by what made the text: an attacker, or nobody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regressors.measures import rmse
from regressors.rows import LabelledTexts
from scoring.correlation import Array, pearson
from scoring.result import Estimate


@dataclass(frozen=True, slots=True)
class VariantResult:
    """The measures over the `n` texts of a variant; the means are in the unit of the scale."""

    variant: str
    n: int
    mean_judged: float
    mean_predicted: float
    r: Estimate
    rmse: Estimate

    def as_dict(self) -> dict[str, Any]:
        plain = {"variant": self.variant, "n": self.n, "mean_judged": self.mean_judged, "mean_predicted": self.mean_predicted}
        return plain | {"r": self.r.as_dict(), "rmse": self.rmse.as_dict()}


def texts_by_variant(data: LabelledTexts) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Every variant in the order of its name, and which texts it made, bool [n]. A text that two attackers made is of both.
    Nothing where the data do not name variants."""
    made = data.variants or []
    for variant in sorted(frozenset().union(*made)):
        yield variant, np.array([variant in names for names in made])


def results_by_variant(data: LabelledTexts, predictions: Array, *, seed: int) -> list[VariantResult]:
    """From predictions [repeats, n] for the texts of `data`, in their order."""
    found = []
    for variant, rows in texts_by_variant(data):
        labels, groups, predicted = data.labels[rows], data.groups[rows], predictions[:, rows]
        found.append(
            VariantResult(
                variant=variant,
                n=len(labels),
                mean_judged=float(labels.mean()),
                mean_predicted=float(predicted.mean()),
                r=pearson(labels, predicted, groups, seed=seed),
                rmse=rmse(labels, predicted, groups, seed=seed),
            )
        )
    return found
