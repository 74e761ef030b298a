"""The noise ceiling: the highest correlation with a label that any model can reach, given how people disagree.

A label is the mean or median of C judgements. Its reliability is that share of its variance that is due to the items;
the ceiling is the square root of it. The reliability of one judgement is the intraclass correlation ICC(1) of a one-way
random effects analysis (Shrout and Fleiss, "Intraclass correlations", 1979), that of a mean of C follows from it
(Spearman 1910, Brown 1910).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping

import numpy as np
from scipy.special import ndtr, ndtri

from scoring.result import Estimate, Interval, Reason

from .bootstrap import DRAWS, Floats, bootstrap_interval
from .items import Item, Scores, check_scores, clusters_of
from .label_distribution import Label, check_label, label_moments

LATENT_GRID = np.linspace(-5, 5, 201)
_LATENT_SHARES = np.linspace(0.005, 0.995, 199)

_Ceiling = Callable[[Floats], Floats]


def spearman_brown(reliability: float, judgements: float) -> float:
    """Reliability of the mean of `judgements` judgements, from that of one. Negative reliability counts as none."""
    one = max(0.0, reliability)
    return judgements * one / (1 + (judgements - 1) * one)


def noise_ceiling(
    scores_by_item: Scores[Item],
    *,
    label: Label,
    seed: int,
    cluster_of: Mapping[Item, Hashable] | None = None,
    judgements: int | None = None,
    draws: int = DRAWS,
) -> Estimate:
    """The ceiling, 0 to 1, from the items that were judged at least twice (`n`).

    It is that of labels made from as many judgements as the items have, items judged once included, since a model is
    compared with their labels too; or of labels from `judgements` each. No agreement at all gives 0. For the mean it is
    exact; for the median, judgements are taken as a normal latent value of the item plus normal noise, cut so that each
    score is as frequent as it was: the ceiling of that model at the same ICC, computed by enumeration. The interval
    resamples clusters (the originals), or items without them.
    """
    check_label(label)
    check_scores(scores_by_item)
    repeated = {item: scores for item, scores in scores_by_item.items() if len(scores) > 1}
    once = sum(len(scores) == 1 for scores in scores_by_item.values())
    unjudged = sum(len(scores) == 0 for scores in scores_by_item.values())
    left_out = {cause: count for cause, count in {"judged once": once, "not judged": unjudged}.items() if count}
    method = f"square root of the reliability of the {label}, from ICC(1) of items judged at least twice"
    sums = icc_sums(repeated)
    if reason := no_icc(sums):
        return Estimate(None, reason, len(repeated), method, left_out)

    numbers = Counter(len(scores) for scores in scores_by_item.values() if scores)
    if judgements is not None:
        numbers = Counter({judgements: 1})
    ceiling_of = _ceiling_of_means(numbers) if label == "mean" else _ceiling_of_medians(repeated, numbers)
    interval, missing = bootstrap_interval(
        sums, lambda totals: ceiling_of(icc(totals)), clusters=clusters_of(list(repeated), cluster_of), seed=seed, draws=draws
    )
    value = float(ceiling_of(icc(sums.sum(axis=0, keepdims=True)))[0])
    return Estimate(value, None, len(repeated), method, left_out, _around(value, interval), no_interval=missing)


def icc(sums: Floats) -> Floats:
    """ICC(1) of each row of sums [d, 6] over items with k judgements of mean m: 1, k, k², k·m, k·m², squares within.

    Unequal k by Donner, "A review of inference procedures for the intraclass correlation coefficient", 1986.
    """
    items, total, squared, level, level_squared, within = sums.T
    mean_within = within / (total - items)
    mean_between = (level_squared - level**2 / total) / (items - 1)
    size = (total - squared / total) / (items - 1)
    result: Floats = (mean_between - mean_within) / (mean_between + (size - 1) * mean_within)
    return result


def icc_sums(repeated: Scores[Item]) -> Floats:
    """What each item, judged twice or more, adds to the sums of `icc`."""
    rows = []
    for scores in repeated.values():
        k, m = len(scores), float(np.mean(scores))
        rows.append([1, k, k**2, k * m, k * m**2, float(np.sum((np.asarray(scores) - m) ** 2))])
    return np.array(rows, dtype=float).reshape(-1, 6)


def no_icc(sums: Floats) -> Reason | None:
    """Why these items have no intraclass correlation, if so."""
    if len(sums) == 0:
        return Reason("not_repeated", "No item was judged twice, so nothing tells how far people agree.")
    if len(sums) == 1:
        return Reason("one_item", "Only one item was judged twice; agreement needs at least two.")
    with np.errstate(divide="ignore", invalid="ignore"):
        if not np.isfinite(icc(sums.sum(axis=0, keepdims=True))[0]):
            return Reason("all_equal", "All judgements are equal, so there is nothing to agree about.")
    return None


def _ceiling_of_means(numbers: Counter[int]) -> _Ceiling:
    """By Spearman–Brown; with labels of different C the noise that counts is the average one: the harmonic mean of C."""
    effective = sum(numbers.values()) / sum(count / c for c, count in numbers.items())

    def ceiling(reliability: Floats) -> Floats:
        one = np.clip(reliability, 0.0, 1.0)
        result: Floats = np.sqrt(effective * one / (1 + (effective - 1) * one))
        return result

    return ceiling


def _ceiling_of_medians(repeated: Scores[Item], numbers: Counter[int]) -> _Ceiling:
    """By the latent model, tabulated over the share of the latent variance that is due to the items."""
    points, frequency = _frequencies(repeated)
    weights = np.exp(-(LATENT_GRID**2) / 2)
    weights /= weights.sum()
    of_one, of_label = [0.0], [0.0]
    for part in _LATENT_SHARES:
        probabilities = latent_probabilities(frequency, part)
        of_one.append(_reliability(probabilities, points, Counter({1: 1}), weights))
        of_label.append(_reliability(probabilities, points, numbers, weights))

    def interpolated(one: Floats) -> Floats:
        result: Floats = np.sqrt(np.interp(one, [*of_one, 1.0], [*of_label, 1.0]))
        return result

    return interpolated


def latent_probabilities(frequency: Floats, part: float) -> Floats:
    """The chance [t, k] of each score for items on a grid of latent values, when `part` of the latent variance is due to
    the items; over normally distributed items every score has its `frequency` [k]."""
    cuts = ndtri(np.cumsum(frequency)[:-1])
    below = ndtr((cuts - np.sqrt(part) * LATENT_GRID[:, None]) / np.sqrt(1 - part))
    result: Floats = np.diff(below, axis=1, prepend=0.0, append=1.0)
    return result


def _frequencies(repeated: Scores[Item]) -> tuple[Floats, Floats]:
    points, counts = np.unique(np.concatenate([np.asarray(scores) for scores in repeated.values()]), return_counts=True)
    return points.astype(float), counts / counts.sum()


def _reliability(probabilities: Floats, points: Floats, numbers: Counter[int], weights: Floats) -> float:
    """Share of the variance of medians that is due to the items, where items have different numbers of judgements."""
    total = sum(numbers.values())
    first, second = np.zeros(len(weights)), np.zeros(len(weights))
    for judgements, count in numbers.items():
        moments = label_moments(probabilities, points, judgements, "median")
        first += moments[0] * count / total
        second += moments[1] * count / total
    mean = weights @ first
    between, everything = weights @ first**2 - mean**2, weights @ second - mean**2
    return float(np.clip(between / everything, 0.0, 1.0))


def _around(value: float, interval: Interval | None) -> Interval | None:
    """Percentiles of a cut-off value may lie wholly on one side of it; the interval then reaches to the value."""
    if interval is None:
        return None
    return Interval(min(interval.low, value), max(interval.high, value), interval.method, interval.level)
