"""Ridge regression on standardised columns whose penalty is chosen with groups kept together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import cho_factor, cho_solve
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.model_selection import GroupKFold
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
from threadpoolctl import threadpool_limits

Array = NDArray[np.float64]
DEFAULT_ALPHAS: Final = (100.0, 300.0, 1_000.0, 3_000.0, 10_000.0, 30_000.0)


class GroupedRidge(RegressorMixin, BaseEstimator):
    """Ridge regression (Hoerl and Kennard 1970); the penalty is the one of `alphas` (above 0) with the least squared error over
    a `folds`-fold cross-validation inside the data given to `fit`, in which a group is never split.

    With one alpha, or fewer than two groups, nothing is chosen (then the largest is taken). Fitted: `alpha_`, `coef_`
    [columns] for standardised columns, `intercept_`, `mean_` and `scale_` [columns].
    """

    def __init__(self, alphas: Sequence[float] = DEFAULT_ALPHAS, folds: int = 5) -> None:
        self.alphas = alphas
        self.folds = folds

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None) -> Self:
        columns: Array
        target: Array
        columns, target = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        weight = _check_sample_weight(sample_weight, columns, dtype=np.float64, ensure_non_negative=True)
        group = np.arange(len(target)) if groups is None else np.asarray(groups)
        # Matrices of this size gain nothing from threads, and lose the last digits and, on a busy machine, much time.
        with threadpool_limits(1):
            self.alpha_ = self._choose(columns, target, weight, group)
            self.mean_, self.scale_, self.intercept_, coefficients = _solve(columns, target, weight, [self.alpha_])
        self.coef_ = coefficients[0]
        return self

    def predict(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        columns: Array = validate_data(self, X, dtype=np.float64, reset=False)
        result: Array = (columns - self.mean_) / self.scale_ @ self.coef_ + self.intercept_
        return result

    def _choose(self, X: Array, y: Array, weight: Array, groups: NDArray[Any]) -> float:
        alphas = sorted(float(alpha) for alpha in self.alphas)
        n_folds = min(self.folds, len(np.unique(groups)))
        if len(alphas) == 1 or n_folds < 2:
            return alphas[-1]
        errors = np.zeros(len(alphas))
        for train, test in GroupKFold(n_folds).split(X, y, groups):
            mean, scale, intercept, coefficients = _solve(X[train], y[train], weight[train], alphas)
            predicted = (X[test] - mean) / scale @ coefficients.T + intercept
            errors += weight[test] @ (predicted - y[test, None]) ** 2
        return alphas[int(np.argmin(errors))]


def _solve(X: Array, y: Array, weight: Array, alphas: Sequence[float]) -> tuple[Array, Array, float, Array]:
    """Means and scales of the columns, the intercept, and coefficients [alphas, columns] for standardised columns.

    Solved by the columns or, in the dual form (Saunders, Gammerman and Vovk 1998), by the rows, whichever are fewer. The Gram
    matrix is computed once for all penalties, which make it positive definite.
    """
    total = weight.sum()
    if not total:  # a fold whose rows all weigh nothing says nothing
        columns = X.shape[1]
        return np.zeros(columns), np.ones(columns), 0.0, np.zeros((len(alphas), columns))
    mean, intercept = weight @ X / total, float(weight @ y / total)
    centred = X - mean
    scale = np.sqrt(weight @ centred**2 / total)
    scale[scale <= 1e-9 * np.maximum(1.0, np.abs(mean))] = 1.0  # constant columns
    Z, target = centred / scale * np.sqrt(weight)[:, None], (y - intercept) * np.sqrt(weight)
    by_rows = len(Z) < Z.shape[1]
    gram, right = (Z @ Z.T, target) if by_rows else (Z.T @ Z, Z.T @ target)
    penalty = np.eye(len(gram))
    solved = np.stack([cho_solve(cho_factor(gram + alpha * penalty), right) for alpha in alphas])
    return mean, scale, intercept, solved @ Z if by_rows else solved
