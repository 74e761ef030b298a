"""Agreement of a pool: any number of annotators, of whom each judged some of the items.

Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011: the coincidence matrix, and the differences of nominal, ordinal
and interval values.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeVar

import numpy as np

from scoring.result import Estimate, Reason, ScoringError

from .agreement import Weights, kappa_of
from .bootstrap import DRAWS, Floats, bootstrap_interval

Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
Rater = TypeVar("Rater", bound=Hashable)
Units = Sequence[Mapping[Rater, str]]
"""For each item who called it what."""


def krippendorff_alpha(
    units: Units[Rater],
    labels: Sequence[str],
    *,
    level: Level = "nominal",
    values: Sequence[float] | None = None,
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> Estimate:
    """Agreement beyond chance of however many annotators, each pair of answers to an item counting; at most 1, 0 at chance.

    `labels` are declared in their order; `values` are their numbers where `level` is "interval". Items with fewer than two
    answers are left out and counted. The interval resamples clusters (the originals), or items without them.
    """
    if level not in LEVELS:
        raise ScoringError(f"Unknown level {level!r}: it is one of {', '.join(LEVELS)}.")
    if level == "interval" and (values is None or len(values) != len(labels)):
        raise ScoringError("At the interval level every label needs a value.")
    method = f"Krippendorff's alpha, {level}"
    counts, seen, undeclared = _counts(units, labels)
    declared = tuple(labels)
    used = counts.sum(axis=1) >= 2
    left_out = {"judged fewer than twice": int((~used).sum())} if not used.all() else {}
    n = int(used.sum())

    def none(code: str, message: str) -> Estimate:
        return Estimate(None, Reason(code, message), n, method, left_out, labels_declared=declared, labels_seen=seen)

    if undeclared:
        return none("undeclared_label", f"{undeclared[0]!r} is not one of the declared labels {', '.join(labels)}.")
    if n == 0:
        return none("no_common_item", "There is no item that two annotators judged.")
    if n == 1:
        return none("one_item", "One item cannot tell agreement from chance.")
    rows = _coincidences(counts[used])
    numbers = np.asarray(values if values is not None else range(len(labels)), dtype=float)

    def of_sums(sums: Floats) -> Floats:
        return _alpha(sums.reshape(-1, len(labels), len(labels)), level, numbers)

    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(of_sums(rows.sum(axis=0, keepdims=True))[0])
    if not np.isfinite(value):
        return none("one_label", f"Everybody used one label, so {method} is undefined.")
    groups = None if clusters is None else [cluster for cluster, kept in zip(clusters, used, strict=True) if kept]
    interval, missing = bootstrap_interval(rows, of_sums, clusters=groups, seed=seed, draws=draws)
    return Estimate(value, None, n, method, left_out, interval, declared, seen, missing)


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How two annotators agree on the items that both judged."""

    n: int
    raw: float
    kappa: Estimate


def pairwise(units: Units[Rater], labels: Sequence[str], *, weights: Weights = None) -> dict[tuple[Rater, Rater], PairAgreement]:
    """Every two annotators who have an item in common, in the order in which they first appear. ScoringError for an undeclared
    label. Intervals are those of the whole pool: most pairs have few items."""
    number = {label: index for index, label in enumerate(labels)}
    order: dict[Rater, int] = {}
    cells: dict[tuple[Rater, Rater], list[int]] = defaultdict(list)
    for unit in units:
        for rater, label in unit.items():
            order.setdefault(rater, len(order))
            if label not in number:
                raise ScoringError(f"{label!r} is not one of the declared labels {', '.join(labels)}.")
        for one, other in combinations(sorted(unit, key=order.__getitem__), 2):
            cells[one, other].append(number[unit[one]] * len(labels) + number[unit[other]])
    pairs = sorted(cells, key=lambda pair: (order[pair[0]], order[pair[1]]))
    if not pairs:
        return {}
    size = len(labels)
    tables = np.array([np.bincount(cells[pair], minlength=size * size).reshape(size, size) for pair in pairs], dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        kappas = kappa_of(tables, weights)
    raw = np.trace(tables, axis1=1, axis2=2) / tables.sum(axis=(1, 2))
    return {
        pair: PairAgreement(len(cells[pair]), float(share), _kappa(float(kappa), len(cells[pair])))
        for pair, share, kappa in zip(pairs, raw, kappas, strict=True)
    }


def _kappa(value: float, n: int) -> Estimate:
    if n == 1:
        return Estimate(None, Reason("one_item", "One item cannot tell agreement from chance."), n, "Cohen's kappa")
    if not np.isfinite(value):
        return Estimate(None, Reason("one_label", "Both used one label only, so kappa is undefined."), n, "Cohen's kappa")
    return Estimate(value, None, n, "Cohen's kappa")


def _counts(units: Units[Rater], labels: Sequence[str]) -> tuple[Floats, tuple[str, ...], list[str]]:
    """How often each item (row) was given each label, which labels were seen, and which of them were not declared."""
    if not labels or len(set(labels)) < len(labels):
        raise ScoringError(f"Labels are declared once each, at least one; got {', '.join(labels) or 'none'}.")
    number = {label: index for index, label in enumerate(labels)}
    given = {label for unit in units for label in unit.values()}
    undeclared = sorted(given - set(labels))
    seen = tuple(label for label in labels if label in given) + tuple(undeclared)
    counts = np.zeros((len(units), len(labels)))
    if not undeclared:
        pairs = [(row, number[label]) for row, unit in enumerate(units) for label in unit.values()]
        if pairs:
            np.add.at(counts, tuple(np.array(pairs).T), 1.0)
    return counts, seen, undeclared


def _coincidences(counts: Floats) -> Floats:
    """What each item adds to the coincidence matrix: its ordered pairs of answers, each by 1 / (answers - 1)."""
    size = counts.shape[1]
    pairs = counts[:, :, None] * counts[:, None, :]
    pairs[:, np.arange(size), np.arange(size)] -= counts
    rows: Floats = pairs.reshape(len(counts), -1) / (counts.sum(axis=1, keepdims=True) - 1)
    return rows


def _alpha(tables: Floats, level: Level, values: Floats) -> Floats:
    """Alpha of each coincidence matrix [d, k, k]; NaN where everybody used one label."""
    frequency = tables.sum(axis=2)
    total = frequency.sum(axis=1)
    if level == "nominal":
        difference = 1.0 - np.eye(tables.shape[1])[None]
    else:
        # Ordinal: the distance between two labels is the number of answers between them, half of either label counted.
        place = np.cumsum(frequency, axis=1) - frequency / 2 if level == "ordinal" else values[None]
        difference = (place[:, :, None] - place[:, None, :]) ** 2
    observed = (tables * difference).sum(axis=(1, 2))
    expected = (frequency[:, :, None] * frequency[:, None, :] * difference).sum(axis=(1, 2)) / (total - 1)
    result: Floats = np.where(expected > 0, 1 - observed / expected, np.nan)
    return result
