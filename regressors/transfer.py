"""Trained on the texts of one variant, tested on those of each (Tonni, Faustini and Dras, "Suspiciousness of Adversarial Texts to
Human", 2024, Table 13): does a model learn what looks suspicious, or what one attacker leaves behind?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from sklearn.base import clone

from regressors.by_variant import texts_by_variant
from regressors.evaluation import grouped_folds
from regressors.models import TextRegressor
from regressors.rows import LabelledTexts
from scoring.correlation import Array, pearson
from scoring.result import Estimate, Reason

FEWEST_OF_A_VARIANT: Final = 10
"""In each training fold; from fewer texts nothing is learned."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """r on the texts of one variant by a model that saw another's only, never any text of the same original."""

    trained_on: str
    tested_on: str
    r: Estimate

    def as_dict(self) -> dict[str, Any]:
        return {"trained_on": self.trained_on, "tested_on": self.tested_on, "r": self.r.as_dict()}


def predict_from_variant(
    model: TextRegressor, features: Array, data: LabelledTexts, variant: str, *, seed: int, folds: int
) -> Array | None:
    """For every text a prediction by a model that was fitted to the variant's texts of the other folds' originals, float64 [n].
    None if a fold holds fewer than FEWEST_OF_A_VARIANT of them, or only equal scores."""
    told, predictions = data.targets, np.zeros(len(data.texts))
    made = dict(texts_by_variant(data))[variant]
    for train, test in grouped_folds(data.groups, folds=folds, seed=seed):
        seen = train[made[train]]
        if len(seen) < FEWEST_OF_A_VARIANT or np.ptp(told.labels[seen]) == 0:
            return None
        fitted = clone(model).fit_represented(features[seen], told.take(seen))
        predictions[test] = fitted.predict_represented(features[test])
    return predictions


def transfers(data: LabelledTexts, variant: str, predictions: list[Array | None], *, seed: int) -> list[Transfer]:
    """What came of the repetitions of `predict_from_variant`, by the variant tested on."""
    known = [row for row in predictions if row is not None]
    found = []
    for tested, rows in texts_by_variant(data):
        if len(known) < len(predictions):
            reason = Reason(
                "too_few_of_the_variant",
                f"A part of the training data has fewer than {FEWEST_OF_A_VARIANT} texts of {variant}, or only equal scores.",
            )
            r = Estimate(value=None, reason=reason, n=int(rows.sum()), method="Pearson r")
        else:
            r = pearson(data.labels[rows], np.array(known)[:, rows], data.groups[rows], seed=seed)
        found.append(Transfer(variant, tested, r))
    return found
