"""Text+Num: a model of the text and a model of its numbers, trained apart and averaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, Self

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GroupKFold

from regressors.errors import RegressorError
from regressors.features.group import FeatureGroup
from regressors.models.base import Array, Scale, TextRegressor
from regressors.targets import Targets
from scoring.model_folder import dump_tensors, load_tensors

Weights = Literal["equal", "fitted"]
_WEIGHTS: Final = "weights.safetensors"
_FOLDS: Final = 5
_SHARES: Final = np.linspace(0, 1, 21)


class TextNum(TextRegressor):
    """The weighted mean of `text` and `numeric` ("Text+Num" of Tonni, Faustini and Dras, "Suspiciousness of Adversarial Texts to
    Human", 2024, whose weights are equal). With `weights` "fitted", the share of the text model is the one of 0, 0.05, …, 1
    with the least squared error in a cross-validation inside the data given to `fit`, in which a group is never split.

    Fitted: `text_`, `numeric_`, `share_of_text_`.
    """

    kind = "text+num"

    def __init__(self, text: TextRegressor, numeric: TextRegressor, weights: Weights = "equal") -> None:
        self.text = text
        self.numeric = numeric
        self.weights = weights

    @property
    def scale(self) -> Scale:  # type: ignore[override]
        return self.text.scale

    @property
    def groups(self) -> tuple[FeatureGroup, ...]:  # type: ignore[override]
        return self.text.groups + self.numeric.groups

    @property
    def repeats(self) -> int:  # type: ignore[override]
        return min(self.text.repeats, self.numeric.repeats)

    @property
    def width(self) -> int:
        return self.text.width + self.numeric.width

    def represent(self, texts: Sequence[str]) -> Array:
        return np.hstack([self.text.represent(texts), self.numeric.represent(texts)])

    def fit_represented(self, X: Array, told: Targets) -> Self:
        self.share_of_text_ = 0.5 if self.weights == "equal" else self._fitted_share(X, told)
        self.text_, self.numeric_ = self._parts(X, told)
        return self

    def predict_represented(self, X: Array) -> Array:
        of_text, of_numbers = self._split(X)
        text, numeric = self.text_.predict_represented(of_text), self.numeric_.predict_represented(of_numbers)
        mean: Array = self.share_of_text_ * text + (1 - self.share_of_text_) * numeric
        return mean

    def variance_represented(self, X: Array) -> Array | None:
        """Of the mixture of both parts: the weighted mean of their variances, and what their means differ by. A part that has one
        opinion adds none of its own."""
        split = self._split(X)
        share = self.share_of_text_
        text, numeric = (part.predict_represented(of) for part, of in zip((self.text_, self.numeric_), split, strict=True))
        variance: Array = share * (1 - share) * (text - numeric) ** 2
        for weight, part, of in ((share, self.text_, split[0]), (1 - share, self.numeric_, split[1])):
            within = part.variance_represented(of)
            variance = variance if within is None else variance + weight * within
        return variance

    def parameters(self) -> dict[str, Any]:
        parts = {"text": self.text.parameters(), "numeric": self.numeric.parameters()}
        return {"kind": self.kind, "weights": self.weights} | parts

    def learned(self) -> dict[str, bytes]:
        parts = {"text": self.text_.learned(), "numeric": self.numeric_.learned()}
        files = {f"{part}.{name}": content for part, files in parts.items() for name, content in files.items()}
        return files | {_WEIGHTS: dump_tensors({"share_of_text": np.array([self.share_of_text_])})}

    def restore(self, files: Mapping[str, bytes]) -> Self:
        self.share_of_text_ = float(load_tensors(files[_WEIGHTS])["share_of_text"][0])
        if not 0 <= self.share_of_text_ <= 1:
            raise RegressorError(f"{_WEIGHTS} holds no share from 0 to 1.")
        self.text_ = self.text.restore(_of_part("text", files))
        self.numeric_ = self.numeric.restore(_of_part("numeric", files))
        return self

    def _parts(self, X: Array, told: Targets) -> tuple[Any, Any]:
        of_text, of_numbers = self._split(X)
        return clone(self.text).fit_represented(of_text, told), clone(self.numeric).fit_represented(of_numbers, told)

    def _split(self, X: Array) -> tuple[Array, Array]:
        return X[:, : self.text.width], X[:, self.text.width :]

    def _fitted_share(self, X: Array, told: Targets) -> float:
        folds = min(_FOLDS, len(np.unique(told.groups)))
        if folds < 2:
            return 0.5
        unseen = np.zeros((2, len(told)))
        for train, test in GroupKFold(folds).split(X, groups=told.groups):
            parts = self._parts(X[train], told.take(train))
            unseen[:, test] = [part.predict_represented(of) for part, of in zip(parts, self._split(X[test]), strict=True)]
        text, numeric = unseen
        mixed = _SHARES[:, None] * text + (1 - _SHARES[:, None]) * numeric
        return float(_SHARES[np.argmin((mixed - told.labels) ** 2 @ told.counts)])


def _of_part(part: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name.removeprefix(f"{part}."): content for name, content in files.items() if name.startswith(f"{part}.")}
