from __future__ import annotations

import numpy as np
import pytest

from attacks.attackers import DeepWordBug
from attacks.attackers.deepwordbug import delete, edits_of, insert, substitute, swap
from attacks.engine import Example, Goal, Queries, Query, Search, lockstep, run_attack
from attacks.text import Text
from tests.attacks.toys import WordVictim


class Always0:
    """A generator that always draws 0: first place, letter a."""

    def integers(self, *_: int) -> int:
        return 0


def test_trace_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockstep, "generator_of", lambda seed, id: Always0())
    victim = WordVictim({"good": -0.2, "day": -0.1, "ood": 0.05, "aday": 0.1})
    outcome = run_attack([Example(0, "plain, good day", 0)], victim, DeepWordBug())[0]
    assert victim.calls == [
        ["plain, good day"],
        [", good day", "plain, day", "plain, good"],  # deletion scores 0.2, 0.4, 0.3: good, then day
        ["plain, ogod day", "plain, aood day", "plain, ood day", "plain, agood day"],  # 0.4, 0.4, 0.45, 0.4
        ["plain, ood ady", "plain, ood aay", "plain, ood ay", "plain, ood aday"],  # the last one gives 0.65
        ["plain, ood aday"],
    ]
    assert (outcome.status, outcome.adversarial) == ("success", "plain, ood aday")
    asked = 1 + 3 + 4 + 4 + 1
    assert outcome.queries == Queries(asked, asked - 1, asked)


def test_a_word_whose_edits_bring_no_gain_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockstep, "generator_of", lambda seed, id: Always0())
    victim = WordVictim({"on": -0.05, "by": 0.1, "at": 0.2}, base=0.2)
    outcome = run_attack([Example(0, "on by at", 0)], victim, DeepWordBug())[0]
    # edits of "on" raise P(1) from 0.45 to 0.5, those of "by" and "at" lower it again
    assert victim.calls[2:] == [
        ["no by at", "an by at", "n by at", "aon by at"],
        ["no yb at", "no ay at", "no y at", "no aby at"],
        ["no by ta", "no by t", "no by aat"],
    ]
    assert (outcome.status, outcome.queries.asked) == ("failed", 1 + 3 + 4 + 4 + 3)


def test_the_four_edits() -> None:
    rng = Always0()
    assert [edit("Word", rng) for edit in (swap, substitute, delete, insert)] == ["oWrd", "Aord", "ord", "AWord"]  # type: ignore[arg-type]
    assert edits_of("ab", np.random.default_rng(0)) != []
    assert edits_of("a", np.random.default_rng(0)) == edits_of("", np.random.default_rng(0)) == []
    assert "aa" not in edits_of("aa", rng)  # type: ignore[arg-type]


@pytest.mark.parametrize("word", ["ab", "Vaccine", "naïve", "e\u0301e\u0301", "日本語"])
def test_edits_reach_every_place_and_are_one_edit_away(word: str) -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        assert {len(swap(word, rng)), len(substitute(word, rng))} == {len(word)}
        assert (len(delete(word, rng)), len(insert(word, rng))) == (len(word) - 1, len(word) + 1)
    deletions = {delete(word, rng) for _ in range(200)}
    assert deletions == {word[:i] + word[i + 1 :] for i in range(len(word))}


def test_the_edit_distance_is_bounded() -> None:
    victim = WordVictim({"nothing": 1.0})
    text = "several words that never change anything at all"
    outcome = run_attack([Example(0, text, 0)], victim, DeepWordBug(max_distance=0))[0]
    assert (outcome.status, outcome.queries.asked) == ("failed", 1 + 8)
    assert len(victim.calls) == 2


class RandomEdits(DeepWordBug):
    """The same edits at random words, without looking at the victim's scores."""

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        current = text
        while True:
            i = int(rng.integers(len(text.words)))
            edits = edits_of(current.words[i], rng)
            if edits:
                current = current.replace(i, edits[int(rng.integers(len(edits)))])
            if goal.reached((yield Query([current])))[0]:
                return current


def test_more_success_than_random_edits_at_equal_budget() -> None:
    rng = np.random.default_rng(0)
    words = [f"word{a}{b}" for a in "abcdefgh" for b in "abcdefgh"]
    weights = rng.choice([0.15, -0.15, 0.0], p=[0.1, 0.1, 0.8], size=len(words))
    victim = WordVictim(dict(zip(words, weights, strict=True)), base=0.51)
    examples = [Example(i, " ".join(rng.choice(words, 15)), 0) for i in range(60)]
    success = {
        attacker: sum(outcome.succeeded for outcome in run_attack(examples, victim, attacker(), budget=32))
        for attacker in (DeepWordBug, RandomEdits)
    }
    assert success[DeepWordBug] > success[RandomEdits] + 10
