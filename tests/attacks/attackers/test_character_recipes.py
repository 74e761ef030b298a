from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from attacks import AttackError
from attacks.attackers import make_attacker
from attacks.attackers.recipes.characters import GeneticSplitting, IterativeHomoglyphs
from attacks.engine import Example, lockstep, run_attack
from attacks.text import Text
from tests.attacks.toys import Always0, WordVictim

A, C = "\u0430", "\u0441"


@pytest.fixture
def always_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockstep, "generator_of", lambda seed, id: Always0())


def test_sinai_fixes_one_word_more_in_every_round(always_0: None) -> None:
    victim = WordVictim({"bat": 0.1, "cat": 0.1, "hat": 0.1}, base=0.35)  # two of the three must be hit
    outcome = run_attack([Example(0, "bat cat hat I", 1)], victim, IterativeHomoglyphs())[0]
    assert victim.calls == [
        ["bat cat hat I"],
        [f"b{A}t cat hat I", f"bat {C}at hat I", "bat cat \u04bbat I"],
        # the first word keeps its homoglyph and has no other place left for one
        [f"b{A}t {C}at hat I", f"b{A}t cat \u04bbat I"],
        [f"b{A}t {C}at hat I"],
    ]
    assert (outcome.adversarial, outcome.queries.asked) == (f"b{A}t {C}at hat I", 1 + 3 + 2 + 1)


def test_sinai_has_two_rounds_for_long_texts(always_0: None) -> None:
    words = ["cat"] * 101
    victim = WordVictim({"cat": 0.01}, base=-0.405)  # P(1) is 0.605: eleven or more words must be hit
    outcome = run_attack([Example(0, " ".join(words), 1)], victim, IterativeHomoglyphs())[0]
    assert outcome.adversarial is not None
    assert outcome.adversarial.split() == [f"{C}at"] * 11 + ["cat"] * 90
    assert outcome.queries.asked == 1 + 101 + 11 + 1


def test_turquaz_prefers_fewest_changed_words() -> None:
    victim = WordVictim({"shocking": 0.2, "secret": 0.2}, base=0.2)
    text = "a shocking and secret report about very many other things"
    outcome = run_attack([Example(0, text, 1)], victim, GeneticSplitting(population=40, rate=0.5))[0]
    asked = victim.calls[1]
    successes = [each for each in asked if victim.predict_proba([each])[0, 1] <= 0.5]
    assert outcome.adversarial in successes
    spaces = [each.count(" ") for each in successes]
    assert outcome.adversarial is not None and outcome.adversarial.count(" ") == min(spaces)
    assert outcome.queries.asked == 1 + 40 + 1


def test_turquaz_ends_after_its_generations() -> None:
    outcome = run_attack([Example(0, "some words", 0)], WordVictim({}), GeneticSplitting(population=3, generations=4))[0]
    assert (outcome.status, outcome.queries.asked) == ("failed", 1 + 3 * (4 + 1))


def test_turquaz_children_are_crossed_and_only_split() -> None:
    rng: Any = np.random.default_rng(0)
    attacker = GeneticSplitting(population=4, rate=0.3)
    words = Text("first second third fourth").words
    children = attacker._children([words, [word.upper() for word in words]] * 2, rng)
    assert len(children) == 4
    for child in children:
        assert [word.replace(" ", "").lower() for word in child] == words
    cases = {tuple(word.isupper() for word in child) for child in children}
    assert all(len(set(case)) <= 2 and sum(a != b for a, b in pairwise(case)) <= 1 for case in cases)
    assert any(len(set(case)) == 2 for case in cases)


@pytest.mark.parametrize("setting", [{"population": 1}, {"generations": 0}, {"rate": 0.0}, {"rate": 1.5}])
def test_turquaz_refuses_what_cannot_be(setting: dict[str, Any]) -> None:
    with pytest.raises(AttackError, match="needs a population of at least 2, at least one generation"):
        GeneticSplitting(**setting)


def test_mmu_nlp_is_a_setting_of_important_homoglyphs() -> None:
    recipe = make_attacker("incrediblae:mmu-nlp", place="end")
    assert recipe.name == "incrediblae:mmu-nlp"
    made_of = recipe.describe()["made_of"]
    given = {"place": "end", "most": 1000, "first": "constraints"}
    assert (made_of["name"], made_of["parameters"]) == ("important-homoglyphs", given)
