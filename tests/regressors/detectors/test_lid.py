"""Local intrinsic dimensionality: known dimensions, an independent reckoning, and copies."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from regressors.detectors import lid
from regressors.detectors.lid import LocalDimension
from regressors.errors import RegressorError

Array = NDArray[np.float64]


def embedded(points: Array, *, space: int = 50, seed: int = 7) -> Array:
    """The points [n, dimension] in a randomly turned subspace of [n, space]."""
    axes, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(space, points.shape[1])))
    return points @ axes.T + 3.0


def ball(n: int, dimension: int, rng: np.random.Generator) -> Array:
    directions = rng.normal(size=(n, dimension))
    return directions / np.linalg.norm(directions, axis=1, keepdims=True) * rng.uniform(size=(n, 1)) ** (1 / dimension)


def gaussian(n: int, dimension: int, rng: np.random.Generator) -> Array:
    return rng.normal(size=(n, dimension))


@pytest.mark.parametrize(("dimension", "tolerance"), [(2, 0.1), (5, 0.1), (10, 0.15)])
@pytest.mark.parametrize("shape", [ball, gaussian])
def test_recovers_known_dimensions(shape: Callable[..., Array], dimension: int, tolerance: float) -> None:
    rng = np.random.default_rng(dimension)
    points = embedded(shape(4_200, dimension, rng))
    # Where the density is even; near its edge there are neighbours on one side only.
    inner = np.argsort(np.linalg.norm(points[4_000:] - 3.0, axis=1))[:100]

    found = LocalDimension(k=40).fit([points[:4_000]]).transform([points[4_000:][inner]])[:, 0]

    assert found.mean() == pytest.approx(dimension, rel=tolerance)


def by_hand(query: Array, reference: Array, k: int) -> float:
    distances = sorted(math.dist(query, point) for point in reference)
    nearest = [distance for distance in distances if distance > 0][:k]
    return 1 / (sum(math.log(nearest[-1] / distance) for distance in nearest[:-1]) / (k - 1))


def test_agrees_with_the_formula_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lid, "_DISTANCES_AT_ONCE", 300)  # three queries at a time
    rng = np.random.default_rng(0)
    reference = [rng.normal(size=(100, 8)), rng.uniform(size=(100, 30))]
    queries = [np.vstack([rng.normal(size=(6, 8)), reference[0][:2]]), np.vstack([rng.uniform(size=(6, 30)), reference[1][:2]])]

    found = LocalDimension(k=10).fit(reference).transform(queries)

    expected = [[by_hand(query, points, 10) for query in layer] for layer, points in zip(queries, reference, strict=True)]
    assert found.shape == (8, 3)
    np.testing.assert_allclose(found[:, 0], expected[0], rtol=1e-10)
    np.testing.assert_allclose(found[:, 1], expected[1], rtol=1e-10)
    np.testing.assert_allclose(found[:, 2], np.mean(expected, axis=0), rtol=1e-10)


def test_a_point_off_the_surface_has_a_higher_dimension() -> None:
    """What Ma et al. detect by."""
    rng = np.random.default_rng(1)
    plane = embedded(gaussian(1_000, 2, rng))
    on = plane[:50]
    off = on + 0.5 * rng.normal(size=on.shape) / math.sqrt(50)
    detector = LocalDimension().fit([plane])

    assert np.median(detector.transform([off])[:, 0]) > 5 * np.median(detector.transform([on])[:, 0])


def test_a_query_in_the_reference_is_not_its_own_neighbour() -> None:
    points = np.random.default_rng(2).normal(size=(60, 5))
    detector = LocalDimension(k=10).fit([points])
    without = LocalDimension(k=10).fit([points[1:]]).transform([points[:1]])
    nudged = points[:1] + 1e-6  # as a network does in another batch

    assert np.array_equal(detector.transform([points[:1]]), without)
    np.testing.assert_allclose(detector.transform([nudged]), without, rtol=1e-4)


def test_copies_in_the_reference_count_once() -> None:
    rng = np.random.default_rng(3)
    points, queries = rng.normal(size=(60, 5)), rng.normal(size=(20, 5))

    once = LocalDimension(k=10).fit([points]).transform([queries])
    often = LocalDimension(k=10).fit([np.repeat(points, 12, axis=0)]).transform([queries])

    assert np.array_equal(once, often)


def test_equally_distant_neighbours_give_the_dimension_of_the_space() -> None:
    corners = np.eye(12)

    assert LocalDimension(k=5).fit([corners]).transform([np.zeros((1, 12))]).tolist() == [[12, 12]]


def test_layers_may_come_as_one_array() -> None:
    reference, queries = np.random.default_rng(4).normal(size=(2, 3, 40, 6))
    detector = LocalDimension(k=5).fit(reference)

    assert np.array_equal(detector.transform(queries), LocalDimension(k=5).fit(list(reference)).transform(list(queries)))
    assert list(detector.get_feature_names_out()) == ["lid_layer_0", "lid_layer_1", "lid_layer_2", "lid_mean"]
    assert detector.transform(queries[:, :0]).shape == (0, 4)
    assert clone(detector).k == 5


@pytest.mark.parametrize(
    ("k", "reference", "message"),
    [
        (
            20,
            np.random.default_rng(0).normal(size=(1, 20, 3)),
            "Layer 0 of the reference has 20 different points: more than k = 20",
        ),
        (20, np.ones((1, 50, 3)), "has 1 different points"),
        (1, np.random.default_rng(0).normal(size=(1, 20, 3)), "2 neighbours or more; k is 1"),
        (5, np.full((1, 20, 3), np.nan), "reference hold a value that is not finite"),
        (5, np.zeros((20, 3)), r"must be \[layers, n, d\]"),
        (5, [], r"must be \[layers, n, d\]"),
        (5, [np.zeros((20, 3)), np.zeros((21, 3))], r"different numbers of points: \[20, 21\]"),
    ],
)
def test_what_cannot_be_a_reference_is_refused(k: int, reference: Array, message: str) -> None:
    with pytest.raises(RegressorError, match=message):
        LocalDimension(k=k).fit(reference)


def test_what_cannot_be_queries_is_refused() -> None:
    reference = np.random.default_rng(0).normal(size=(2, 20, 3))
    detector = LocalDimension(k=5).fit(reference)

    with pytest.raises(RegressorError, match=r"layers have \[3\] columns, those of the reference \[3, 3\]"):
        detector.transform(reference[:1])
    with pytest.raises(RegressorError, match=r"layers have \[3, 4\] columns"):
        detector.transform([np.zeros((1, 3)), np.zeros((1, 4))])
    with pytest.raises(NotFittedError):
        LocalDimension().transform(reference)


def test_a_query_that_leaves_too_few_neighbours_is_refused() -> None:
    cluster = np.full((9, 2), 1.0) + 1e-9 * np.arange(9)[:, None]
    detector = LocalDimension(k=5).fit([np.vstack([cluster, [[5.0, 0.0], [0.0, 7.0]]])])

    with pytest.raises(RegressorError, match="More than 6 points of the reference are the same as a query"):
        detector.transform([np.ones((1, 2))])
