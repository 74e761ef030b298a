"""The label that C independent judgements of one item give, when each judgement's distribution is known: exact moments.

The median goes by the order statistics of discrete variables (David and Nagaraja, "Order Statistics", 2003).
"""

from __future__ import annotations

from math import comb
from typing import Literal

import numpy as np
from scipy.special import bdtrc

from scoring.result import ScoringError

from .bootstrap import Floats

Label = Literal["median", "mean"]


def check_label(label: str) -> None:
    """ScoringError unless the label is "median" or "mean"."""
    if label not in ("median", "mean"):
        raise ScoringError(f"Unknown label {label!r}: it is 'median' or 'mean'.")


def label_moments(probabilities: Floats, points: Floats, judgements: int, label: Label) -> tuple[Floats, Floats]:
    """First and second moment, each [t], of the mean or median of `judgements` scores.

    `probabilities` [t, k]: for each of t items how likely each score is; `points` [k]: the scores, ascending. The
    median of an even number of scores is the middle between the two in the middle.
    """
    if judgements < 1:
        raise ScoringError(f"A label needs at least one judgement, not {judgements}.")
    if label == "median":
        return _median_moments(probabilities, points, judgements)
    first = probabilities @ points
    second = probabilities @ points**2
    return first, first**2 + (second - first**2) / judgements


def _median_moments(probabilities: Floats, points: Floats, judgements: int) -> tuple[Floats, Floats]:
    below = np.cumsum(probabilities, axis=1).clip(0.0, 1.0)
    half = (judgements + 1) // 2
    lower = _order_statistic(below, judgements, half)
    if judgements % 2:
        return lower @ points, lower @ points**2
    upper = _order_statistic(below, judgements, half + 1)
    # The median is (L + U) / 2; its square needs the mean of L · U.
    first = (lower @ points + upper @ points) / 2
    second = (lower @ points**2 + upper @ points**2 + 2 * _mean_product(below, points, judgements, lower)) / 4
    return first, second


def _order_statistic(below: Floats, judgements: int, rank: int) -> Floats:
    """Distribution [t, k] of the rank-th smallest of the scores, from the chance [t, k] of at most each point."""
    at_most: Floats = bdtrc(rank - 1, judgements, below)
    result: Floats = np.diff(at_most, axis=1, prepend=0.0)
    return result


def _mean_product(below: Floats, points: Floats, judgements: int, lower: Floats) -> Floats:
    """Mean of lower times upper middle score of an even number: half of the scores are at most a, half at least b."""
    half = judgements // 2
    at_most = np.diff(below**half, axis=1, prepend=0.0)
    above = np.concatenate([np.ones((len(below), 1)), 1 - below], axis=1)
    at_least = above[:, :-1] ** half - above[:, 1:] ** half
    apart = comb(judgements, half) * np.triu(at_most[:, :, None] * at_least[:, None, :], k=1)
    together = lower - apart.sum(axis=2)
    result: Floats = np.einsum("tab,a,b->t", apart, points, points) + together @ points**2
    return result
