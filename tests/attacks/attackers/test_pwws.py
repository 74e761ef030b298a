from __future__ import annotations

import numpy as np
import pytest

from attacks.attackers import PWWS
from attacks.attackers.pwws import _softmax
from attacks.engine import Example, run_attack
from attacks.text import Text
from tests.attacks.attackers.traces import trace
from tests.attacks.toys import Forbids, Listed, WordVictim

TABLE = {"good": ["fine", "nice"], "movie": ["film", "cinema"], "ended": ["closed"]}
WEIGHTS = {"good": -0.2, "movie": -0.1, "MOVIE": -0.1, "ended": -0.1, "fine": -0.15, "film": 0.12, "FILM": 0.12, "closed": -0.1}


def test_trace_by_hand() -> None:
    victim = WordVictim(WEIGHTS)
    outcome = run_attack([Example(0, "The good MOVIE ended.", 0)], victim, PWWS(substitutes=Listed(TABLE)))[0]
    assert victim.calls == [
        ["The good MOVIE ended."],  # P(1) = 0.1
        # saliencies: 0, 0.2, 0.1, 0.1
        ["unk good MOVIE ended.", "The unk MOVIE ended.", "The good unk ended.", "The good MOVIE unk."],
        # gains: 0.05 and 0.2 for good, 0.22 and 0.1 for movie, none for ended
        ["The fine MOVIE ended.", "The nice MOVIE ended.", "The good FILM ended.", "The good CINEMA ended.",
         "The good MOVIE closed."],
        # movie has the larger gain, but 0.2 · e^0.2 is more than 0.22 · e^0.1; the first text is known already
        ["The nice FILM ended."],
        ["The nice FILM ended."],  # verification
    ]  # fmt: skip
    assert (outcome.status, outcome.adversarial) == ("success", "The nice FILM ended.")
    assert outcome.queries.asked == 1 + 4 + 5 + 2 + 1


def test_saliency_decides_the_order() -> None:
    victim = WordVictim(WEIGHTS | {"awful": -1.0})
    found, asked = trace(PWWS(mask="awful", substitutes=Listed(TABLE)), "The good MOVIE ended.", victim)
    # with this mask all probabilities are 0 and all saliencies equal, so the larger gain comes first
    assert asked[2:] == [["The good FILM ended."], ["The nice FILM ended."]]
    assert found == "The nice FILM ended."


def test_a_replacement_that_breaks_a_constraint_beside_others_is_passed_over() -> None:
    class Together(Forbids):
        """Forbids two words together."""

        def check_pairs(self, originals, candidates):  # type: ignore[no-untyped-def]
            both = np.array([{"nice", "film"} <= set(Text(each).words) for each in candidates], dtype=bool)
            return both.astype(float), ~both

    victim = WordVictim({"good": -0.2, "fine": -0.15, "movie": -0.1, "old": -0.05, "film": 0.12, "ancient": 0.15})
    attacker = PWWS(substitutes=Listed(TABLE | {"old": ["ancient"]}))
    outcome = run_attack([Example(0, "good old movie", 0)], victim, attacker, constraints=[Together("")])[0]
    assert outcome.adversarial == "nice ancient movie"
    assert outcome.queries.asked == 1 + 3 + 5 + 2 + 1


def test_a_text_without_synonyms_fails_after_the_saliencies() -> None:
    assert trace(PWWS(substitutes=Listed({})), "a b", WordVictim({"a": -0.1})) == (None, [["unk b", "a unk"]])


def test_long_texts_are_asked_about_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    victim = WordVictim(WEIGHTS)
    whole = trace(PWWS(substitutes=Listed(TABLE)), "The good MOVIE ended.", victim)
    monkeypatch.setattr("attacks.attackers.words._CHARACTERS_AT_ONCE", 50)
    found, asked = trace(PWWS(substitutes=Listed(TABLE)), "The good MOVIE ended.", victim)
    assert [len(texts) for texts in asked] == [4, 2, 2, 1, 1, 1]
    assert (found, sum(asked, [])) == (whole[0], sum(whole[1], []))  # noqa: RUF017


def test_softmax() -> None:
    np.testing.assert_allclose(_softmax(np.log([1.0, 2.0, 5.0])), [0.125, 0.25, 0.625])
    assert _softmax(np.array([1000.0, 0.0])).tolist() == [1.0, 0.0]


def test_most_queries() -> None:
    assert PWWS(substitutes=Listed(TABLE)).most_queries(Text("The good movie ended")) == 1 + 4 + 5 + 3 + 1
    assert PWWS(keep="numbers", substitutes=Listed({"2": ["two"]})).most_queries(Text("2")) == 1 + 1 + 0 + 0 + 1
