"""Whether people would say that the meaning was kept, as a model trained on their decisions predicts it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from attacks.constraints.base import Checked, PairConstraint
from attacks.errors import AttackError


class MeaningModel(Protocol):
    """Predicts the probability of "meaning preserved", 0 to 1; see `scoring.texts.meaning.trained.MeaningModel`."""

    @property
    def sha256(self) -> str | None: ...

    def predict(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray: ...


class MeaningAtLeast(PairConstraint):
    """People say with a probability of at least ``tau`` that the candidate keeps the original's meaning, as the model predicts.

    The original itself always passes: nothing was changed, whatever a model says.
    """

    name = "meaning"
    cost = 300.0

    def __init__(self, model: MeaningModel, tau: float = 0.5) -> None:
        if not 0 <= tau <= 1:
            raise AttackError(f"tau is a probability, from 0 to 1, not {tau}")
        if not model.sha256:
            raise AttackError("the meaning model has no hash; save it first, so that the run can say which model it used")
        self.model = model
        self.tau = tau

    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> Checked:
        pairs = list(zip(originals, candidates, strict=True))
        # Rounding keeps a verdict from hanging on the last bit of another batch.
        scores = np.round(np.asarray(self.model.predict(pairs), dtype=np.float64), 6)
        unchanged = np.array([original == candidate for original, candidate in pairs], dtype=bool)
        return scores, (scores >= self.tau) | unchanged

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "tau": self.tau, "model_sha256": self.model.sha256}
