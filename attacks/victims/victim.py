"""What a victim is, and how good one is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from attacks.tasks.layout import Row
from scoring.judgements.bootstrap import bootstrap_interval
from scoring.judgements.shares import ratio, share
from scoring.result import Interval

Progress = Callable[[int, int, str], None]
"""Is told how much is done, of how much, and what that is. An exception from it ends the work."""


class Victim(Protocol):
    """A classifier of texts. ``sha256`` identifies its weights; equal texts get equal answers, however batched.

    One that runs out of memory raises `MemoryError`, and may then be asked about fewer texts at a time.
    """

    @property
    def name(self) -> str: ...

    @property
    def sha256(self) -> str: ...

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        """Probabilities of the labels 0 and 1: float64 [n, 2], rows sum to one."""
        ...


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A victim on labelled texts: share of correct labels, F1 of label 1 (0.0 if it is never right), number of texts,
    share of the most frequent label, and the one-sided exact binomial p of doing so well by always saying that label.

    The intervals are of 95 %: Wilson's for the accuracy, a bootstrap over texts for F1, which is None where every draw gives
    the same value.
    """

    accuracy: float
    f1: float
    n: int
    majority: float
    p_chance: float
    accuracy_interval: Interval | None = None
    f1_interval: Interval | None = None

    @property
    def at_chance(self) -> bool:
        return self.p_chance >= 0.05


def evaluate(victim: Victim, rows: Sequence[Row]) -> Evaluation:
    """Accuracy and F1 (label 1 is positive, as in BODEGA) of a victim on at least one row."""
    from scipy.stats import binomtest

    gold = np.array([row.label for row in rows])
    predicted = victim.predict_proba([row.text for row in rows]).argmax(axis=1)
    right = int((gold == predicted).sum())
    hits = int(((gold == 1) & (predicted == 1)).sum())
    positives = int((gold == 1).sum() + (predicted == 1).sum())
    f1_parts = np.column_stack([2.0 * ((gold == 1) & (predicted == 1)), (gold == 1) * 1.0 + (predicted == 1)])
    majority = float(max(gold.mean(), 1 - gold.mean()))
    return Evaluation(
        accuracy=right / len(gold),
        f1=2 * hits / positives if positives else 0.0,
        n=len(gold),
        majority=majority,
        p_chance=float(binomtest(right, len(gold), majority, alternative="greater").pvalue),
        accuracy_interval=share((gold == predicted).tolist()).interval,
        f1_interval=bootstrap_interval(f1_parts, ratio)[0],
    )
