"""How questions are put together into calls to the victim, and what happens when its memory runs out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attacks.engine import Example, Goal, Outcome, Query, Search, run_attack
from attacks.engine import queries as engine_queries
from attacks.text import Text
from tests.attacks.engine.test_same_results import REFERENCE, VICTIM, run
from tests.attacks.toys import Scripted, WordVictim


class Cramped(WordVictim):
    """Has room for so many characters at a time, texts padded to the longest."""

    def __init__(self, room: int) -> None:
        super().__init__(VICTIM.weights, VICTIM.base)
        self.room = room
        self.refused = 0

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        if len(texts) * max(map(len, texts)) > self.room:
            self.refused += 1
            raise MemoryError("no room")
        return super().predict_proba(texts)


@settings(max_examples=30, deadline=None)
@given(room=st.integers(20, 400), window=st.integers(1, 20))
def test_any_room_gives_the_same_outcomes(room: int, window: int) -> None:
    victim = Cramped(room)
    assert run(window=window, victim=victim) == REFERENCE
    assert victim.refused <= 10, "the size that fits is remembered"


@settings(max_examples=30, deadline=None)
@given(largest=st.integers(1, 400))
def test_any_size_of_calls_gives_the_same_outcomes(largest: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_queries, "CHARACTERS_PER_CALL", largest)
        assert run() == REFERENCE


class AllAtOnce(Scripted):
    """Asks about all its attempts in one question."""

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        yield Query([Text(attempt) for attempt in self.attempts])
        return None


def attacked(victim: WordVictim, *attempts: str) -> Outcome:
    return run_attack([Example(0, "one", 0)], victim, AllAtOnce(*attempts))[0]


def test_a_call_is_cut_by_length_and_halved_once_it_did_not_fit() -> None:
    victim = Cramped(12)
    outcome = attacked(victim, "bb", "a", "dddd", "e", "ccc", "f")
    # 6 texts as long as the longest are 24 characters, half of them 12: four texts of at most two fit, then the two longer ones.
    assert victim.calls == [["one"], ["a", "e", "f", "bb"], ["ccc", "dddd"]]
    assert (victim.refused, outcome.queries.asked, outcome.queries.sent) == (1, 7, 7)


def test_one_text_that_does_not_fit_alone_costs_its_example_only() -> None:
    victim = Cramped(5)
    outcomes = run_attack([Example(0, "much too long", 0), Example(1, "two", 0)], victim, Scripted("a"))
    assert [(outcome.status, outcome.message) for outcome in outcomes] == [("error", "MemoryError: no room"), ("failed", "")]
    assert outcomes[1].queries.sent == 2


def test_one_that_starts_later_still_asks_the_victim_together_with_the_others() -> None:
    """A candidate that was just let through is asked about in the same step."""
    victim = WordVictim({})
    texts = ["?", "first", "second"]  # the one without words makes room for the last after the first step
    run_attack([Example(i, text, 0) for i, text in enumerate(texts)], victim, Scripted("x", "y"), window=2)
    assert victim.calls == [["?", "first"], ["x", "second"], ["y", "x"], ["y"]]
