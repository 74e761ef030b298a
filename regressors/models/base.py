"""Regressors of texts: each turns texts into numbers once (`represent`) and learns from the numbers alone.

The split lets cross-validation compute the expensive part, the same for every fold, one time only.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin

from regressors.features.group import FeatureGroup
from regressors.targets import Targets, targets_of

Array = NDArray[np.float64]
Scale = tuple[float, float]
SUSPICION: Final[Scale] = (1.0, 5.0)


class TextRegressor(RegressorMixin, BaseEstimator):
    """Texts to scores within `scale`, by way of the numbers of feature `groups`."""

    kind: ClassVar[str]
    repeats: int = 5
    """Repetitions of a cross-validation that are worth their time, unless somebody asks for others."""
    scale: Scale
    groups: tuple[FeatureGroup, ...]

    @property
    @abstractmethod
    def width(self) -> int:
        """Columns of `represent`."""

    @abstractmethod
    def represent(self, texts: Sequence[str]) -> Array:
        """What the model knows of each text, float64 [n, `width`]; does not depend on the other texts."""

    @abstractmethod
    def fit_represented(self, X: Array, told: Targets) -> Self:
        """`fit` on what `represent` gave."""

    @abstractmethod
    def predict_represented(self, X: Array) -> Array:
        """`predict` on what `represent` gave: float64 [n] within `scale`."""

    def variance_represented(self, X: Array) -> Array | None:
        """How far apart the opinions are that `predict_represented` is the mean of, float64 [n], in squared points of the scale;
        None for a model that has one opinion only."""
        return None

    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """What `regressors.models.model_of` makes an equal model of, ready for JSON."""

    @abstractmethod
    def learned(self) -> dict[str, bytes]:
        """What was fitted, as files of a model folder by name."""

    @abstractmethod
    def restore(self, files: Mapping[str, bytes]) -> Self:
        """Takes what `learned` gave. RegressorError, or ModelFolderError, for anything unsound; KeyError for a missing file."""

    def fit(
        self, texts: Sequence[str], y: ArrayLike, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Self:
        return self.fit_represented(self.represent(texts), targets_of(y, sample_weight, groups))

    def predict(self, texts: Sequence[str]) -> Array:
        return self.predict_represented(self.represent(texts)) if len(texts) else np.empty(0)
