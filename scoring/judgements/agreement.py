"""Agreement of two annotators: raw, Cohen's kappa, Gwet's AC1, and who called it what.

Cohen, "A coefficient of agreement for nominal scales", 1960, and "Weighted kappa", 1968; Gwet, "Computing inter-rater
reliability and its variance in the presence of high agreement", 2008.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from scoring.result import Estimate, Reason, ScoringError

from .bootstrap import DRAWS, Floats, bootstrap_interval
from .shares import share

Weights = Literal["linear", "quadratic"] | None
Answers = Sequence[str | None]
Clusters = Sequence[Hashable] | None

_LABELS_AT_MOST: Final = 500
_CELLS_AT_MOST: Final = 20_000_000
"""Of a table of items by labels: it and the draws from it then fit into memory, and take seconds."""


@dataclass(frozen=True, slots=True)
class _Paired:
    """The items that both judged, as numbers of labels, and why others were left out."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    clusters: list[Hashable] | None
    left_out: dict[str, int]
    declared: tuple[str, ...]
    seen: tuple[str, ...]
    reason: Reason | None

    def estimate(self, value: float | None, method: str, reason: Reason | None = None) -> Estimate:
        return Estimate(
            value, reason, len(self.first), method, self.left_out, None, labels_declared=self.declared, labels_seen=self.seen
        )


def raw_agreement(
    first: Answers, second: Answers, labels: Sequence[str], *, clusters: Clusters = None, seed: int = 0
) -> Estimate:
    """The share of items that both gave the same label, among those that both judged (None: not judged)."""
    paired = _pair(first, second, labels, clusters)
    if paired.reason:
        return paired.estimate(None, "raw agreement", paired.reason)
    equal = [bool(same) for same in paired.first == paired.second]
    found = share(equal, clusters=paired.clusters, seed=seed)
    return replace(
        found, method="raw agreement", left_out=paired.left_out, labels_declared=paired.declared, labels_seen=paired.seen
    )


def cohen_kappa(
    first: Answers,
    second: Answers,
    labels: Sequence[str],
    *,
    clusters: Clusters = None,
    weights: Weights = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> Estimate:
    """Agreement beyond what the two annotators' own label frequencies give by chance; at most 1, 0 at chance.

    `weights` count a disagreement by its distance in the order of `labels`. The interval resamples clusters (the
    originals), or items without them. Undefined, and said so, if nobody used a second label or there is one item.
    """
    names = {None: "unweighted", "linear": "linear weights", "quadratic": "quadratic weights"}
    if weights not in names:
        raise ScoringError(f"Unknown weights {weights!r}: they are None, 'linear' or 'quadratic'.")
    paired = _pair(first, second, labels, clusters)
    return _beyond_chance(paired, weights, lambda sums: kappa_of(sums, weights), f"Cohen's kappa, {names[weights]}", seed, draws)


def gwet_ac1(
    first: Answers,
    second: Answers,
    labels: Sequence[str],
    *,
    clusters: Clusters = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> Estimate:
    """Agreement beyond chance, where chance is that of guessing on hard items; stable when one label dominates.

    It depends on how many labels were declared, at least two. If everybody used one label it is 1.
    """
    paired = _pair(first, second, labels, clusters)
    if len(paired.declared) < 2 and not paired.reason:
        reason = Reason("one_label_declared", "Only one label was declared, so nobody could disagree.")
        return paired.estimate(None, "Gwet's AC1", reason)
    return _beyond_chance(paired, None, _ac1_of, "Gwet's AC1", seed, draws)


def confusion(first: Answers, second: Answers, labels: Sequence[str]) -> list[list[int]]:
    """How many items the first annotator (rows) and the second (columns) gave which label, in the order of `labels`.

    Items that one of them did not judge are not counted. ScoringError for unequal lengths or an undeclared label.
    """
    paired = _pair(first, second, labels, None)
    if paired.reason and paired.reason.code != "no_common_item":
        raise ScoringError(paired.reason.message)
    table = np.zeros((len(paired.declared), len(paired.declared)), dtype=int)
    np.add.at(table, (paired.first, paired.second), 1)
    rows: list[list[int]] = table.tolist()
    return rows


def paired_answers(first: NDArray[np.int64], second: NDArray[np.int64], size: int, weights: Weights = None) -> Floats:
    """What each item adds to kappa, from the places of its two labels among `size`: one for the label of the first answer, one
    for that of the second, and what their difference costs [n, 2 size + 1]. Twice the labels, not every two of them."""
    rows, items = np.zeros((len(first), 2 * size + 1)), np.arange(len(first))
    rows[items, first] = 1.0
    rows[items, size + second] = 1.0
    distance = np.abs(first - second)
    rows[:, -1] = {None: distance > 0, "linear": distance, "quadratic": distance**2}[weights]
    return rows


def kappa_of(sums: Floats, weights: Weights = None) -> Floats:
    """Cohen's kappa of each row of summed `paired_answers`, counts or probabilities; NaN where undefined."""
    first, second = np.split(sums[:, :-1], 2, axis=1)
    n = first.sum(axis=1)
    result: Floats = 1 - n * sums[:, -1] / _cost_by_chance(first, second, n, weights)
    return result


def _cost_by_chance(first: Floats, second: Floats, n: Floats, weights: Weights) -> Floats:
    """The cost of each label of the first [d, k] beside each of the second, added up. Exact where the counts are whole."""
    if weights is None:
        return n * n - (first * second).sum(axis=1)
    if weights == "linear":  # how often a step of the scale lies between the two
        one, other = np.cumsum(first, axis=1)[:, :-1], np.cumsum(second, axis=1)[:, :-1]
        return n * (one + other).sum(axis=1) - 2 * (one * other).sum(axis=1)
    place = np.arange(first.shape[1], dtype=float)
    squares = (first + second) @ place**2
    result: Floats = n * squares - 2 * (first @ place) * (second @ place)
    return result


def _ac1_of(sums: Floats) -> Floats:
    first, second = np.split(sums[:, :-1], 2, axis=1)
    n = first.sum(axis=1)
    frequency = (first + second) / (2 * n[:, None])
    chance = (frequency * (1 - frequency)).sum(axis=1) / (frequency.shape[1] - 1)
    result: Floats = (1 - sums[:, -1] / n - chance) / (1 - chance)
    return result


def _beyond_chance(
    paired: _Paired, weights: Weights, statistic: Callable[[Floats], Floats], method: str, seed: int, draws: int
) -> Estimate:
    if paired.reason:
        return paired.estimate(None, method, paired.reason)
    n = len(paired.first)
    if n == 1:
        return paired.estimate(None, method, Reason("one_item", "One item cannot tell agreement from chance."))
    contributions = paired_answers(paired.first, paired.second, len(paired.declared), weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(statistic(contributions.sum(axis=0, keepdims=True))[0])
    if not np.isfinite(value):
        return paired.estimate(None, method, Reason("one_label", f"Everybody used one label, so {method} is undefined."))
    interval, missing = bootstrap_interval(contributions, statistic, clusters=paired.clusters, seed=seed, draws=draws)
    return Estimate(value, None, n, method, paired.left_out, interval, paired.declared, paired.seen, missing)


def check_labels(labels: Sequence[str], items: int) -> None:
    """ScoringError unless labels are declared once each, at least one, and not so many that they can be no labels."""
    if not labels or len(set(labels)) < len(labels):
        raise ScoringError(f"Labels are declared once each, at least one; got {', '.join(labels) or 'none'}.")
    if len(labels) > _LABELS_AT_MOST or items * len(labels) > _CELLS_AT_MOST:
        raise ScoringError(
            f"{len(labels):,} different labels of {items:,} items are too many to compare (at most {_LABELS_AT_MOST} labels, and "
            f"{_CELLS_AT_MOST:,} labels times items); are they labels?"
        )


def _pair(first: Answers, second: Answers, labels: Sequence[str], clusters: Clusters) -> _Paired:
    declared = tuple(labels)
    check_labels(declared, len(first))
    given = {label for label in (*first, *second) if label is not None}
    undeclared = sorted(given - set(declared))
    seen = tuple(label for label in declared if label in given) + tuple(undeclared)
    if reason := _unpairable(first, second, clusters, undeclared, declared):
        none = np.empty(0, dtype=np.int64)
        return _Paired(none, none, None, {}, declared, seen, reason)
    number: dict[str | None, int] = {label: index for index, label in enumerate(declared)}
    kept = [i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a is not None and b is not None]
    dropped = len(first) - len(kept)
    return _Paired(
        np.array([number[first[i]] for i in kept], dtype=np.int64),
        np.array([number[second[i]] for i in kept], dtype=np.int64),
        None if clusters is None else [clusters[i] for i in kept],
        {"not judged by both": dropped} if dropped else {},
        declared,
        seen,
        None if kept else Reason("no_common_item", "There is no item that both annotators judged."),
    )


def _unpairable(
    first: Answers, second: Answers, clusters: Clusters, undeclared: Sequence[str], declared: Sequence[str]
) -> Reason | None:
    if len(first) != len(second):
        return Reason("unequal_lengths", f"The first annotator has {len(first)} answers, the second {len(second)}.")
    if clusters is not None and len(clusters) != len(first):
        return Reason("unequal_lengths", f"There are {len(first)} items, but {len(clusters)} clusters.")
    if undeclared:
        where = next(i for i, pair in enumerate(zip(first, second, strict=True), 1) if undeclared[0] in pair)
        message = f"{undeclared[0]!r} (item {where}) is not one of the declared labels {', '.join(declared)}."
        return Reason("undeclared_label", message)
    return None
