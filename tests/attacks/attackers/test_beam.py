from __future__ import annotations

import pytest

from attacks.attackers import Beam
from attacks.engine import Example, run_attack
from attacks.errors import AttackError
from attacks.text import Text
from tests.attacks.attackers.traces import trace
from tests.attacks.toys import Listed, WordVictim

TABLE = {"good": ["fine", "goods", "great"], "old": ["ancient"]}


def test_trace_by_hand() -> None:
    weights = {"Good": -0.2, "Fine": -0.1, "old": -0.1, "ancient": 0.05}
    victim = WordVictim(weights)
    outcome = run_attack([Example(0, "Good,  old movie", 0)], victim, Beam(2, 2, substitutes=Listed(TABLE)))[0]
    assert victim.calls == [
        ["Good,  old movie"],  # P(1) = 0.2
        [",  old movie", "Good,  movie", "Good,  old"],  # 0.4, 0.3, 0.2: good, then old
        ["Fine,  old movie", "Goods,  old movie"],  # 0.3 and 0.4; the third substitute is one too many; removed is known: 0.4
        # from Goods and from the text without it, both better than the original and Fine
        ["Goods,  ancient movie", "Goods,  movie", ",  ancient movie", ",  movie"],  # 0.55, 0.5, 0.55, 0.5
        ["Goods,  ancient movie"],  # of the two that reach the goal the one that is nearer in characters
    ]
    assert outcome.adversarial == "Goods,  ancient movie"
    assert outcome.queries.asked == 1 + 3 + 3 + 4 + 1


def test_a_word_is_kept_where_every_change_is_worse() -> None:
    victim = WordVictim({"good": -0.1, "bad": -0.3, "old": -0.05, "ancient": 0.3}, base=0.4)
    attacker = Beam(1, remove=False, substitutes=Listed({"good": ["bad"], "old": ["ancient"]}))
    assert trace(attacker, "good old", victim) == ("good ancient", [["old", "good"], ["bad old"], ["good ancient"]])


def test_the_last_word_is_never_removed() -> None:
    victim = WordVictim({"a": -0.1, "b": -0.2})
    found, asked = trace(Beam(5, substitutes=Listed({})), "a b", victim)
    assert (found, asked) == (None, [["b", "a"], ["a"], ["b"]])


def test_words_that_stay_are_neither_replaced_nor_removed() -> None:
    victim = WordVictim({"2": -0.3, "b": -0.1})
    found, asked = trace(Beam(keep="numbers", substitutes=Listed({"2": ["3"]})), "2 b c", victim)
    assert found is None
    assert all("2" in text for texts in asked[1:] for text in texts)


def test_words_keep_their_place_when_others_are_removed() -> None:
    victim = WordVictim({"a": -0.2, "b": -0.05, "c": -0.1, "C": 0.1})
    found, asked = trace(Beam(1, substitutes=Listed({"c": ["C"]})), "a b c", victim)
    assert asked[1:] == [["b c"], ["b C", "b"]]
    assert found == "b C"


def test_most_queries() -> None:
    assert Beam(3, 10).most_queries(Text("a b")) == 1 + 2 + 3 * 11 * 2 + 1
    assert Beam(3, 10, remove=False).most_queries(Text("a b")) == 1 + 2 + 3 * 10 * 2 + 1


def test_a_beam_without_width_is_refused() -> None:
    with pytest.raises(AttackError, match="a beam needs a width of at least 1 and a count of at least 0, not 0 and 10"):
        Beam(0)
