"""How suspicious a text looks to readers, as a model trained on their judgements predicts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from attacks.constraints.base import Checked, PairConstraint
from attacks.errors import AttackError


class SuspicionModel(Protocol):
    """Predicts suspicion, 1 (surely written by a person) to 5; see `regressors.storage.load`."""

    @property
    def sha256(self) -> str | None: ...

    @property
    def card(self) -> Mapping[str, Any]: ...

    def predict(self, texts: Sequence[str]) -> np.ndarray: ...


class SuspicionAtMost(PairConstraint):
    """The predicted suspicion of a candidate is at most ``tau``; where the original itself is already above tau, it is
    at most the original's own, so that such texts can still be attacked but never made more suspicious.

    A greedy search asks at every step, so each text on its way meets the condition, not only the last.
    """

    name = "suspicion"
    cost = 200.0
    rule = "candidate <= max(tau, original)"

    def __init__(self, model: SuspicionModel, tau: float = 2.5) -> None:
        if not np.isfinite(tau):
            raise AttackError(f"tau must be a number, usually between 1 and 5, not {tau}")
        if not model.sha256:
            raise AttackError("the suspicion model has no hash; save it first, so that the run can say which model it used")
        self.model = model
        self.tau = tau
        self._originals: dict[str, float] = {}

    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> Checked:
        limits = np.maximum(self.tau, self._scores_of_originals(originals))
        # Rounding keeps a candidate equal to its original from failing by the last bit of another batch.
        scores = np.round(np.asarray(self.model.predict(list(candidates)), dtype=np.float64), 6)
        return scores, scores <= limits

    def _scores_of_originals(self, originals: Sequence[str]) -> np.ndarray:
        new = [text for text in dict.fromkeys(originals) if text not in self._originals]
        if new:
            if len(self._originals) > 10_000:
                self._originals.clear()
                new = list(dict.fromkeys(originals))
            scores = np.round(np.asarray(self.model.predict(new), dtype=np.float64), 6)
            self._originals.update(zip(new, scores.tolist(), strict=True))
        return np.array([self._originals[text] for text in originals], dtype=np.float64)

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "tau": self.tau, "rule": self.rule, "model_sha256": self.model.sha256}
