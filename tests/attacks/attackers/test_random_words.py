from __future__ import annotations

from attacks.attackers import RandomWords
from attacks.engine import Example, run_attack
from tests.attacks.attackers.traces import Dice, trace
from tests.attacks.toys import Forbids, Listed, WordVictim

TABLE = {"a": ["A", "x"], "c": ["C"]}


def test_trace_by_hand() -> None:
    # word 2 (c), then word 0 with its second option, then again from the start: word 0 with its first
    dice = Dice(1, 0, 0, 1, 0, 0)
    found, asked = trace(RandomWords(tries=3, substitutes=Listed(TABLE)), "a b c", WordVictim({"a": -0.1}), dice)
    assert (found, asked) == (None, [["a b C"], ["x b C"], ["A b c"]])


def test_success_ends_it() -> None:
    found, asked = trace(RandomWords(substitutes=Listed(TABLE)), "a b c", WordVictim({"C": 0.1, "c": -0.1}), Dice(1, 0))
    assert (found, asked) == ("a b C", [["a b C"]])


def test_what_breaks_a_constraint_is_not_asked() -> None:
    victim = WordVictim({"a": -0.1})
    attacker = RandomWords(tries=9, substitutes=Listed({"a": ["A"]}))
    outcome = run_attack([Example(0, "a b", 0)], victim, attacker, constraints=[Forbids("A")])[0]
    assert (outcome.status, outcome.queries.asked) == ("failed", 1)


def test_a_text_without_synonyms_fails_without_a_query() -> None:
    assert trace(RandomWords(substitutes=Listed({})), "a b", WordVictim({}), Dice()) == (None, [])
