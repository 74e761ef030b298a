"""The models, and the one that is used unless another is asked for."""

from __future__ import annotations

from regressors.models.text import SUSPICION, FrozenEncoderRidge, LexicalForest, TextNum, TextRegressor

__all__ = ["SUSPICION", "FrozenEncoderRidge", "LexicalForest", "TextNum", "TextRegressor", "default_model"]


def default_model(seed: int = 0, *, scale: tuple[float, float] = SUSPICION, n_jobs: int = 1) -> TextNum:
    """Text+Num of the embedded encoder with a ridge head and a random forest on lexical features."""
    return TextNum(FrozenEncoderRidge(scale=scale), LexicalForest(seed=seed, n_jobs=n_jobs, scale=scale))
