"""Closeness in meaning, token by token (Zhang et al. 2020, "BERTScore: Evaluating Text Generation with BERT", ICLR)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attacks.constraints.base import Checked, PairConstraint
from attacks.errors import AttackError
from scoring.texts.semantic import SemanticScorer, identity


class BertScoreAtLeast(PairConstraint):
    """BERTScore's F1 of the candidate against the original is at least ``threshold``; the original itself always passes.

    ``scorer`` is `scoring.texts.bert_score.BertScore` with a model of one's own, or another semantic scorer.
    """

    name = "bert_score"
    cost = 150.0

    def __init__(self, scorer: SemanticScorer, threshold: float = 0.9) -> None:
        if not -1 <= threshold <= 1:
            raise AttackError(f"a threshold of BERTScore's F1 must be between -1 and 1, not {threshold}")
        self.scorer = scorer
        self.threshold = threshold

    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> Checked:
        pairs = list(zip(originals, candidates, strict=True))
        # Rounding keeps a verdict from hanging on the last bits of another batch.
        scores = np.round(np.asarray(self.scorer.score(pairs), dtype=np.float64), 5)
        unchanged = np.array([original == candidate for original, candidate in pairs], dtype=bool)
        return scores, (scores >= self.threshold) | unchanged

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "threshold": self.threshold, "model": identity(self.scorer)}
