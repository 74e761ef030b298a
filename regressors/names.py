"""The models that can be chosen, in words: for pages of a process that loads none of the libraries behind them. What each is made
of is in `regressors.models`."""

from __future__ import annotations

from typing import Final

DEFAULT: Final = "text+num"

NAMES: Final[dict[str, str]] = {
    DEFAULT: "encoder's first layers and numbers about the text, averaged (default)",
    "text+voting": "encoder's first layers and three learners of numbers, weighted",
    "layers": "encoder's first layers alone",
    "encoder": "encoder's last layer alone",
    "ridge": "numbers about the text, ridge regression",
    "linear": "numbers about the text, linear regression",
    "huber": "numbers about the text, Huber regression",
    "forest": "numbers about the text, random forest",
    "boosting": "numbers about the text, gradient boosting",
    "xgboost": "numbers about the text, XGBoost",
    "voting": "numbers about the text, mean of three learners",
    "stacking": "numbers about the text, three learners stacked",
    "ordinal": "numbers about the text, ordinal regression with each annotator's habits",
    "fine-tuned": "encoder trained on (slow)",
    "fine-tuned+num": "encoder trained on and numbers about the text, averaged (slow)",
    "multimodal": "encoder trained on with numbers about the text in its head (slow)",
}
"""The names of `regressors.models.MODELS`, in its order."""
