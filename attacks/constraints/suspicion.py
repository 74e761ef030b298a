"""How suspicious a text looks to readers, as a model trained on their judgements predicts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Protocol

import numpy as np

from attacks.constraints.base import Checked, PairConstraint
from attacks.errors import AttackError

TAU = 2.5


class SuspicionModel(Protocol):
    """Predicts suspicion, 1 (surely written by a person) to 5; see `regressors.storage.load`."""

    @property
    def sha256(self) -> str | None: ...

    @property
    def card(self) -> Mapping[str, Any]: ...

    def predict(self, texts: Sequence[str]) -> np.ndarray: ...


class SuspicionAtMost(PairConstraint):
    """The predicted suspicion of a candidate has a limit, by one of three rules that `describe` names.

    - ``tau`` (default 2.5): at most tau; where the original itself is above tau, at most the original's own, so that such
      texts can still be attacked but never made more suspicious.
    - ``margin`` (0 or more): at most so much above the original's own, whatever that is.
    - ``tau=inf``: everything passes, and only its score is kept. What limits would have done to such an observed run is
      told by `attacks.sweep`.

    A greedy search asks at every step, so each text on its way meets the condition, not only the last. Models of features that
    ship are asked before the encoder, others, and all that only observe, after it.
    """

    name = "suspicion"
    cost = 200.0  # of a model that may be anything, or that refuses nothing
    cost_of_quick_model = 50.0  # less than the encoder's, which then need not see what is refused

    def __init__(self, model: SuspicionModel, tau: float | None = None, margin: float | None = None) -> None:
        if tau is not None and margin is not None:
            raise AttackError("the suspicion constraint takes tau or a margin above the original, not both")
        if tau is not None and (np.isnan(tau) or tau == -inf):
            raise AttackError(f"tau must be a number, usually between 1 and 5, or inf to refuse nothing, not {tau}")
        if margin is not None and not 0 <= margin < inf:
            raise AttackError(f"the margin must be a number from 0, not {margin}: the original itself has to pass")
        if not model.sha256:
            raise AttackError("the suspicion model has no hash; save it first, so that the run can say which model it used")
        self.model = model
        self.margin = margin
        self.tau = TAU if tau is None and margin is None else tau
        if self.tau != inf and _is_quick(model):
            self.cost = self.cost_of_quick_model
        self._originals: dict[str, float] = {}

    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> Checked:
        if self.tau == inf:
            return predicted(self.model, candidates), np.ones(len(candidates), dtype=bool)
        allowed = limits(self._scores_of_originals(originals), self.tau, self.margin)
        scores = predicted(self.model, candidates)
        return scores, scores <= allowed

    def _scores_of_originals(self, originals: Sequence[str]) -> np.ndarray:
        new = [text for text in dict.fromkeys(originals) if text not in self._originals]
        if new:
            if len(self._originals) > 10_000:
                self._originals.clear()
                new = list(dict.fromkeys(originals))
            self._originals.update(zip(new, predicted(self.model, new).tolist(), strict=True))
        return np.array([self._originals[text] for text in originals], dtype=np.float64)

    def describe(self) -> dict[str, Any]:
        identity = {"model_sha256": self.model.sha256}
        if self.tau == inf:
            return {"name": self.name, "rule": "observed: every candidate passes"} | identity
        if self.margin is not None:
            return {"name": self.name, "margin": self.margin, "rule": "candidate <= original + margin"} | identity
        return {"name": self.name, "tau": self.tau, "rule": "candidate <= max(tau, original)"} | identity


def _is_quick(model: SuspicionModel) -> bool:
    """Whether all that it reads ships with Passable: words' numbers, or two of the encoder's six layers, as the default model."""
    from regressors.features import GROUPS

    groups = [described["group"] for described in model.card.get("features", ())]
    return bool(groups) and all(group in GROUPS for group in groups)


def limits(originals: np.ndarray, tau: float | None = None, margin: float | None = None) -> np.ndarray:
    """The highest suspicion allowed for candidates, from that of their originals: float64 [n]. See `SuspicionAtMost`."""
    if margin is not None:
        return np.round(originals + margin, 6)  # scores have six decimals, but their sums need not
    return originals if tau is None else np.maximum(tau, originals)


def predicted(model: SuspicionModel, texts: Sequence[str]) -> np.ndarray:
    """Predicted suspicion of texts, float64 [n].

    Rounded to six decimals: a candidate equal to its original must not fail by the last bit of another batch.
    """
    return np.round(np.asarray(model.predict(list(texts)), dtype=np.float64), 6) if len(texts) else np.empty(0)
