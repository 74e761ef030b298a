from __future__ import annotations

from typing import Any

import pytest

from attacks import AttackError
from attacks.attackers.exhaustive import Exhaustive
from attacks.engine import Example, Outcome, run_attack
from attacks.resources import Resources
from attacks.text import Text
from tests.attacks.toys import Listed, WordVictim

SUBSTITUTES = Listed({"good": ["fine", "nice"], "movie": ["film"], "ended": ["closed"]})


def attack(victim: WordVictim, **options: Any) -> Outcome:
    return run_attack([Example(0, "good movie ended", 0)], victim, Exhaustive(substitutes=SUBSTITUTES, **options))[0]


def test_trace_by_hand() -> None:
    victim = WordVictim({"nice": 0.05, "fine": 0.01, "film": 0.2, "closed": 0.1, "good": -0.05}, base=0.2)
    outcome = attack(victim)
    assert victim.calls == [
        ["good movie ended"],
        # P(1) = 0.15; the substitutes bring 0.06, 0.1, 0.2 and 0.1: film
        ["fine movie ended", "nice movie ended", "good film ended", "good movie closed"],
        # now 0.41, 0.45 and 0.45: the first of equals
        ["fine film ended", "nice film ended", "good film closed"],
        ["nice film closed"],
        ["nice film closed"],
    ]
    assert (outcome.adversarial, outcome.queries.asked) == ("nice film closed", 1 + 4 + 3 + 1 + 1)


def test_ends_after_so_many_words_or_when_nothing_helps() -> None:
    helpful = WordVictim({"nice": 0.05, "fine": 0.01, "film": 0.2, "closed": 0.1, "good": -0.05}, base=0.2)
    assert (attack(helpful, most=2).status, len(helpful.calls)) == ("failed", 3)
    useless = WordVictim({"fine": -0.1, "nice": -0.1, "film": 0.05, "closed": -0.1}, base=0.4)
    assert (attack(useless).status, useless.calls[2:]) == ("failed", [["fine film ended", "nice film ended", "good film closed"]])
    with pytest.raises(AttackError, match="at least one word"):
        Exhaustive(most=0)


def test_by_a_trained_model(resources: Resources) -> None:
    attacker = Exhaustive.made_with(resources, count=4)
    text = "The new movie was good."
    victim = WordVictim({"movie": -0.1, "film": 0.2, "story": 0.1})
    outcome = run_attack([Example(0, text, 0)], victim, attacker)[0]
    assert outcome.adversarial == "The new film was good."
    assert outcome.queries.asked <= attacker.most_queries(Text(text))
