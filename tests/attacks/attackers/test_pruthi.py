from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from attacks import AttackError
from attacks.attackers.pruthi import Pruthi
from attacks.engine import Example, Queries, lockstep, run_attack
from attacks.text import Text
from tests.attacks.toys import Always0, WordVictim


@pytest.fixture(autouse=True)
def always_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockstep, "generator_of", lambda seed, id: Always0())


def test_one_round_by_hand() -> None:
    victim = WordVictim({"good": -0.2, "gold": 0.3}, base=0.6)
    outcome = run_attack([Example(0, "a good one, with end", 0)], victim, Pruthi())[0]
    # "a", "one" and "end" are short, "with" is a stop word; both omissions give the same word
    misspelt = ["god", "gaood", "goaod", "giod", "gpod", "gkod", "glod", "goid", "gopd", "gokd", "gold"]
    assert victim.calls == [
        ["a good one, with end"],
        [f"a {word} one, with end" for word in misspelt],
        ["a gold one, with end"],
    ]
    assert (outcome.status, outcome.adversarial) == ("success", "a gold one, with end")
    assert outcome.queries == Queries(1 + 11 + 1, 12, 13)


def test_a_second_round_misspells_another_word() -> None:
    victim = WordVictim({}, base=0.9)
    words = Text("bold, fine")
    outcome = run_attack([Example(0, words.text, 1)], victim, Pruthi(edits=3))[0]
    assert outcome.status == "failed"
    first, second, *third = victim.calls[1:]
    assert {tuple(a != b for a, b in zip(Text(text).words, words.words, strict=True)) for text in first} == {
        (True, False),
        (False, True),
    }
    # nothing brings the text nearer, so the first misspelling stays; the other word is misspelt in every way
    assert len({Text(text).words[1] for text in second}) == len(second)
    assert {Text(text).words[0] for text in second} == {Text(first[0]).words[0]}
    assert third == []  # no word is left


class DeadEnd:
    """ "list" is the best single misspelling of "lost find", but only the second best, "loat", leads on."""

    name = sha256 = "dead-end"

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        values = {"list": 0.3, "loat": 0.2}
        words = [Text(text).words for text in texts]
        positive = [0.9 if w == ["loat", "fond"] else max(values.get(each, 0.1) for each in w) for w in words]
        return np.array([[1 - p, p] for p in positive])


def test_more_beams_keep_more_texts() -> None:
    text = "lost find"
    narrow, wide = (run_attack([Example(0, text, 0)], DeadEnd(), Pruthi(edits=2, beam=beam))[0] for beam in (1, 2))
    assert (narrow.status, wide.status, wide.adversarial) == ("failed", "success", "loat fond")
    assert narrow.queries.asked < wide.queries.asked <= Pruthi(edits=2, beam=2).most_queries(Text(text))


@pytest.mark.parametrize(("edits", "beam"), [(0, 1), (1, 0)])
def test_no_edits_or_beams_are_refused(edits: int, beam: int) -> None:
    with pytest.raises(AttackError, match=f"at least one edit and one beam, not {edits} and {beam}"):
        Pruthi(edits, beam)


def test_every_beam_of_every_later_round_counts_in_the_bound() -> None:
    text = Text("bold, fine coat")
    of_one_text = Pruthi().most_queries(text) - 2
    assert Pruthi(edits=3, beam=4).most_queries(text) == 1 + (1 + 2 * 4) * of_one_text + 1
