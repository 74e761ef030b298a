"""Regressors of texts: each turns texts into numbers once (`represent`) and learns from the numbers alone.

The split lets cross-validation compute the expensive part, the same for every fold, one time only.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.ensemble import RandomForestRegressor

from regressors.features.lexical import LexicalFeatures
from regressors.models.ridge import DEFAULT_ALPHAS, GroupedRidge
from scoring.texts.encoder import SentenceEncoder, embedded_encoder

Array = NDArray[np.float64]
SUSPICION: Final = (1.0, 5.0)


class TextRegressor(RegressorMixin, BaseEstimator):
    """Texts to scores within `scale`. `groups` (variants of one original) are for choices made inside `fit`."""

    scale: tuple[float, float]

    @property
    @abstractmethod
    def width(self) -> int:
        """Columns of `represent`."""

    @abstractmethod
    def represent(self, texts: Sequence[str]) -> Array:
        """What the model knows of each text, float64 [n, `width`]; does not depend on the other texts."""

    @abstractmethod
    def fit_represented(
        self, X: Array, y: ArrayLike, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Self:
        """`fit` on what `represent` gave."""

    @abstractmethod
    def predict_represented(self, X: Array) -> Array:
        """`predict` on what `represent` gave: float64 [n] within `scale`."""

    def fit(
        self,
        texts: Sequence[str],
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        return self.fit_represented(self.represent(texts), y, sample_weight, groups)

    def predict(self, texts: Sequence[str]) -> Array:
        if not len(texts):
            return np.empty(0)
        return self.predict_represented(self.represent(texts))


class FrozenEncoderRidge(TextRegressor):
    """Ridge regression on a sentence encoder's vectors; the encoder is not trained. None: the embedded MiniLM.

    Fitted: `head_`, a GroupedRidge.
    """

    def __init__(
        self,
        encoder: SentenceEncoder | None = None,
        alphas: Sequence[float] = DEFAULT_ALPHAS,
        scale: tuple[float, float] = SUSPICION,
    ) -> None:
        self.encoder = encoder
        self.alphas = alphas
        self.scale = scale

    @property
    def encoder_used(self) -> SentenceEncoder:
        return self.encoder if self.encoder is not None else embedded_encoder()

    @property
    def width(self) -> int:
        return self.encoder_used.size

    def represent(self, texts: Sequence[str]) -> Array:
        return self.encoder_used.encode(texts).astype(np.float64)

    def fit_represented(
        self, X: Array, y: ArrayLike, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Self:
        self.head_ = GroupedRidge(self.alphas).fit(X, y, sample_weight, groups)
        return self

    def predict_represented(self, X: Array) -> Array:
        return np.clip(self.head_.predict(X), *self.scale)


class LexicalForest(TextRegressor):
    """A random forest (Breiman 2001) on the lexical features. `n_jobs` changes the time only. Fitted: `forest_`."""

    def __init__(
        self,
        trees: int = 200,
        min_samples_leaf: int = 5,
        max_features: float = 1 / 3,
        seed: int = 0,
        n_jobs: int = 1,
        scale: tuple[float, float] = SUSPICION,
    ) -> None:
        self.trees = trees
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.seed = seed
        self.n_jobs = n_jobs
        self.scale = scale

    @property
    def width(self) -> int:
        return len(LexicalFeatures.names)

    def represent(self, texts: Sequence[str]) -> Array:
        return LexicalFeatures().transform(texts)

    def fit_represented(
        self, X: Array, y: ArrayLike, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Self:
        self.forest_ = RandomForestRegressor(
            self.trees,
            min_samples_leaf=self.min_samples_leaf,
            max_features=self.max_features,
            random_state=self.seed,
            n_jobs=self.n_jobs,
        ).fit(X, y, sample_weight)
        # Several threads would add up the trees in any order, and the last digits would differ from run to run.
        self.forest_.n_jobs = 1
        return self

    def predict_represented(self, X: Array) -> Array:
        return np.clip(self.forest_.predict(X), *self.scale)


class TextNum(TextRegressor):
    """The mean of a model of the text and a model of its numbers, trained apart ("Text+Num" of Tonni, Faustini and
    Dras, "Suspiciousness of Adversarial Texts to Human", 2024). Fitted: `text_` and `numeric_`."""

    def __init__(self, text: TextRegressor, numeric: TextRegressor) -> None:
        self.text = text
        self.numeric = numeric

    @property
    def scale(self) -> tuple[float, float]:  # type: ignore[override]
        return self.text.scale

    @property
    def width(self) -> int:
        return self.text.width + self.numeric.width

    def represent(self, texts: Sequence[str]) -> Array:
        return np.hstack([self.text.represent(texts), self.numeric.represent(texts)])

    def fit_represented(
        self, X: Array, y: ArrayLike, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Self:
        of_text, of_numbers = self._split(X)
        self.text_: Any = clone(self.text).fit_represented(of_text, y, sample_weight, groups)
        self.numeric_: Any = clone(self.numeric).fit_represented(of_numbers, y, sample_weight, groups)
        return self

    def predict_represented(self, X: Array) -> Array:
        of_text, of_numbers = self._split(X)
        mean: Array = (self.text_.predict_represented(of_text) + self.numeric_.predict_represented(of_numbers)) / 2
        return mean

    def _split(self, X: Array) -> tuple[Array, Array]:
        return X[:, : self.text.width], X[:, self.text.width :]
