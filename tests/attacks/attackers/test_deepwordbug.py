from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from attacks import AttackError
from attacks.attackers import make_attacker
from attacks.attackers.deepwordbug import DeepWordBug, GreedyDeepWordBug, by_head, by_head_and_tail, by_replacing, by_tail
from attacks.constraints.edits import EditDistanceAtMost
from attacks.engine import Example, Goal, Queries, lockstep, run_attack
from attacks.stop_words import STOP_WORDS
from attacks.text import Text
from tests.attacks.toys import Always0, WordVictim, answered


@pytest.fixture(autouse=True)
def always_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockstep, "generator_of", lambda seed, id: Always0())


def test_the_papers_algorithm_by_hand() -> None:
    victim = WordVictim({"good": -0.3, "day": -0.1, "aood": 0.1, "aay": 0.1}, base=0.6)
    outcome = run_attack([Example(0, "plain, good day", 0)], victim, DeepWordBug(max_distance=2))[0]
    assert victim.calls == [
        ["plain, good day"],
        ["", "plain,", "plain, good"],  # what stands before each word: P(1) 0.6, 0.6, 0.3
        [", good day", "day"],  # what stands behind each word: 0.2, 0.5 and again 0.6
        # head scores are 0, -0.3, -0.1 for the answer 1, which is not given: 0, 0.3, 0.1; tail scores 0, 0.3, 0.1
        ["plain, aood aay"],
        ["plain, aood aay"],
    ]
    assert (outcome.status, outcome.adversarial) == ("success", "plain, aood aay")
    # 1 + 2 for each word + the check + the verification; the empty text is asked twice and sent once
    assert outcome.queries == Queries(asked=1 + 2 * 3 + 1 + 1, unique=7, sent=8)


class Order:
    """P(1) = 0.9 if "x" stands before "y", 0.6 if only "x" is there, else 0.2: what a word does depends on what was read."""

    name = sha256 = "order"

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        words = [Text(text).words for text in texts]
        positive = [0.2 if "x" not in w else 0.9 if "y" in w[w.index("x") :] else 0.6 for w in words]
        return np.array([[1 - p, p] for p in positive])


def test_temporal_scores_differ_by_direction() -> None:
    text = Text("z x y")
    goal = Goal(1, Order().predict_proba([text.text])[0])
    # head: z 0.2 - 0.2, x 0.6 - 0.2, y 0.9 - 0.6; tail: z 0.9 - 0.9, x 0.9 - 0.2, y 0.2 - 0.2
    assert answered(by_head(text, goal), Order()) == [1, 2, 0]
    assert answered(by_tail(text, goal), Order()) == [1, 0, 2]
    assert answered(by_head_and_tail(text, goal), Order()) == [1, 2, 0]
    # "x x y", head: 0.4, 0, 0.3; tail: 0, 0.7, 0
    twice = Text("x x y")
    assert answered(by_head(twice, goal), Order()) == [0, 2, 1]
    assert answered(by_head_and_tail(twice, goal), Order()) == [1, 0, 2]
    # an unknown word for z: 0.9; for x: 0.2; for y: 0.6
    assert answered(by_replacing(text, goal), Order()) == [1, 2, 0]


@pytest.mark.parametrize(("edit", "edited"), [("substitute", 3), ("delete", 3), ("insert", 3), ("swap", 1)])
def test_edits_stop_at_the_distance_that_they_cost(edit: str, edited: int) -> None:
    victim = WordVictim({})
    text = Text("some words that never change I")
    run_attack([Example(0, text.text, 0)], victim, DeepWordBug("replace-1", edit, max_distance=3))
    (last,) = victim.calls[-1]
    assert sum(a != b for a, b in zip(Text(last).words, text.words, strict=True)) == edited


def test_what_cannot_be_edited_or_is_not_admitted_is_not_asked_about() -> None:
    for text, attacker in (("I a", DeepWordBug()), ("some words", DeepWordBug(max_distance=0))):
        victim = WordVictim({})
        outcome = run_attack([Example(0, text, 0)], victim, attacker)[0]
        assert (outcome.status, outcome.queries.asked) == ("failed", 1 + 2 * 2)


def test_unknown_scores_and_edits_are_refused() -> None:
    with pytest.raises(AttackError, match="no score 'x'; there are combined, replace-1, head, tail"):
        DeepWordBug("x")
    with pytest.raises(AttackError, match="no edit 'x'; there are substitute, swap, delete, insert"):
        DeepWordBug(edit="x")
    with pytest.raises(AttackError, match="no importance 'x'; there are deletion, masking"):
        GreedyDeepWordBug(importance="x")


def test_textattacks_algorithm_by_hand() -> None:
    victim = WordVictim({"good": -0.2, "day": -0.1, "ood": 0.05, "aday": 0.1})
    outcome = run_attack([Example(0, "plain, good on the day", 0)], victim, make_attacker("textattack:deepwordbug"))[0]
    assert victim.calls == [
        ["plain, good on the day"],
        # without "on" and "the": scores 0.2, 0.4, 0.3, so good, then day
        ["[UNK], good on the day", "plain, [UNK] on the day", "plain, good on the [UNK]"],
        # 0.4, 0.4, 0.45, 0.4
        ["plain, ogod on the day", "plain, aood on the day", "plain, ood on the day", "plain, agood on the day"],
        # the last one gives 0.65
        ["plain, ood on the ady", "plain, ood on the aay", "plain, ood on the ay", "plain, ood on the aday"],
        ["plain, ood on the aday"],
    ]
    assert (outcome.status, outcome.adversarial) == ("success", "plain, ood on the aday")
    asked = 1 + 3 + 4 + 4 + 1
    assert outcome.queries == Queries(asked, asked - 1, asked)


def test_the_greedy_algorithm_by_hand() -> None:
    victim = WordVictim({"good": -0.2, "day": -0.1, "ood": 0.05, "aday": 0.1})
    outcome = run_attack([Example(0, "the good day", 0)], victim, GreedyDeepWordBug())[0]
    assert victim.calls == [
        ["the good day"],
        ["good day", "the day", "the good"],  # deletion scores 0.2, 0.4, 0.3: good, then day
        ["the ogod day", "the aood day", "the ood day", "the agood day"],  # 0.4, 0.4, 0.45, 0.4
        ["the ood ady", "the ood aay", "the ood ay", "the ood aday"],  # the last one gives 0.65
        ["the ood aday"],
    ]
    assert (outcome.status, outcome.adversarial) == ("success", "the ood aday")
    assert outcome.queries.asked == 1 + 3 + 4 + 4 + 1


def test_a_word_whose_edits_bring_no_gain_is_left_alone() -> None:
    victim = WordVictim({"no1": -0.05, "up1": 0.1, "at1": 0.2}, base=0.2)
    outcome = run_attack([Example(0, "no1 up1 at1", 0)], victim, GreedyDeepWordBug())[0]
    # edits of "no1" raise P(1) from 0.45 to 0.5, those of "up1" and "at1" lower it again
    assert victim.calls[2:] == [
        ["on1 up1 at1", "ao1 up1 at1", "o1 up1 at1", "ano1 up1 at1"],
        ["on1 pu1 at1", "on1 ap1 at1", "on1 p1 at1", "on1 aup1 at1"],
        ["on1 up1 ta1", "on1 up1 t1", "on1 up1 aat1"],
    ]
    assert (outcome.status, outcome.queries.asked) == ("failed", 1 + 3 + 4 + 4 + 3)


def test_an_edit_that_changes_nothing_is_not_kept() -> None:
    victim = WordVictim({})
    run_attack([Example(0, "no1 up1", 0)], victim, GreedyDeepWordBug())
    assert victim.calls[3] == ["no1 pu1", "no1 ap1", "no1 p1", "no1 aup1"]


def test_stop_words_are_compared_as_they_stand() -> None:
    assert len(STOP_WORDS) == 198
    victim = WordVictim({})
    run_attack(
        [Example(0, "The end of the world isn't near", 0)], victim, GreedyDeepWordBug(importance="masking", stop_words=False)
    )
    assert victim.calls[1] == [
        "[UNK] end of the world isn't near",
        "The [UNK] of the world isn't near",
        "The end of the [UNK] isn't near",
        "The end of the world isn't [UNK]",
    ]


def test_a_text_of_stop_words_is_not_attacked() -> None:
    outcome = run_attack([Example(0, "it is what it is", 0)], WordVictim({}), GreedyDeepWordBug(stop_words=False))[0]
    assert (outcome.status, outcome.queries.asked) == ("failed", 1)


def test_the_edit_distance_is_bounded() -> None:
    victim = WordVictim({"nothing": 1.0})
    outcome = run_attack([Example(0, "several words nobody reads", 0)], victim, GreedyDeepWordBug(max_distance=0))[0]
    assert (outcome.status, outcome.queries.asked) == ("failed", 1 + 4)
    assert len(victim.calls) == 2


def test_the_victim_is_not_asked_about_a_text_that_a_constraint_refuses() -> None:
    examples, attacker = [Example(0, "plain, good day", 0)], DeepWordBug(max_distance=2)
    free, bound = WordVictim({"good": -0.3}, base=0.6), WordVictim({"good": -0.3}, base=0.6)
    edited = run_attack(examples, free, attacker)[0].adversarial
    outcome = run_attack(examples, bound, attacker, constraints=[EditDistanceAtMost(0)])[0]
    assert (outcome.status, outcome.adversarial) == ("failed", None)
    assert bound.sent == [text for text in free.sent if text != edited] != free.sent
