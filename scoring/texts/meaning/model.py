"""The model itself: gradient-boosted trees on features of a pair, and a sigmoid that turns their score into a probability."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scoring.result import ScoringError

from .features import Pair

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

TREES: Final = 300
PARAMETERS: Final = {
    "objective": "binary:logistic",
    "max_depth": 3,
    "eta": 0.02,
    "min_child_weight": 0.5,
    "subsample": 0.7,
    "colsample_bytree": 0.25,
    "nthread": 1,
}
CALIBRATION_FOLDS: Final = 5


@dataclass(frozen=True, slots=True)
class DecidedPairs:
    """Pairs that people decided on, in the order of their texts, so that the order of the rows cannot matter."""

    pairs: tuple[Pair, ...]
    preserved: NDArray[np.bool_]

    @classmethod
    def of(cls, pairs: Sequence[Pair], preserved: Sequence[bool]) -> DecidedPairs:
        """ScoringError where there is nothing to learn."""
        if len(pairs) != len(preserved):
            raise ScoringError(f"There are {len(pairs)} pairs, but {len(preserved)} decisions.")
        rows = sorted((*pair, bool(kept)) for pair, kept in zip(pairs, preserved, strict=True))
        return cls(tuple((old, new) for old, new, _ in rows), np.array([kept for *_, kept in rows], dtype=bool))

    @property
    def groups(self) -> Indices:
        """The number of each pair's original: pairs of one original are never split between training and test."""
        groups: Indices = np.unique(np.array([old for old, _ in self.pairs], dtype=object), return_inverse=True)[1]
        return groups

    @property
    def originals(self) -> int:
        return len({old for old, _ in self.pairs})

    def sha256(self) -> str:
        """Of texts and decisions; the same for the same data in any order."""
        digest = hashlib.sha256()
        for (old, new), kept in zip(self.pairs, self.preserved.tolist(), strict=True):
            digest.update(json.dumps([old, new, kept]).encode("ascii") + b"\n")
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Trees:
    """Log-odds from features. Without a booster, the same for every pair: people had decided alike on all that was seen."""

    booster: Any
    constant: float = 0.0

    def score(self, rows: Floats) -> Floats:
        """Log-odds that the meaning was kept."""
        if self.booster is None:
            return np.full(len(rows), self.constant)
        import xgboost

        if not len(rows):
            return np.empty(0)
        margins: Floats = self.booster.predict(xgboost.DMatrix(rows, nthread=1), output_margin=True).astype(np.float64)
        return margins


@dataclass(frozen=True, slots=True)
class Calibration:
    """The sigmoid of Platt ("Probabilistic Outputs for Support Vector Machines", 1999): log-odds → probability."""

    slope: float = 1.0
    intercept: float = 0.0

    def probability(self, scores: Floats) -> Floats:
        from scipy.special import expit

        found: Floats = expit(self.slope * scores + self.intercept)
        return found


def grouped_folds(groups: Indices, *, folds: int, seed: int) -> Iterator[tuple[Indices, Indices]]:
    """Training and test rows of each fold, at most one fold for each group; no group is ever in both."""
    from sklearn.model_selection import GroupKFold

    yield from GroupKFold(min(folds, len(np.unique(groups))), shuffle=True, random_state=seed).split(groups, groups=groups)


def fit_trees(rows: Floats, preserved: NDArray[np.bool_], *, seed: int) -> Trees:
    """Trees for these rows; one thread, so that the seed alone decides."""
    share = (preserved.sum() + 1) / (len(preserved) + 2)
    if preserved.all() or not preserved.any():
        return Trees(None, log(share / (1 - share)))
    import xgboost

    data = xgboost.DMatrix(rows, label=preserved.astype(float), nthread=1)
    return Trees(xgboost.train(PARAMETERS | {"seed": seed}, data, num_boost_round=TREES))


def fit_calibration(rows: Floats, preserved: NDArray[np.bool_], groups: Indices, *, seed: int) -> Calibration:
    """The sigmoid on scores of pairs whose originals the trees had not seen; none for one original or one kind only."""
    if len(np.unique(groups)) < 2 or preserved.all() or not preserved.any():
        return Calibration()
    from sklearn.linear_model import LogisticRegression

    scores = out_of_fold(rows, preserved, groups, folds=CALIBRATION_FOLDS, seed=seed)
    # Platt's targets, a little away from 0 and 1, as weights of both kinds.
    kept = int(preserved.sum())
    high, low = (kept + 1) / (kept + 2), 1 / (len(preserved) - kept + 2)
    target = np.where(preserved, high, low)
    both = np.concatenate([scores, scores])[:, None]
    kinds = np.repeat([1, 0], len(scores))
    fitted = LogisticRegression(C=np.inf).fit(both, kinds, sample_weight=np.concatenate([target, 1 - target]))
    return Calibration(max(0.0, float(fitted.coef_[0, 0])), float(fitted.intercept_[0]))


def out_of_fold(rows: Floats, preserved: NDArray[np.bool_], groups: Indices, *, folds: int, seed: int) -> Floats:
    """Each row's score by trees that were fitted without any pair of its original."""
    scores = np.zeros(len(rows))
    for train, test in grouped_folds(groups, folds=folds, seed=seed):
        scores[test] = fit_trees(rows[train], preserved[train], seed=seed).score(rows[test])
    return scores
