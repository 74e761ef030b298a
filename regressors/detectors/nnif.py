"""Nearest-neighbour influence functions (Cohen, Sapiro and Giryes, "Detecting Adversarial Samples Using Influence Functions and
Nearest Neighbors", CVPR 2020).

For an ordinary text, the training texts that support a classifier's decision are its neighbours; for an adversarial one they are
far away. Support is the influence of Koh and Liang ("Understanding Black-box Predictions via Influence Functions", ICML 2017,
equation 2), here of a logistic head on the representations, where it needs no approximation of the Hessian.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted

from regressors.errors import RegressorError

Array = NDArray[np.float64]

NAMES: Final = tuple(
    f"{side}_{what}_{of}"
    for side in ("helpful", "harmful")
    for what in ("influence", "rank", "distance")
    for of in ("mean", "min")
)
MOST_WEIGHTS: Final = 10_000
"""Of the head: classes times columns. The Hessian has the square of that, 0.8 GB."""
_NUMBERS_AT_ONCE: Final = 4_000_000
_CLOSE_TO_OPTIMUM: Final = 1e-9


class NearestNeighbourInfluence(TransformerMixin, BaseEstimator):
    """What the `most` most helpful and the `most` most harmful training points of a query are like.

    The head is a softmax regression that minimises the sum of the training points' cross entropies plus `penalty` / 2 times the
    sum of its squared weights, the intercepts among them. Fitted: `classes_`, `weights_` [classes, d + 1], the intercepts last.
    """

    def __init__(self, most: int = 25, penalty: float = 1.0) -> None:
        self.most = most
        self.penalty = penalty

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Takes a victim's representations [n, d] of its training texts, such as its penultimate layer, and their labels [n].

        RegressorError for values that are not finite, fewer than two classes, fewer than 2 x `most` points, or too many weights.
        """
        points, labels = _points(X, "training points"), np.asarray(y)
        self._check(points, labels)
        self.classes_, places = np.unique(labels, return_inverse=True)
        self._points = points
        inputs = _with_constant(points)
        self.weights_ = _fitted_weights(inputs, places, self.penalty)
        shares = _softmax(inputs @ self.weights_.T)
        self._residuals = shares - np.eye(len(self.classes_))[places]
        self._hessian = _factored_hessian(inputs, shares, self.penalty)
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The head's classes for queries [q, d]."""
        predicted: NDArray[Any] = self.classes_[self._scores(self._queries(X)).argmax(axis=1)]
        return predicted

    def influences(self, X: ArrayLike) -> Array:
        """By how much a query's loss at its predicted class would rise, had the head been trained without a training point.

        Queries [q, d] to float64 [q, n], in nats, to first order. Helpful points are above 0, harmful ones below: it is Koh and
        Liang's influence of a point's weight on the loss, times -1/n.
        """
        return np.concatenate([self._influences(rows) for rows in self._some(self._queries(X))])

    def transform(self, X: ArrayLike) -> Array:
        """Queries [q, d] to float64 [q, 12], in the order of `NAMES`.

        For either side the mean and the least of the points' influences, of their ranks among the query's neighbours (1 is the
        nearest of the n training points) and of their Euclidean distances. A query that is a training point counts itself.
        """
        return np.concatenate([self._row(rows) for rows in self._some(self._queries(X))])

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:
        return np.array(NAMES, dtype=object)

    def _row(self, queries: Array) -> Array:
        from scipy.spatial.distance import cdist

        influences, distances = self._influences(queries), cdist(queries, self._points)
        ranks = 1 + distances.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
        order = influences.argsort(axis=1, kind="stable")
        columns = []
        for chosen in (order[:, -self.most :], order[:, : self.most]):
            for values in (influences, ranks, distances):
                of_chosen = np.take_along_axis(values, chosen, axis=1)
                columns += [of_chosen.mean(axis=1), of_chosen.min(axis=1)]
        return np.column_stack(columns)

    def _influences(self, queries: Array) -> Array:
        """A gradient of the loss is the outer product of a residual [classes] and an input [d + 1], for queries and for training
        points; the inverse Hessian stands between the two."""
        from scipy.linalg import cho_solve

        scores = self._scores(queries)
        residuals = _softmax(scores) - np.eye(len(self.classes_))[scores.argmax(axis=1)]
        gradients = np.einsum("qk,qd->qkd", residuals, _with_constant(queries))
        moved = cho_solve(self._hessian, gradients.reshape(len(queries), self.weights_.size).T).T.reshape(gradients.shape)
        inputs = _with_constant(self._points)
        of_classes = (moved[:, k] @ inputs.T * self._residuals[:, k] for k in range(len(self.classes_)))
        total: Array = sum(of_classes, start=np.zeros((len(queries), len(inputs))))
        return total

    def _scores(self, queries: Array) -> Array:
        return _with_constant(queries) @ self.weights_.T

    def _queries(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        queries = _points(X, "queries")
        if queries.shape[1] != self._points.shape[1]:
            raise RegressorError(f"The queries have {queries.shape[1]} columns, the training points {self._points.shape[1]}.")
        return queries

    def _some(self, queries: Array) -> Iterator[Array]:
        """So many queries at a time that memory stays small; once none, if there are none."""
        step = max(1, _NUMBERS_AT_ONCE // max(len(self._points), self.weights_.size))
        for start in range(0, max(1, len(queries)), step):
            yield queries[start : start + step]

    def _check(self, points: Array, labels: NDArray[Any]) -> None:
        if labels.shape != (len(points),):
            raise RegressorError(f"There are {len(points)} training points, but the labels are {list(labels.shape)}.")
        if (classes := len(np.unique(labels))) < 2:
            raise RegressorError(f"The training points have {classes} class: a decision is between two or more.")
        if not 1 <= 2 * self.most <= len(points):
            raise RegressorError(
                f"The {self.most} most helpful and the {self.most} most harmful of {len(points)} training points are not to be "
                "told apart. Give more points, or a smaller most."
            )
        if not self.penalty > 0:
            raise RegressorError(f"The penalty is {self.penalty}: it has to be above 0, or the weights have no end.")
        if (weights := classes * (points.shape[1] + 1)) > MOST_WEIGHTS:
            raise RegressorError(
                f"{classes} classes and {points.shape[1]} columns make {weights:,} weights; {MOST_WEIGHTS:,} are the most. "
                "Reduce the columns, such as by their principal components."
            )


def _fitted_weights(inputs: Array, places: NDArray[np.intp], penalty: float) -> Array:
    """[classes, d + 1]"""
    classes = int(places.max()) + 1
    # For two classes, scikit-learn has one row of weights w, which stands for the rows -w/2 and w/2 with half its square.
    strength = (2 if classes == 2 else 1) / penalty
    head = LogisticRegression(C=strength, fit_intercept=False, solver="newton-cholesky", tol=_CLOSE_TO_OPTIMUM, max_iter=1_000)
    fitted: Array = head.fit(inputs, places).coef_
    return np.vstack([-fitted / 2, fitted / 2]) if classes == 2 else fitted


def _factored_hessian(inputs: Array, shares: Array, penalty: float) -> Any:
    """The Cholesky factor of the objective's second derivatives, [classes x (d + 1)] squared."""
    from scipy.linalg import cho_factor

    classes, width = shares.shape[1], inputs.shape[1]
    hessian = np.empty((classes, width, classes, width))
    for a in range(classes):
        for b in range(classes):
            curvature = shares[:, a] * ((a == b) - shares[:, b])
            hessian[a, :, b] = (inputs * curvature[:, None]).T @ inputs
    flat = hessian.reshape(classes * width, classes * width)
    flat[np.diag_indices_from(flat)] += penalty
    return cho_factor(flat, overwrite_a=True)


def _softmax(scores: Array) -> Array:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Array = raised / raised.sum(axis=1, keepdims=True)
    return shares


def _with_constant(points: Array) -> Array:
    """[n, d + 1]: the intercept is the weight of a last column of ones."""
    return np.column_stack([points, np.ones(len(points))])


def _points(given: ArrayLike, what: str) -> Array:
    points = np.asarray(given, dtype=np.float64)
    if points.ndim != 2:
        raise RegressorError(f"The {what} must be an array [n, d], not {list(points.shape)}.")
    if not np.isfinite(points).all():
        raise RegressorError(f"The {what} hold a value that is not finite.")
    return points
