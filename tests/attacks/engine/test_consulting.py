"""Sources of substitutes are asked once for many examples, and a failing question costs only its own example."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attacks.engine import Consult, Example, Goal, Query, Search, run_attack
from attacks.text import Text
from tests.attacks.toys import WordVictim


class Opposites:
    """Says the opposite of a word, fails on "never", and notes its calls."""

    def __init__(self, short: int = 0) -> None:
        self.calls: list[list[str]] = []
        self.short = short

    def answer(self, questions: Sequence[str]) -> list[str]:
        self.calls.append(list(questions))
        if "never" in questions:
            raise ValueError("no opposite of never")
        return [{"good": "bad"}.get(word, word) for word in questions][self.short :]


class Consulting:
    name, unit = "consulting", "words"
    constraints: tuple[Any, ...] = ()

    def __init__(self, source: Opposites) -> None:
        self.source = source

    def describe(self) -> dict[str, Any]:
        return {"name": self.name}

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        words = yield Consult(self.source, text.words)
        for i, word in enumerate(words):
            text = text.replace(i, word)
        yield Query([text])
        return text


def attacked(source: Opposites, **options: Any) -> list[tuple[str, str | None, int, str]]:
    examples = [Example(0, "good day", 1), Example(1, "never mind", 1), Example(2, "so good", 1)]
    victim = WordVictim({"good": 0.4, "bad": -0.4})
    outcomes = run_attack(examples, victim, Consulting(source), **options)
    return [(found.status, found.adversarial, found.queries.asked, found.message) for found in outcomes]


def test_one_call_answers_many_examples_and_a_failure_costs_its_own() -> None:
    source = Opposites()
    assert attacked(source) == [
        ("success", "bad day", 3, ""),
        ("error", None, 1, "ValueError: no opposite of never"),
        ("success", "so bad", 3, ""),
    ]
    assert source.calls == [
        ["good", "day", "never", "mind", "so", "good"],
        ["good", "day"],
        ["never", "mind"],
        ["so", "good"],
    ]
    assert attacked(Opposites(), window=1) == attacked(Opposites())


def test_a_source_that_leaves_an_answer_out_is_told() -> None:
    statuses = {(status, message) for status, _, _, message in attacked(Opposites(short=1))}
    assert statuses == {
        ("error", "AttackError: Opposites answered 2 questions with 1 answers"),
        ("error", "ValueError: no opposite of never"),
    }
