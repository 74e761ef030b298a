"""Ordinal regression: every judgement is a draw from an ordered scale, by somebody who may be more severe than others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.model_selection import GroupKFold
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
from threadpoolctl import threadpool_limits

Array = NDArray[np.float64]
DEFAULT_ALPHAS: Final = (30.0, 100.0, 300.0, 1_000.0, 3_000.0, 10_000.0)
_LEAST: Final = 1e-12  # of a probability whose logarithm is taken
_KINDS_OF_ANNOTATORS: Final = 20


class OrdinalRegressor(RegressorMixin, BaseEstimator):
    """The cumulative logit model (McCullagh, "Regression Models for Ordinal Data", JRSS B 1980): the odds that a judgement is at
    most a level are exp(threshold of the level - columns @ coefficients - effect of the annotator).

    `alphas` are ridge penalties of the coefficients of standardised columns; with several, the one whose expected scores have the
    least squared error over a `folds`-fold cross-validation inside the data given to `fit` is taken, in which a group is never
    split (with fewer than two groups, the largest). `annotator_alpha` shrinks annotators' effects: it is one over the variance,
    in logits, that they are expected to have. Fitted: `alpha_`, `coef_`, `mean_` and `scale_` [columns], `levels_` [levels],
    `thresholds_` [levels - 1], `annotator_effects_` (logits by name; above 0 for people who give high scores), `effects_` (up to
    20 that stand for all people, each as often as it was met).
    """

    def __init__(self, alphas: Sequence[float] = DEFAULT_ALPHAS, folds: int = 5, annotator_alpha: float = 1.0) -> None:
        self.alphas = alphas
        self.folds = folds
        self.annotator_alpha = annotator_alpha

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        judgements: Sequence[Sequence[float]] | None = None,
        annotators: Sequence[Sequence[str]] | None = None,
    ) -> Self:
        """`judgements` are the single scores of each row, which stand in place of the labels `y` and share the row's weight;
        `annotators` says whose they are. `y` is what the penalty is chosen by."""
        columns: Array
        target: Array
        columns, target = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        weight = _check_sample_weight(sample_weight, columns, dtype=np.float64, ensure_non_negative=True)
        told = [(label,) for label in target.tolist()] if judgements is None else judgements
        draws = _draws(told, annotators, weight)
        group = np.arange(len(target)) if groups is None else np.asarray(groups)
        with threadpool_limits(1):
            self.alpha_ = self._choose(columns, target, weight, draws, group)
            (solution,) = _solve(columns, draws, [self.alpha_], self.annotator_alpha)
        self.mean_, self.scale_, self.coef_ = solution.mean, solution.scale, solution.coefficients
        self.levels_, self.thresholds_, self.effects_ = solution.levels, solution.thresholds, solution.common_effects
        self.annotator_effects_ = dict(zip(draws.names, solution.effects.tolist(), strict=True))
        return self

    def predict(self, X: ArrayLike) -> Array:
        """The mean score that people such as those who judged would give, float64 [n], within the levels seen."""
        check_is_fitted(self)
        columns: Array = validate_data(self, X, dtype=np.float64, reset=False)
        return expected_scores((columns - self.mean_) / self.scale_ @ self.coef_, self.thresholds_, self.levels_, self.effects_)

    def variance(self, X: ArrayLike) -> Array:
        """Of the scores that these people would give, float64 [n]."""
        check_is_fitted(self)
        columns: Array = validate_data(self, X, dtype=np.float64, reset=False)
        severity = (columns - self.mean_) / self.scale_ @ self.coef_
        levels = self.levels_ - self.levels_[0]  # for fewer lost digits
        mean, squares = (expected_scores(severity, self.thresholds_, of, self.effects_) for of in (levels, levels**2))
        result: Array = np.maximum(squares - mean**2, 0.0)
        return result

    def _choose(self, X: Array, y: Array, weight: Array, draws: _Draws, groups: NDArray[Any]) -> float:
        alphas = sorted((float(alpha) for alpha in self.alphas), reverse=True)
        folds = min(self.folds, len(np.unique(groups)))
        if len(alphas) == 1 or folds < 2:
            return alphas[0]
        errors = np.zeros(len(alphas))
        for train, test in GroupKFold(folds).split(X, groups=groups):
            solutions = _solve(X, draws.of_rows(train), alphas, self.annotator_alpha)
            errors += [weight[test] @ (each.predict(X[test]) - y[test]) ** 2 for each in solutions]
        return alphas[int(np.argmin(errors))]


@dataclass(frozen=True, slots=True)
class _Draws:
    """One entry per judgement: the row of its text, its score, its weight and its annotator's place in `names`."""

    row: NDArray[np.int64]
    score: Array
    weight: Array
    annotator: NDArray[np.int64]
    names: list[str]

    def of_rows(self, rows: NDArray[np.int64]) -> _Draws:
        kept = np.isin(self.row, rows)
        return _Draws(self.row[kept], self.score[kept], self.weight[kept], self.annotator[kept], self.names)


def _draws(judgements: Sequence[Sequence[float]], annotators: Sequence[Sequence[str]] | None, weight: Array) -> _Draws:
    sizes = np.array([len(scores) for scores in judgements])
    row = np.repeat(np.arange(len(sizes)), sizes)
    score = np.array([score for scores in judgements for score in scores], dtype=np.float64)
    each = (weight / np.maximum(sizes, 1))[row]
    people = [] if annotators is None else [person for people in annotators for person in people]
    names, place = np.unique(people, return_inverse=True) if people else (np.array([]), np.zeros(len(row), dtype=np.int64))
    if len(place) != len(row):
        raise ValueError(f"There are {len(row)} judgements but {len(place)} annotators.")
    # A judgement without weight must not add a level, as if it were not there.
    kept = each > 0 if (each > 0).any() else np.ones(len(each), dtype=bool)
    return _Draws(row[kept], score[kept], each[kept], place[kept], names.tolist())


@dataclass(frozen=True, slots=True)
class _Solution:
    mean: Array
    scale: Array
    coefficients: Array
    levels: Array
    thresholds: Array
    effects: Array
    common_effects: Array

    def predict(self, X: Array) -> Array:
        severity = (X - self.mean) / self.scale @ self.coefficients
        return expected_scores(severity, self.thresholds, self.levels, self.common_effects)


def expected_scores(severity: Array, thresholds: Array, levels: Array, effects: Array) -> Array:
    """The mean score, float64 [n], of people with these effects: the lowest level, and each step up with its probability."""
    steps = np.diff(levels)
    higher = [expit(severity[:, None] + effect - thresholds) @ steps for effect in effects]
    result: Array = levels[0] + np.mean(higher, axis=0)
    return result


def _solve(X: Array, draws: _Draws, alphas: Sequence[float], annotator_alpha: float) -> list[_Solution]:
    """The most probable coefficients for each penalty; each search starts where the last one ended."""
    mean, scale = _standards(X, draws)
    Z = (X[draws.row] - mean) / scale
    levels, level = np.unique(draws.score, return_inverse=True)
    likelihood = _Likelihood(Z, level, len(levels), draws, annotator_alpha)
    place = likelihood.start()
    solutions = []
    for alpha in alphas:
        options = {"maxiter": 2_000, "maxfun": 4_000, "ftol": 1e-14, "gtol": 1e-8 * max(1.0, draws.weight.sum()), "maxcor": 20}
        place = minimize(likelihood, place, args=(alpha,), jac=True, method="L-BFGS-B", options=options).x
        gaps, coefficients, effects = likelihood.parts(place)
        common = _common(effects, draws)
        solutions.append(_Solution(mean, scale, coefficients, levels, _thresholds(gaps), effects, common))
    return solutions


def _standards(X: Array, draws: _Draws) -> tuple[Array, Array]:
    """Means and scales of the columns over the rows, each weighing what its judgements weigh together."""
    weight = np.bincount(draws.row, draws.weight, minlength=len(X))
    if not weight.any():
        return np.zeros(X.shape[1]), np.ones(X.shape[1])
    mean = weight @ X / weight.sum()
    scale = np.sqrt(weight @ (X - mean) ** 2 / weight.sum())
    scale[scale <= 1e-9 * np.maximum(1.0, np.abs(mean))] = 1.0  # constant columns
    return mean, scale


def _common(effects: Array, draws: _Draws) -> Array:
    """Effects at evenly spaced quantiles of the judgements: a likely annotator stands for more people than a rare one."""
    if not draws.names:
        return np.zeros(1)
    ordered = np.sort(effects[draws.annotator])
    places = (np.arange(_KINDS_OF_ANNOTATORS) + 0.5) / _KINDS_OF_ANNOTATORS * len(ordered)
    return ordered[places.astype(np.int64)]


def _thresholds(gaps: Array) -> Array:
    """Rising thresholds: the first, and the logarithms of the steps to the next."""
    return np.cumsum(np.concatenate([gaps[:1], np.exp(gaps[1:])]))


class _Likelihood:
    """The penalised negative log-likelihood and its gradient, by gaps of thresholds, coefficients, and annotators' effects."""

    def __init__(self, Z: Array, level: NDArray[np.int64], levels: int, draws: _Draws, pull: float) -> None:
        self._Z, self._level, self._levels, self._pull = Z, level, levels, pull
        self._weight, self._annotator, self._people = draws.weight, draws.annotator, len(draws.names)

    def start(self) -> Array:
        """Without coefficients and effects, the thresholds that fit best: the logits of the cumulative shares."""
        shares: Array = np.cumsum(np.bincount(self._level, self._weight, minlength=self._levels), dtype=np.float64)
        if not shares[-1]:
            shares = np.arange(1.0, self._levels + 1)
        cumulative = shares[:-1] / shares[-1]
        thresholds = np.log(cumulative) - np.log1p(-cumulative)
        gaps = np.concatenate([thresholds[:1], np.log(np.diff(thresholds))])
        return np.concatenate([gaps, np.zeros(self._Z.shape[1] + self._people)])

    def parts(self, place: Array) -> tuple[Array, Array, Array]:
        gaps, rest = np.split(place, [self._levels - 1])
        coefficients, effects = np.split(rest, [self._Z.shape[1]])
        return gaps, coefficients, effects

    def __call__(self, place: Array, alpha: float) -> tuple[float, Array]:
        gaps, coefficients, effects = self.parts(place)
        severity = self._Z @ coefficients
        if self._people:
            severity = severity + effects[self._annotator]
        bounds = np.concatenate([[-np.inf], _thresholds(gaps), [np.inf]])
        at_most, below = expit(bounds[self._level + 1] - severity), expit(bounds[self._level] - severity)
        probability = np.maximum(at_most - below, _LEAST)
        upper, lower = at_most * (1 - at_most), below * (1 - below)
        value = -self._weight @ np.log(probability)
        value += alpha / 2 * coefficients @ coefficients + self._pull / 2 * effects @ effects
        share = self._weight / probability
        by_severity = share * (upper - lower)
        gradient = [self._by_gaps(gaps, share * upper, share * lower), self._Z.T @ by_severity + alpha * coefficients]
        if self._people:
            gradient.append(np.bincount(self._annotator, by_severity, minlength=self._people) + self._pull * effects)
        return float(value), np.concatenate(gradient)

    def _by_gaps(self, gaps: Array, upper: Array, lower: Array) -> Array:
        """A threshold bounds its level from above and the next from below; a gap moves its threshold and all that follow."""
        by_threshold = np.bincount(self._level, -upper, self._levels)[:-1] + np.bincount(self._level, lower, self._levels)[1:]
        following = np.cumsum(by_threshold[::-1])[::-1]
        return np.concatenate([following[:1], following[1:] * np.exp(gaps[1:])])
