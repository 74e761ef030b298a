from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from attacks import AttackError
from attacks.attackers.paraphrase import Paraphrase, pieces_of
from attacks.engine import Example, run_attack
from attacks.resources import Resources
from attacks.substitutes.paraphrases import Seq2SeqParaphrases, paraphraser_at
from attacks.text import Text
from tests.attacks.tiny_models import sentences
from tests.attacks.toys import WordVictim

TEXT = "A good movie.  We liked it! ~ See www.a.example now."


class Table:
    def __init__(self, table: dict[str, list[str]]) -> None:
        self.table = table

    def answer(self, questions: Sequence[str]) -> list[list[str]]:
        return [self.table.get(question, []) for question in questions]

    def describe(self) -> dict[str, Any]:
        return {"name": "table"}


def test_trace_by_hand() -> None:
    table = {
        "A good movie.": ["A fine film.", "A nice film."],
        "We liked it!": ["It pleased us!", "It ~ pleased us!"],
        "See www.a.example now.": ["See it now.", "Now see www.a.example"],
    }
    victim = WordVictim({"good": -0.2, "liked": -0.1, "fine": -0.1, "Now": 0.2}, base=0.5)
    outcome = run_attack([Example(0, TEXT, 0)], victim, Paraphrase(paraphrases=Table(table), constraints=()))[0]
    assert victim.calls == [
        [TEXT],  # P(1) = 0.2; without the sentences 0.4, 0.3 and 0.2
        ["  We liked it! ~ See www.a.example now.", "A good movie.   ~ See www.a.example now.", "A good movie.  We liked it! ~ "],
        ["A fine film.  We liked it! ~ See www.a.example now.", "A nice film.  We liked it! ~ See www.a.example now."],
        # the separator came in, so it is not asked about
        ["A nice film.  It pleased us! ~ See www.a.example now."],
        # the address was lost
        ["A nice film.  It pleased us! ~ Now see www.a.example"],
        ["A nice film.  It pleased us! ~ Now see www.a.example"],
    ]
    assert (outcome.status, outcome.queries.asked) == ("success", 1 + 3 + 2 + 1 + 1 + 1)


def test_pieces_are_the_text_again() -> None:
    assert pieces_of(TEXT) == ["", "A good movie.", "  ", "We liked it!", " ~ ", "See www.a.example now.", ""]
    for text in ("", " \n", "word", "?! ~ — ", "One. ... Two\n\nThree ~~ four."):
        assert "".join(pieces_of(text)) == text


def test_a_trained_model_paraphrases_alike_in_any_company(resources: Resources) -> None:
    source = Seq2SeqParaphrases(str(resources.paraphraser), 3)
    passages = sentences(6, seed=9)
    together = source.answer(passages)
    assert all(together)
    assert [source.answer([passage])[0] for passage in passages] == together
    assert source.answer(["movie " * 300]) == [[]]
    attacker = Paraphrase.made_with(resources, count=3)
    attacker.constraints = ()
    outcome = run_attack([Example(0, passages[0], 0)], WordVictim({}), attacker)[0]
    assert 2 < outcome.queries.asked <= attacker.most_queries(Text(passages[0]))


def test_what_is_no_model_is_told() -> None:
    with pytest.raises(AttackError, match="no paraphraser was given"):
        Paraphrase().describe()
    for place in ("http://localhost:1", "@http://localhost:1", "http://user:word@localhost:1"):
        with pytest.raises(AttackError, match="say which model paraphrases, and where: NAME@URL"):
            paraphraser_at(place, 3)
    with pytest.raises(AttackError, match="is no address of a server"):
        paraphraser_at("small@ftp://localhost", 3)
    with pytest.raises(AttackError, match="at least one paraphrase"):
        Seq2SeqParaphrases("folder", 0)
