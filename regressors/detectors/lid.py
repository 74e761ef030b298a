"""Local intrinsic dimensionality: how many directions the points around a point spread in.

The estimator is the maximum-likelihood one of Levina and Bickel ("Maximum Likelihood Estimation of Intrinsic Dimension", NIPS
2004, equation 8; Amsaleg et al., "Estimating Local Intrinsic Dimensionality", KDD 2015, section 4). Ma et al. ("Characterizing
Adversarial Subspaces Using Local Intrinsic Dimensionality", ICLR 2018) detect adversarial examples with that of each layer of
a network.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from regressors.errors import RegressorError

Array = NDArray[np.float64]
Layers = NDArray[np.floating] | Sequence[ArrayLike]
"""[layers, n, d], or [n, d] for each layer where their d differ."""

_FEWEST_NEIGHBOURS: Final = 2
_DISTANCES_AT_ONCE: Final = 4_000_000
_ROUNDING: Final = 1e-12
_THE_SAME: Final = 1e-4
"""Of a layer's spread. In another batch, a network gives a text a vector that differs by about 1e-6 of it; two texts differ by
far more."""


class LocalDimension(TransformerMixin, BaseEstimator):
    """The dimension around each query, by its `k` nearest reference points, layer by layer and their mean.

    Equal reference points count once, and a query that is itself in the reference (within 1e-4 of the layer's spread) is not
    its own neighbour. Where all k neighbours are equally far away the formula has no value, and d stands for it. An estimate is
    too high by a factor of (k - 1) / (k - 2) on average, and too low for high dimensions, which few points do not fill.
    Fitted: `reference_`, `spread_` (root mean square distance from the mean) of each layer.
    """

    def __init__(self, k: int = 20) -> None:
        self.k = k

    def fit(self, X: Layers, y: object = None) -> Self:
        """Takes the reference, [layers, m, d]. RegressorError unless it is finite and each layer has more than k points."""
        if not self.k >= _FEWEST_NEIGHBOURS:
            raise RegressorError(f"A dimension is told by 2 neighbours or more; k is {self.k}.")
        reference = [np.unique(layer, axis=0) for layer in _layers(X, "reference")]
        for number, layer in enumerate(reference):
            if len(layer) <= self.k:
                raise RegressorError(
                    f"Layer {number} of the reference has {len(layer)} different points: more than k = {self.k} are needed. "
                    "Give more points, or a smaller k."
                )
        self.reference_ = reference
        self.spread_ = [float(np.sqrt(np.square(layer - layer.mean(axis=0)).sum(axis=1).mean())) for layer in reference]
        return self

    def transform(self, X: Layers) -> Array:
        """Queries [layers, n, d] to float64 [n, layers + 1], above 0; last the mean over the layers."""
        check_is_fitted(self)
        queries = _layers(X, "queries")
        wanted, given = ([layer.shape[1] for layer in layers] for layers in (self.reference_, queries))
        if given != wanted:
            raise RegressorError(f"The queries' layers have {given} columns, those of the reference {wanted}.")
        columns = [self._of_layer(*parts) for parts in zip(queries, self.reference_, self.spread_, strict=True)]
        return np.column_stack([*columns, np.mean(columns, axis=0)])

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:
        check_is_fitted(self)
        return np.array(names_of(len(self.reference_)), dtype=object)

    def _of_layer(self, queries: Array, reference: Array, spread: float) -> Array:
        found = np.empty(len(queries))
        for rows, distances in _distances(queries, reference):
            distances[distances <= _THE_SAME * spread] = np.inf
            nearest = np.partition(distances, self.k - 1, axis=1)[:, : self.k]
            radius = nearest.max(axis=1, keepdims=True)
            if np.isinf(radius).any():
                raise RegressorError(
                    f"More than {len(reference) - self.k} points of the reference are the same as a query: there are no "
                    f"{self.k} neighbours besides. Give points that differ, or a smaller k."
                )
            logarithms = np.log(radius / nearest).sum(axis=1)
            apart = logarithms > _ROUNDING * self.k
            found[rows] = np.where(apart, (self.k - 1) / np.where(apart, logarithms, 1.0), reference.shape[1])
        return found


def names_of(layers: int) -> tuple[str, ...]:
    """The columns' names."""
    return (*(f"lid_layer_{number}" for number in range(layers)), "lid_mean")


def _distances(queries: Array, reference: Array) -> Iterator[tuple[slice, Array]]:
    """Euclidean distances [some queries, m], so many queries at a time that memory stays small."""
    from scipy.spatial.distance import cdist  # by differences: 0 for equal points, which the faster formula by squares misses

    step = max(1, _DISTANCES_AT_ONCE // len(reference))
    for start in range(0, len(queries), step):
        rows = slice(start, start + step)
        yield rows, cdist(queries[rows], reference)


def _layers(given: Layers, what: str) -> list[Array]:
    """Each layer as float64 [n, d]."""
    layers = [np.asarray(layer, dtype=np.float64) for layer in given]
    if not layers or any(layer.ndim != 2 for layer in layers):
        raise RegressorError(f"The {what} must be [layers, n, d]: an array, or a list with an array [n, d] for each layer.")
    if len({len(layer) for layer in layers}) > 1:
        raise RegressorError(f"The layers of the {what} have different numbers of points: {[len(layer) for layer in layers]}.")
    if not all(np.isfinite(layer).all() for layer in layers):
        raise RegressorError(f"The {what} hold a value that is not finite.")
    return layers
