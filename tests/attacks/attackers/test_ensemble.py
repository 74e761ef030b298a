from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from attacks import AttackError
from attacks.attackers import make_attacker
from attacks.attackers.base import NamedAttacker
from attacks.attackers.ensemble import Ensemble
from attacks.constraints import EditDistanceAtMost, WordsChangedAtMost
from attacks.engine import Admit, Example, Goal, Outcome, Query, Search, run_attack
from attacks.text import Text
from tests.attacks.toys import Forbids, WordVictim


class Tries(NamedAttacker):
    """Tries given texts that the constraints let through."""

    unit = "words"
    variant = source = "made for tests"

    def __init__(self, name: str, attempts: tuple[str, ...], constraints: tuple[Any, ...] = ()) -> None:
        self.name = name  # type: ignore[misc]
        self.attempts = attempts
        self.constraints = constraints
        self.seen: list[dict[str, float]] = []

    def most_queries(self, text: Text) -> int:
        return 1 + len(self.attempts) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        admitted = yield Admit([Text(attempt, text) for attempt in self.attempts])
        self.seen += [dict(each.scores) for each in admitted]
        probabilities = yield Query([each.text for each in admitted])
        reached = np.flatnonzero(goal.reached(probabilities)).tolist()
        return admitted[reached[0]].text if reached else None


def attack(parts: list[NamedAttacker], **options: Any) -> tuple[Outcome, WordVictim]:
    victim = WordVictim({"bad": 0.3, "awful": 0.3}, base=0.3)
    return run_attack([Example(0, "good movie", 0)], victim, Ensemble(parts), **options)[0], victim


def test_the_next_one_tries_where_the_first_failed() -> None:
    first, second = Tries("first", ("fine movie", "fine film")), Tries("second", ("bad movie", "awful movie"))
    outcome, victim = attack([first, second, Tries("third", ("awful film",))])
    assert victim.calls == [["good movie"], ["fine movie", "fine film"], ["bad movie", "awful movie"], ["bad movie"]]
    assert outcome.adversarial == "bad movie"
    assert outcome.queries.asked == 1 + 2 + 2 + 1
    assert Ensemble([first, second]).most_queries(Text("good movie")) == 6


def test_the_budget_is_shared() -> None:
    outcome, _ = attack([Tries("first", ("fine movie", "fine film")), Tries("second", ("bad movie",))], budget=4)
    assert outcome.status == "budget"


def test_constraints_of_a_part_bind_its_own_candidates_only() -> None:
    strict = Tries("strict", ("bad movie", "gaad movie"), (Forbids("bad", "no_bad"),))
    free = Tries("free", ("bad movie",))
    outcome, victim = attack([strict, free])
    assert victim.calls[1:] == [["gaad movie"], ["bad movie"], ["bad movie"]]
    assert (outcome.status, outcome.adversarial) == ("success", "bad movie")
    # the second part was not asked by the constraint of the first
    assert (strict.seen, free.seen) == ([{"no_bad": 2.0}], [{}])
    # and the other way round
    outcome, victim = attack([Tries("free", ("fine movie",)), strict])
    assert (outcome.status, victim.calls[1:]) == ("failed", [["fine movie"], ["gaad movie"]])


def test_a_runs_constraint_binds_all_parts_also_in_the_place_of_a_parts_own() -> None:
    parts: list[NamedAttacker] = [Tries("strict", ("fine movie",), (Forbids("fine", "no_word"),)), Tries("free", ("bad movie",))]
    outcome, victim = attack(parts, constraints=[Forbids("bad", "no_word")])
    assert (outcome.status, victim.calls[1:]) == ("failed", [["fine movie"]])


def test_equal_constraints_are_one_and_others_of_the_same_name_are_refused() -> None:
    near = EditDistanceAtMost(3)
    both = Ensemble([Tries("a", (), (near,)), Tries("b", (), (EditDistanceAtMost(3), WordsChangedAtMost(0.5)))])
    assert [constraint.name for constraint in both.constraints] == ["edit_distance", "words_changed"]
    with pytest.raises(AttackError, match=r"^a\+b: two of them have a constraint edit_distance with other settings"):
        Ensemble([Tries("a", (), (near,)), Tries("b", (), (EditDistanceAtMost(4),))])


def test_by_name() -> None:
    made = make_attacker("homoglyphs+deepwordbug")
    assert (made.name, made.unit) == ("homoglyphs+deepwordbug", "characters")
    described = made.describe()
    assert [part["name"] for part in described["parts"]] == ["homoglyphs", "deepwordbug"]
    with pytest.raises(AttackError, match="it is not clear whose 'most' is set"):
        make_attacker("homoglyphs+deepwordbug", most=3)
    with pytest.raises(AttackError, match="unknown attacker ''"):
        make_attacker("homoglyphs+")
