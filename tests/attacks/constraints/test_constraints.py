"""What every constraint keeps to, and the figures of each worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from attacks import AttackError
from attacks.constraints import (
    Constraint,
    EditDistanceAtMost,
    EncoderSimilarityAtLeast,
    SuspicionAtMost,
    WordsChangedAtMost,
)
from tests.attacks.toys import SuspicionByLength


class Axes:
    """An encoder: ``x`` and ``y`` are at right angles, ``xy`` lies between, ``-`` points away from x."""

    name, version, sha256 = "axes", "1", "abc"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        vectors = {"x": (1, 0), "y": (0, 1), "xy": (0.5**0.5, 0.5**0.5), "-": (-1, 0)}
        return np.array([vectors.get(text, (0.6, 0.8)) for text in texts], dtype=np.float32)


ALL: list[Constraint] = [
    WordsChangedAtMost(0.5),
    EditDistanceAtMost(3),
    EncoderSimilarityAtLeast(0.7, Axes()),
    SuspicionAtMost(SuspicionByLength()),
]


@pytest.mark.parametrize("constraint", ALL, ids=lambda constraint: constraint.name)
def test_contract(constraint: Constraint) -> None:
    assert isinstance(constraint, Constraint)
    described = constraint.describe()
    assert json.loads(json.dumps(described)) == described
    assert described["name"] == constraint.name
    candidates = ["x", "xy", "a b c d e f g h i j", "", "\ud800"]
    scores, verdicts = constraint.check("x", candidates)
    assert (scores.dtype, verdicts.dtype) == (np.float64, np.bool_)
    one_by_one = [constraint.check("x", [candidate]) for candidate in candidates]
    assert scores.tolist() == [s[0] for s, _ in one_by_one]
    assert verdicts.tolist() == [v[0] for _, v in one_by_one]
    mixed, _ = constraint.check_pairs(["y", *["x"] * 5], ["-", *candidates])
    assert mixed[1:].tolist() == scores.tolist()
    assert verdicts[0], "an unchanged text passes"
    empty = constraint.check("x", [])
    assert (len(empty[0]), len(empty[1])) == (0, 0)


def test_words_changed() -> None:
    scores, verdicts = WordsChangedAtMost(0.5).check(
        "One two, three four", ["one two, three four", "One 2 3 four", "a b c four", "One two"]
    )
    assert scores.tolist() == [0.25, 0.5, 0.75, 0.5]
    assert verdicts.tolist() == [True, True, False, True]


def test_edit_distance_stops_counting_past_its_limit() -> None:
    scores, verdicts = EditDistanceAtMost(2).check("kitten", ["kitten", "sitten", "sittin", "sitting", "something else"])
    assert scores.tolist() == [0, 1, 2, 3, 3]
    assert verdicts.tolist() == [True, True, True, False, False]


def test_encoder_similarity() -> None:
    scores, verdicts = EncoderSimilarityAtLeast(0.7, Axes()).check("x", ["x", "xy", "y", "-"])
    assert scores.tolist() == [1.0, 0.70711, 0.0, -1.0]
    assert verdicts.tolist() == [True, True, False, False]


def test_suspicion_is_bounded_by_tau_or_by_the_originals_own() -> None:
    constraint = SuspicionAtMost(SuspicionByLength(), tau=2.0)
    scores, verdicts = constraint.check("c" * 5, ["x" * 9, "x" * 10, "x" * 11])
    assert scores.tolist() == [1.9, 2.0, 2.1]
    assert verdicts.tolist() == [True, True, False]
    above, verdicts = constraint.check("c" * 14, ["x" * 11, "x" * 14, "x" * 15])
    assert above.tolist() == [2.1, 2.4, 2.5]
    assert verdicts.tolist() == [True, True, False]


def test_originals_are_predicted_once() -> None:
    class Counting(SuspicionByLength):
        def __init__(self) -> None:
            super().__init__()
            self.seen: list[str] = []

        def predict(self, texts: Sequence[str]) -> np.ndarray:
            self.seen += texts
            return super().predict(texts)

    model = Counting()
    constraint = SuspicionAtMost(model)
    for candidate in ("a", "b"):
        constraint.check_pairs(["first", "second"], [candidate, candidate])
    assert model.seen == ["first", "second", "a", "a", "b", "b"]


def test_impossible_limits_are_refused() -> None:
    for make in (
        lambda: WordsChangedAtMost(1.5),
        lambda: EditDistanceAtMost(-1),
        lambda: EncoderSimilarityAtLeast(2.0),
        lambda: SuspicionAtMost(SuspicionByLength(), float("nan")),
    ):
        with pytest.raises(AttackError, match=r"must|not"):
            make()
    with pytest.raises(AttackError, match="the suspicion model has no hash; save it first"):
        SuspicionAtMost(SuspicionByLength(sha256=None))
