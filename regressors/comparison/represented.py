"""Texts as models see them, the numbers of each feature group computed once for all models that read them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regressors.features.group import FeatureGroup
from regressors.models import FeatureModel, TextNum, TextRegressor
from regressors.models.base import Array


class Represented:
    """`known` holds what was computed, float64 [n, columns] by the group's `spec`."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self.known: dict[str, Array] = {}

    def by(self, model: TextRegressor) -> Array:
        """The same as `model.represent(texts)`."""
        if isinstance(model, TextNum):
            return np.hstack([self.by(model.text), self.by(model.numeric)])
        if isinstance(model, FeatureModel):
            return np.hstack([self._of(group) for group in model.groups])
        return model.represent(self._texts)

    def _of(self, group: FeatureGroup) -> Array:
        if group.spec not in self.known:
            self.known[group.spec] = group.compute(self._texts)
        return self.known[group.spec]
