"""How well the learned meaning score does on pairs whose originals it has not seen, beside the automatic scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scoring.judgements.auc import auc
from scoring.judgements.bootstrap import bootstrap_interval
from scoring.result import Estimate, Reason, ScoringError
from scoring.texts.semantic import SemanticScorer

from .features import NAMES, edit_level
from .model import DecidedPairs, Floats, fit_calibration, fit_trees, grouped_folds, out_of_fold

REPEATS: Final = 10
FOLDS: Final = 10
BINS: Final = 10
AUTOMATIC: Final = {
    "character_score": "BODEGA's character score",
    "character_score_as_seen": "the same of the texts as a reader sees them",
    "similarity": "the encoder's similarity",
    "similarity_as_seen": "the same of the texts as a reader sees them",
    "word_edits": "how many whole words were changed (the fewer, the better)",
}
"""Scores that nobody trained."""
LEVELS: Final = (
    "word: at least one whole word was replaced, inserted or removed, other than by look-alikes; character: everything else. "
    "The two texts alone decide."
)

Progress = Callable[[int, int, str], None]
"""How many steps are done, of how many, and what is going on."""


def evaluate(
    data: DecidedPairs,
    rows: Floats,
    scorer: SemanticScorer,
    *,
    seed: int = 0,
    repeats: int = REPEATS,
    folds: int = FOLDS,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """`rows` are the features of the pairs, `scorer` what made their similarities.

    Nothing is fitted on what it is tested on: neither trees nor calibration. The AUC is that of all out-of-fold scores of a
    repeat, averaged over the repeats; Brier score and reliability are of the first repeat, where each fold has a calibration of
    its own, made within its training pairs.
    """
    if repeats < 1 or folds < 2:
        raise ScoringError(f"Cross-validation needs at least 1 repeat of 2 folds, not {repeats} of {folds}.")
    levels = np.array([edit_level(*pair) for pair in data.pairs])
    protocol = {
        "kind": "repeated cross-validation grouped by original",
        "repeats": repeats,
        "folds": min(folds, data.originals),
        "seed": seed,
        "levels": LEVELS,
    }
    counted = {
        "pairs": len(data.pairs),
        "preserved": int(data.preserved.sum()),
        "originals": data.originals,
        "word_level": int((levels == "word").sum()),
        "character_level": int((levels == "character").sum()),
        "protocol": protocol,
    }
    columns = _automatic(data, rows, scorer)
    automatic = {name: {"score": about} | _three(data, levels, columns[name]) for name, about in AUTOMATIC.items()}
    if reason := _no_evaluation(data):
        none = Estimate(None, reason, len(data.pairs), "cross-validation").as_dict()
        keys = ("auc", "auc_word_level", "auc_character_level", "brier")
        return counted | dict.fromkeys(keys, none) | {"reliability": [], "automatic": automatic}
    groups = data.groups
    seeds = np.random.SeedSequence(seed).generate_state(repeats).tolist()
    scores = np.zeros((repeats, len(rows)))
    for repeat, repeat_seed in enumerate(seeds):
        if progress is not None:
            progress(repeat, repeats + 1, f"Cross-validation {repeat + 1} of {repeats}")
        scores[repeat] = out_of_fold(rows, data.preserved, groups, folds=folds, seed=repeat_seed)
    if progress is not None:
        progress(repeats, repeats + 1, "Calibration")
    probabilities = _calibrated(data, rows, folds=folds, seed=seeds[0])
    return (
        counted
        | _three(data, levels, scores)
        | {"brier": _brier(data, probabilities).as_dict(), "reliability": _reliability(data.preserved, probabilities)}
        | {"automatic": automatic}
    )


def _no_evaluation(data: DecidedPairs) -> Reason | None:
    if data.originals < 2:
        return Reason("one_original", "All pairs share one original, so none can be set apart for testing.")
    if data.preserved.all() or not data.preserved.any():
        return Reason("one_class", "People decided alike on all pairs, so there is nothing to learn.")
    return None


def _three(data: DecidedPairs, levels: NDArray[np.str_], scores: Floats) -> dict[str, Any]:
    """The AUC over all pairs, and within word-level and character-level ones."""
    rows, groups = np.atleast_2d(scores), data.groups
    chosen = {"auc": levels != "", "auc_word_level": levels == "word", "auc_character_level": levels == "character"}
    return {
        name: auc(data.preserved[rule].tolist(), rows[:, rule], clusters=groups[rule].tolist()).as_dict()
        for name, rule in chosen.items()
    }


def _automatic(data: DecidedPairs, rows: Floats, scorer: SemanticScorer) -> dict[str, Floats]:
    """The automatic scores of all pairs; the higher, the more alike."""
    columns = {name: rows[:, NAMES.index(name)] for name in AUTOMATIC if name in NAMES}
    return columns | {"similarity": np.array(scorer.score(data.pairs)), "word_edits": -columns["word_edits"]}


def _calibrated(data: DecidedPairs, rows: Floats, *, folds: int, seed: int) -> Floats:
    """Each pair's probability by trees and a calibration that were fitted without any pair of its original."""
    probabilities, groups = np.zeros(len(rows)), data.groups
    for train, test in grouped_folds(groups, folds=folds, seed=seed):
        trees = fit_trees(rows[train], data.preserved[train], seed=seed)
        calibration = fit_calibration(rows[train], data.preserved[train], groups[train], seed=seed)
        probabilities[test] = calibration.probability(trees.score(rows[test]))
    return probabilities


def _brier(data: DecidedPairs, probabilities: Floats) -> Estimate:
    """The mean squared error of the probabilities (Brier, Monthly Weather Review 1950)."""
    squared = (probabilities - data.preserved) ** 2
    contributions = np.column_stack([squared, np.ones_like(squared)])
    interval, missing = bootstrap_interval(contributions, lambda sums: sums[:, 0] / sums[:, 1], clusters=data.groups.tolist())
    return Estimate(float(squared.mean()), None, len(squared), "Brier score, out of fold", interval=interval, no_interval=missing)


def _reliability(preserved: NDArray[np.bool_], probabilities: Floats) -> list[dict[str, Any]]:
    """Ten bins of equal width."""
    index = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    return [_bin(number, preserved[index == number], probabilities[index == number]) for number in range(BINS)]


def _bin(number: int, preserved: NDArray[np.bool_], probabilities: Floats) -> dict[str, Any]:
    means = [float(values.mean()) if len(values) else None for values in (probabilities, preserved)]
    return {
        "low": number / BINS,
        "high": (number + 1) / BINS,
        "n": len(preserved),
        "predicted": means[0],
        "preserved": means[1],
    }
