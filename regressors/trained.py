"""A trained model with its card: what it is, what it learned from, and how well it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from regressors.errors import RegressorError
from regressors.models import TextRegressor
from regressors.overlap import Seen

Array = NDArray[np.float64]
LEVEL: Final = 0.9
FEWEST_RESIDUALS: Final = 20


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """`card` as described in `regressors.training`; `seen` is what data that were trained on are recognised by; `sha256` is that
    of its folder, None until it is saved."""

    model: TextRegressor
    card: dict[str, Any]
    seen: Seen
    sha256: str | None = None

    def predict(self, texts: Sequence[str]) -> Array:
        """Scores within the card's scale, float64 [n]; any string has one."""
        return self.model.predict(texts)

    def uncertainty(self, texts: Sequence[str]) -> Array:
        """How far apart the opinions within the model are for each text: standard deviations in points of the scale, float64 [n].
        RegressorError for a kind of model that has one opinion only."""
        variance = self.model.variance_represented(self.model.represent(texts)) if len(texts) else np.empty(0)
        if variance is None:
            raise RegressorError(
                f"A model of the kind {self.card['model']!r} does not say how uncertain it is. Use one with a forest, a vote or "
                "an ordinal model in it, or select at random or by the disagreement of several models."
            )
        return np.sqrt(variance)

    def predict_interval(self, texts: Sequence[str]) -> tuple[Array, Array, Array]:
        """Scores and the bounds of their 90 % intervals, each float64 [n]. RegressorError if the card has none.

        The bounds add quantiles of the out-of-fold residuals (a cross-conformal interval, Vovk 2015): they cover about
        90 % of the labels of texts like those trained on, not 90 % for each single text.
        """
        calibration = self.card["calibration"]
        if "reason" in calibration:
            raise RegressorError(f"This model has no intervals: {calibration['reason']['message']}")
        low, high = self.card["data"]["scale"]
        scores = self.predict(texts)
        return (
            scores,
            np.clip(scores + calibration["lower_residual"], low, high),
            np.clip(scores + calibration["upper_residual"], low, high),
        )


def calibrate(labels: Array, predictions: Array | None) -> dict[str, Any]:
    """The residual quantiles for intervals at LEVEL from out-of-fold `predictions` [repeats, n], or a reason."""
    n = len(labels)
    if predictions is None or n < FEWEST_RESIDUALS:
        message = f"an interval needs out-of-fold predictions of at least {FEWEST_RESIDUALS} texts; there are {n}."
        return {"reason": {"code": "too_few_residuals", "message": message}}
    # (n + 1) / n: the new text's own residual belongs to the sample from which the quantile is taken.
    tail = max(0.0, 1 - (1 + LEVEL) / 2 * (n + 1) / n)
    lower, upper = np.quantile((labels - predictions).ravel(), [tail, 1 - tail])
    return {
        "level": LEVEL,
        "lower_residual": float(min(lower, 0.0)),
        "upper_residual": float(max(upper, 0.0)),
        "method": "quantiles of out-of-fold residuals (cross-conformal)",
    }
