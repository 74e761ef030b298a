"""The figures of each constraint, worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np
import pytest

from attacks import AttackError
from attacks.attackers.textfooler import TextFooler
from attacks.constraints import (
    CharacterScoreAtLeast,
    EditDistanceAtMost,
    EncoderSimilarityAtLeast,
    SuspicionAtMost,
    WordsChangedAtMost,
)
from attacks.engine.lockstep import in_order_of_cost
from tests.attacks.toys import SuspicionByLength


class Counting(SuspicionByLength):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def predict(self, texts: Sequence[str]) -> np.ndarray:
        self.seen += texts
        return super().predict(texts)


class Axes:
    """An encoder: ``x`` and ``y`` are at right angles, ``xy`` lies between, ``-`` points away from x."""

    name, version, sha256 = "axes", "1", "abc"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        vectors = {"x": (1, 0), "y": (0, 1), "xy": (0.5**0.5, 0.5**0.5), "-": (-1, 0)}
        return np.array([vectors.get(text, (0.6, 0.8)) for text in texts], dtype=np.float32)


def test_words_changed() -> None:
    scores, verdicts = WordsChangedAtMost(0.5).check(
        "One two, three four", ["one two, three four", "One 2 3 four", "a b c four", "One two"]
    )
    assert scores.tolist() == [0.25, 0.5, 0.75, 0.5]
    assert verdicts.tolist() == [True, True, False, True]


def test_character_score() -> None:
    scores, verdicts = CharacterScoreAtLeast(0.8).check(
        "Really?! Yes.", ["really?!  yes.", "Really!? Yes.", "Really no", "Really?! Yes!!"]
    )
    # normalised: "really ?! yes ." of 15, "really !? yes .", "really no", "really ?! yes !!"
    assert scores.tolist() == pytest.approx([1.0, 13 / 15, 1 - 8 / 15, 1 - 2 / 16])
    assert verdicts.tolist() == [True, True, False, True]
    assert CharacterScoreAtLeast(scores[3]).check("Really?! Yes.", ["Really?! Yes!!"])[1].tolist() == [True]


def test_edit_distance_stops_counting_past_its_limit() -> None:
    scores, verdicts = EditDistanceAtMost(2).check("kitten", ["kitten", "sitten", "sittin", "sitting", "something else"])
    assert scores.tolist() == [0, 1, 2, 3, 3]
    assert verdicts.tolist() == [True, True, True, False, False]


def test_encoder_similarity() -> None:
    scores, verdicts = EncoderSimilarityAtLeast(0.7, Axes()).check("x", ["x", "xy", "y", "-"])
    assert scores.tolist() == [1.0, 0.70711, 0.0, -1.0]
    assert verdicts.tolist() == [True, True, False, False]


def test_an_encoder_that_is_not_exact_cannot_keep_the_original_out() -> None:
    class Short(Axes):
        def encode(self, texts: Sequence[str]) -> np.ndarray:
            return super().encode(texts) * 0.99999

    scores, verdicts = EncoderSimilarityAtLeast(1.0, Short()).check("x", ["x", "xy"])
    assert (scores[0], verdicts.tolist()) == (0.99998, [True, False])


def test_suspicion_is_bounded_by_tau_or_by_the_originals_own() -> None:
    constraint = SuspicionAtMost(SuspicionByLength(), tau=2.0)
    scores, verdicts = constraint.check("c" * 5, ["x" * 9, "x" * 10, "x" * 11])
    assert scores.tolist() == [1.9, 2.0, 2.1]
    assert verdicts.tolist() == [True, True, False]
    above, verdicts = constraint.check("c" * 14, ["x" * 11, "x" * 14, "x" * 15])
    assert above.tolist() == [2.1, 2.4, 2.5]
    assert verdicts.tolist() == [True, True, False]


def test_suspicion_may_have_a_margin_above_the_originals_own() -> None:
    scores, verdicts = SuspicionAtMost(SuspicionByLength(), margin=0.1).check_pairs(
        ["c" * 7, "c" * 7, "c" * 30, "c" * 30], ["x" * 8, "x" * 9, "x" * 31, "x" * 32]
    )
    assert scores.tolist() == [1.8, 1.9, 4.1, 4.2]
    assert verdicts.tolist() == [True, False, True, False]
    _, verdicts = SuspicionAtMost(SuspicionByLength(), margin=0.0).check("c" * 7, ["x" * 6, "x" * 7, "x" * 8])
    assert verdicts.tolist() == [True, True, False]


def test_suspicion_may_only_be_observed() -> None:
    model = Counting()
    scores, verdicts = SuspicionAtMost(model, inf).check("c", ["x" * 6, "x" * 60])
    assert (scores.tolist(), verdicts.tolist()) == ([1.6, 7.0], [True, True])
    assert model.seen == ["x" * 6, "x" * 60]  # the original is scored only where it is asked about


def test_the_rule_of_suspicion_is_named() -> None:
    def described(*rule: float | None) -> dict[str, object]:
        return SuspicionAtMost(SuspicionByLength(), *rule).describe()

    common = {"name": "suspicion", "model_sha256": "by-length"}
    assert described() == common | {"tau": 2.5, "rule": "candidate <= max(tau, original)"}
    assert described(3.0) == common | {"tau": 3.0, "rule": "candidate <= max(tau, original)"}
    assert described(None, 0.3) == common | {"margin": 0.3, "rule": "candidate <= original + margin"}
    assert SuspicionAtMost(SuspicionByLength(), margin=0.3).tau is None
    assert described(inf) == common | {"rule": "observed: every candidate passes"}


@pytest.mark.parametrize(
    ("groups", "tau", "names"),
    [
        (["lexical"], 2.5, ["suspicion", "encoder_similarity"]),
        (["layers", "lexical"], 2.5, ["suspicion", "encoder_similarity"]),
        (["lexical"], inf, ["encoder_similarity", "suspicion"]),  # it refuses nothing that the encoder could be spared
        (["lexical", "fluency"], 2.5, ["encoder_similarity", "suspicion"]),
        ([], 2.5, ["encoder_similarity", "suspicion"]),
    ],
)
def test_a_quick_model_of_suspicion_spares_the_encoder_what_it_refuses(groups: list[str], tau: float, names: list[str]) -> None:
    model = SuspicionByLength()
    model.card = {"features": [{"group": group} for group in groups]}
    attacker = TextFooler(constraints=(EncoderSimilarityAtLeast(0.5, Axes()),))

    assert [constraint.name for constraint in in_order_of_cost(attacker, [SuspicionAtMost(model, tau)])] == names


def test_originals_are_predicted_once() -> None:
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
        lambda: CharacterScoreAtLeast(float("nan")),
        lambda: SuspicionAtMost(SuspicionByLength(), float("nan")),
        lambda: SuspicionAtMost(SuspicionByLength(), -inf),
        lambda: SuspicionAtMost(SuspicionByLength(), margin=-0.1),
        lambda: SuspicionAtMost(SuspicionByLength(), margin=inf),
        lambda: SuspicionAtMost(SuspicionByLength(), 2.5, 0.1),
    ):
        with pytest.raises(AttackError, match=r"must|not"):
            make()
    with pytest.raises(AttackError, match="the suspicion model has no hash; save it first"):
        SuspicionAtMost(SuspicionByLength(sha256=None))
