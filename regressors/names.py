"""The models that can be chosen, in words: for pages of a process that loads none of the libraries behind them. What each is made
of is in `regressors.models`."""

from __future__ import annotations

from typing import Final

DEFAULT: Final = "text+num"

NAMES: Final[dict[str, str]] = {
    DEFAULT: "layers and numbers, averaged (default)",
    "text+voting": "layers and three learners, weighted",
    "layers": "an encoder's first layers",
    "encoder": "an encoder's last layer",
    "ridge": "numbers, ridge regression",
    "linear": "numbers, linear regression",
    "huber": "numbers, Huber regression",
    "forest": "numbers, random forest",
    "boosting": "numbers, gradient boosting",
    "xgboost": "numbers, XGBoost",
    "voting": "numbers, mean of three learners",
    "stacking": "numbers, three learners stacked",
    "ordinal": "numbers, with annotators' habits",
    "fine-tuned": "encoder trained on (slow)",
    "fine-tuned+num": "that and numbers, averaged (slow)",
    "multimodal": "that with numbers in its head (slow)",
}
"""The names of `regressors.models.MODELS`, in its order."""
