"""Influence of training points: against training anew without each of them, and with points made by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from regressors.detectors import nnif
from regressors.detectors.nnif import NAMES, NearestNeighbourInfluence
from regressors.errors import RegressorError

Array = NDArray[np.float64]
PENALTY = 2.0


def clusters(classes: int, each: int, *, seed: int = 0) -> tuple[Array, NDArray[np.int64]]:
    """Points [n, 4] around a centre for each class, near enough to overlap."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(classes), each)
    return rng.normal(scale=1.5, size=(classes, 4))[labels] + rng.normal(size=(len(labels), 4)), labels


def trained(points: Array, labels: NDArray[np.int64], classes: int, start: Array | None = None) -> Array:
    """The weights [classes, d + 1] of the objective that the class describes, by a general optimiser."""
    inputs = np.column_stack([points, np.ones(len(points))])
    truth = np.eye(classes)[labels]

    def objective(flat: Array) -> tuple[float, Array]:
        weights = flat.reshape(classes, -1)
        scores = inputs @ weights.T
        total = logsumexp(scores, axis=1, keepdims=True)
        loss = (total[:, 0] - (scores * truth).sum(axis=1)).sum() + PENALTY / 2 * (weights**2).sum()
        return loss, ((np.exp(scores - total) - truth).T @ inputs + PENALTY * weights).ravel()

    first = np.zeros(classes * inputs.shape[1]) if start is None else start.ravel()
    found = minimize(objective, first, jac=True, method="BFGS", options={"gtol": 1e-8, "maxiter": 1_000})
    weights: Array = found.x.reshape(classes, -1)
    return weights


def losses(weights: Array, queries: Array, predicted: NDArray[np.int64]) -> Array:
    scores = np.column_stack([queries, np.ones(len(queries))]) @ weights.T
    result: Array = logsumexp(scores, axis=1) - scores[np.arange(len(queries)), predicted]
    return result


@pytest.mark.parametrize("classes", [2, 3])
def test_influences_are_what_training_without_the_point_shows(classes: int) -> None:
    points, labels = clusters(classes, 120 // classes)
    queries = clusters(classes, 6, seed=1)[0]
    detector = NearestNeighbourInfluence(most=10, penalty=PENALTY).fit(points, labels)
    full = trained(points, labels, classes)
    np.testing.assert_allclose(detector.weights_, full, atol=1e-5)

    estimated, predicted = detector.influences(queries), detector.predict(queries)
    others = ~np.eye(len(points), dtype=bool)
    without = [trained(points[kept], labels[kept], classes, full) for kept in others]
    true = np.stack([losses(weights, queries, predicted) for weights in without], axis=1)
    true -= losses(full, queries, predicted)[:, None]

    assert estimated.shape == true.shape == (len(queries), 120)
    for guess, fact in zip(estimated, true, strict=True):
        assert np.corrcoef(guess, fact)[0, 1] > 0.95
        telling = np.abs(fact) > 0.1 * np.abs(fact).max()
        assert np.array_equal(np.sign(guess[telling]), np.sign(fact[telling]))
        # To first order: the curvature that goes with the point is not taken out, so a strong point's effect is underrated.
        assert np.abs(guess).sum() == pytest.approx(np.abs(fact).sum(), rel=0.15)


def test_the_columns_are_those_of_the_chosen_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nnif, "_NUMBERS_AT_ONCE", 200)  # three queries at a time
    points, labels = clusters(3, 20)
    queries = clusters(3, 3, seed=1)[0]
    detector = NearestNeighbourInfluence(most=4).fit(points, labels)

    rows = detector.transform(queries)

    influences = detector.influences(queries)
    for query, row, influence in zip(queries, rows, influences, strict=True):
        by_influence = sorted(range(60), key=lambda place: influence[place])
        distance = [float(np.sqrt(((query - point) ** 2).sum())) for point in points]
        rank = [1 + sum(other < own for other in distance) for own in distance]
        expected: list[float] = []
        for chosen in (by_influence[-4:], by_influence[:4]):
            for values in (influence, rank, distance):
                of_chosen = [values[place] for place in chosen]
                expected += [sum(of_chosen) / 4, min(of_chosen)]
        np.testing.assert_allclose(row, expected, rtol=1e-10)
    assert list(detector.get_feature_names_out()) == list(NAMES)
    assert NAMES[:6] == (
        "helpful_influence_mean",
        "helpful_influence_min",
        "helpful_rank_mean",
        "helpful_rank_min",
        "helpful_distance_mean",
        "helpful_distance_min",
    )
    assert detector.transform(queries[:0]).shape == (0, 12)
    assert clone(detector).most == 4


def named_row(detector: NearestNeighbourInfluence, query: list[float]) -> dict[str, float]:
    return dict(zip(NAMES, detector.transform([query])[0].tolist(), strict=True))


def two_sides() -> tuple[Array, NDArray[np.str_]]:
    """Twenty points on either side of the line x = 0, in rows."""
    heights = np.linspace(-1, 1, 20)
    left, right = (np.column_stack([np.full(20, x), heights]) for x in (-2.0, 2.0))
    return np.vstack([left, right]), np.repeat(["left", "right"], 20)


def test_a_wrongly_labelled_point_is_the_most_harmful() -> None:
    points, labels = two_sides()
    points, labels = np.vstack([points, [[2.5, 0.1]]]), np.append(labels, "left")
    detector = NearestNeighbourInfluence(most=1).fit(points, labels)

    influence = detector.influences([[2.5, 0.0]])[0]
    row = named_row(detector, [2.5, 0.0])

    assert detector.predict([[2.5, 0.0], [-2.0, 0.0]]).tolist() == ["right", "left"]
    assert influence.argmin() == 40 and influence[40] < 0 < influence.max()
    assert (row["harmful_rank_mean"], row["harmful_distance_mean"]) == (1, pytest.approx(0.1))
    # It would be gone, had it been labelled rightly.
    right = NearestNeighbourInfluence(most=1).fit(points, np.append(labels[:40], "right")).influences([[2.5, 0.0]])[0]
    assert right[40] > 0 and right.argmin() != 40


def test_a_query_off_the_points_that_support_it_is_told_by_ranks_and_distances() -> None:
    """A text between the classes, with its decision held by an outlier far away, against one among its supporters."""
    points, labels = two_sides()
    points, labels = np.vstack([points, [[0.3, 30.0]]]), np.append(labels, "left")
    detector = NearestNeighbourInfluence(most=1, penalty=0.1).fit(points, labels)

    usual, odd = named_row(detector, [-2.0, 0.9]), named_row(detector, [1.0, 12.0])

    assert detector.predict([[1.0, 12.0]]).tolist() == ["left"]
    assert (odd["helpful_rank_min"], odd["helpful_distance_min"]) == (41, pytest.approx(18.0, abs=0.1))
    assert usual["helpful_rank_min"] < 41 and usual["helpful_distance_min"] < odd["helpful_distance_min"]


@pytest.mark.parametrize(
    ("points", "labels", "options", "message"),
    [
        (np.zeros((10, 2)), [0] * 10, {}, "have 1 class: a decision is between two or more"),
        (np.zeros((10, 2)), [0, 1] * 4, {}, r"There are 10 training points, but the labels are \[8\]"),
        (np.full((10, 2), np.inf), [0, 1] * 5, {}, "training points hold a value that is not finite"),
        (np.zeros(10), [0, 1] * 5, {}, r"training points must be an array \[n, d\], not \[10\]"),
        (np.zeros((10, 2)), [0, 1] * 5, {"most": 6}, "The 6 most helpful and the 6 most harmful of 10 training points"),
        (np.zeros((10, 2)), [0, 1] * 5, {"most": 0}, "The 0 most helpful"),
        (np.zeros((10, 2)), [0, 1] * 5, {"penalty": 0}, "The penalty is 0"),
        (np.zeros((10, 5_000)), [0, 1] * 5, {}, "2 classes and 5000 columns make 10,002 weights; 10,000 are the most"),
    ],
)
def test_what_cannot_be_trained_on_is_refused(points: Array, labels: list[int], options: dict[str, float], message: str) -> None:
    with pytest.raises(RegressorError, match=message):
        NearestNeighbourInfluence(**({"most": 2} | options)).fit(points, labels)  # type: ignore[arg-type]


def test_queries_of_another_kind_are_refused() -> None:
    detector = NearestNeighbourInfluence(most=2).fit(*two_sides())

    with pytest.raises(RegressorError, match="The queries have 3 columns, the training points 2"):
        detector.transform(np.zeros((1, 3)))
    with pytest.raises(NotFittedError):
        NearestNeighbourInfluence().influences(np.zeros((1, 2)))
