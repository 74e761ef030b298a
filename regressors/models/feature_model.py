"""Models of feature groups: a scikit-learn regressor on the numbers that the groups give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import has_fit_parameter

from regressors.features.group import FeatureGroup, stacked
from regressors.models.base import SUSPICION, Array, Scale, TextRegressor
from regressors.models.learner_files import dump_learner, load_learner
from regressors.models.learners import make_learner, parts_of, predictions, variance_of
from regressors.targets import Targets


class FeatureModel(TextRegressor):
    """The learner of a name (`regressors.models.learners.LEARNERS`) on the columns of some feature groups.

    `n_jobs` changes the time only. Fitted: `learner_`.
    """

    kind = "features"

    def __init__(
        self,
        groups: tuple[FeatureGroup, ...],
        learner: str = "forest",
        *,
        seed: int = 0,
        n_jobs: int = 1,
        scale: Scale = SUSPICION,
    ) -> None:
        self.groups = groups
        self.learner = learner
        self.seed = seed
        self.n_jobs = n_jobs
        self.scale = scale

    @property
    def width(self) -> int:
        return sum(len(group.names) for group in self.groups)

    def represent(self, texts: Sequence[str]) -> Array:
        return stacked(self.groups, texts)

    def fit_represented(self, X: Array, told: Targets) -> Self:
        learner = make_learner(self.learner, seed=self.seed, n_jobs=self.n_jobs)
        # Weights go to each, asked or not: one that hands them on to its parts does not name them.
        offered = {"groups": told.groups, "judgements": told.judgements, "annotators": told.annotators}
        taken = {name: of for name, of in offered.items() if has_fit_parameter(learner, name)}
        self.learner_ = learner.fit(X, told.labels, sample_weight=told.counts, **taken)
        for part in parts_of(self.learner_):
            # Several threads would add up a forest's trees in any order, and the last digits would differ from run to run.
            if hasattr(part, "n_jobs"):
                part.n_jobs = 1
        return self

    def predict_represented(self, X: Array) -> Array:
        return np.clip(predictions(self.learner_, X), *self.scale)

    def variance_represented(self, X: Array) -> Array | None:
        return variance_of(self.learner_, X)

    def parameters(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "groups": [group.spec for group in self.groups],
            "learner": self.learner,
            "seed": self.seed,
            "scale": list(self.scale),
        }

    def learned(self) -> dict[str, bytes]:
        return dump_learner(self.learner_)

    def restore(self, files: Mapping[str, bytes]) -> Self:
        self.learner_ = load_learner(self.learner, files, columns=self.width)
        return self
