"""The baseline, and that every attacker of characters beats it."""

from __future__ import annotations

import numpy as np
import pytest

from attacks import AttackError
from attacks.attackers import ATTACKERS, make_attacker
from attacks.attackers.random_edits import RandomCharacters
from attacks.engine import Attacker, Example, lockstep, run_attack
from tests.attacks.toys import Always0, WordVictim


def test_random_edits_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockstep, "generator_of", lambda seed, id: Always0())
    victim = WordVictim({})
    outcome = run_attack([Example(0, "touch wood", 0)], victim, RandomCharacters())[0]
    # always the first word, and the swap at its first place: there and back again, each asked about
    assert victim.calls == [["touch wood"], ["otuch wood"]]
    assert (outcome.status, outcome.queries.asked) == ("failed", 1 + 100)


def test_the_first_text_that_does_is_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockstep, "generator_of", lambda seed, id: Always0())
    victim = WordVictim({"touch": 0.2}, base=0.35)
    outcome = run_attack([Example(0, "touch wood", 1)], victim, RandomCharacters("spaces"))[0]
    assert victim.calls == [["touch wood"], ["t ouch wood"], ["t ouch wood"]]
    assert (outcome.adversarial, outcome.queries.asked) == ("t ouch wood", 1 + 1 + 1)


def test_tries_are_the_limit_also_where_nothing_can_be_edited() -> None:
    for text, asked in (("some words", 1 + 7), ("I", 1)):
        attacker = RandomCharacters(tries=7)
        outcome = run_attack([Example(0, text, 0)], WordVictim({}), attacker)[0]
        assert (outcome.status, outcome.queries.asked) == ("failed", asked)


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(
        AttackError, match="unknown kind of edit 'x'; there are typos, misspellings, homoglyphs, invisible, spaces"
    ):
        RandomCharacters("x")  # type: ignore[arg-type]


KINDS = {
    "deepwordbug": "typos",
    "deepwordbug-greedy": "typos",
    "homoglyphs": "homoglyphs",
    "important-homoglyphs": "homoglyphs",
    "incrediblae:mmu-nlp": "homoglyphs",
    "invisible": "invisible",
    "pruthi": "misspellings",
    "splitting": "spaces",
    "textattack:deepwordbug": "typos",
}
SETTINGS = {
    "homoglyphs": (make_attacker("homoglyphs"), 120, 60),
    "pruthi": (make_attacker("pruthi", edits=2), 900, 18),
    "deepwordbug": (make_attacker("deepwordbug", max_distance=3), 30, 60),
}
"""Attackers, budgets and numbers of texts that are not as usual: some try every place, one checks once."""
RANDOM_THEMSELVES = {"incrediblae:sinai", "incrediblae:turquaz", "random-characters"}


def test_every_attacker_of_characters_is_compared_or_a_random_search() -> None:
    characters = {name for name, maker in ATTACKERS.items() if maker.unit == "characters"}
    assert characters == KINDS.keys() | RANDOM_THEMSELVES


def successes(attacker: Attacker, budget: int, texts: int) -> int:
    rng = np.random.default_rng(0)
    words = [f"{a}o{b}a{c}e" for a in "bdfgh" for b in "lmnp" for c in "rstw"]
    weights = rng.choice([0.12, -0.12, 0.0], p=[0.1, 0.1, 0.8], size=len(words))
    victim = WordVictim(dict(zip(words, weights, strict=True)), base=0.51)
    examples = [Example(i, " ".join(rng.choice(words, 12)), 0) for i in range(texts)]
    return sum(outcome.succeeded for outcome in run_attack(examples, victim, attacker, budget=budget))


@pytest.mark.parametrize("name", sorted(KINDS))
def test_more_success_than_random_edits_of_the_kind_with_as_many_queries(name: str) -> None:
    attacker, budget, texts = SETTINGS.get(name, (make_attacker(name), 60, 60))
    random = RandomCharacters(KINDS[name], tries=budget)  # type: ignore[arg-type]
    assert successes(attacker, budget, texts) >= successes(random, budget, texts) + texts // 6
