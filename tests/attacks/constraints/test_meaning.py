from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from attacks.constraints import MeaningAtLeast
from attacks.errors import AttackError


class SharedWords:
    """The share of the original's words that the other text has, too."""

    def __init__(self, sha256: str | None = "5" * 64) -> None:
        self.sha256 = sha256
        self.asked: list[tuple[str, str]] = []

    def predict(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        self.asked += pairs
        return np.array([len({*old.split()} & {*new.split()}) / max(1, len(old.split())) for old, new in pairs])


def test_lets_through_what_people_would_call_preserved_each_against_its_own_original() -> None:
    model = SharedWords()
    scores, verdicts = MeaningAtLeast(model, tau=0.5).check_pairs(["a b c d", "e f", "e f"], ["a b x y", "x y", "e y"])
    assert (scores.tolist(), verdicts.tolist()) == ([0.5, 0.0, 0.5], [True, False, True])
    assert model.asked == [("a b c d", "a b x y"), ("e f", "x y"), ("e f", "e y")]


def test_the_original_itself_passes_whatever_the_model_says() -> None:
    scores, verdicts = MeaningAtLeast(SharedWords(), tau=1.0).check("", ["", "x"])
    assert (scores.tolist(), verdicts.tolist()) == ([0.0, 0.0], [True, False])


def test_the_run_says_which_model_it_used() -> None:
    described = MeaningAtLeast(SharedWords(), tau=0.9).describe()
    assert described == {"name": "meaning", "tau": 0.9, "model_sha256": "5" * 64}


@pytest.mark.parametrize("tau", [float("nan"), -0.1, 1.1])
def test_tau_is_a_probability(tau: float) -> None:
    with pytest.raises(AttackError, match="tau is a probability, from 0 to 1"):
        MeaningAtLeast(SharedWords(), tau=tau)


def test_a_model_without_a_hash_is_refused() -> None:
    with pytest.raises(AttackError, match="the meaning model has no hash; save it first"):
        MeaningAtLeast(SharedWords(sha256=None))
