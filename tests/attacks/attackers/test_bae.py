from __future__ import annotations

from typing import Any

import pytest

from attacks import AttackError
from attacks.attackers.bae import BAE
from attacks.engine import Example, Outcome, Queries, run_attack
from attacks.resources import Resources
from attacks.text import Text
from tests.attacks.attackers.test_textfooler import Similarity
from tests.attacks.toys import MaskedToy, WordVictim

LIKELY = {
    "good": ["fine", "quickly", "nice", "the"],
    "movie": ["film", "ran"],
    "film": ["cinema"],
    "": ["old", "not", "grey"],
}
"""By word that is masked; "" is what may be put in anywhere."""


def bae(mode: Any = "R", losses: dict[str, float] | None = None, **options: Any) -> BAE:
    return BAE(mode, predictor=MaskedToy(LIKELY), constraints=(Similarity(losses or {}),), **options)


def attack(attacker: BAE, weights: dict[str, float], base: float = 0.4) -> tuple[Outcome, list[list[str]]]:
    victim = WordVictim(weights, base=base)
    return run_attack([Example(0, "the good movie", 0)], victim, attacker)[0], victim.calls


@pytest.mark.parametrize("first", ["constraints", "victim"])
def test_replacing_by_hand(first: Any) -> None:
    outcome, calls = attack(bae(first=first, losses={"nice": 0.3}), {"good": -0.1, "fine": 0.05, "nice": 0.06, "film": -0.1})
    assert calls == [
        ["the good movie"],
        ["good movie", "the movie", "the good"],  # P(1): 0.3, 0.4, 0.3
        # quickly is no adjective, "the" a function word, nice too unlike
        ["the fine movie"] if first == "constraints" else ["the fine movie", "the nice movie"],
        # ran is no noun, and film brings nothing
        ["the fine film"],
    ]
    assert (outcome.status, outcome.queries.asked) == ("failed", 1 + 3 + len(calls[2]) + 1)


def test_inserting_by_hand() -> None:
    outcome, calls = attack(bae("I"), {"good": -0.1, "old": 0.11, "grey": 0.05})
    assert calls[2:] == [
        ["the old good movie", "the grey good movie", "the good old movie", "the good grey movie"],
        # each word of the text so far has its turn; "the" is a function word, but something may stand beside it
        ["old the old good movie", "grey the old good movie", "the old old good movie", "the grey old good movie"],
        ["old the old good movie"],
    ]  # fmt: skip
    assert outcome.adversarial == "old the old good movie"
    assert outcome.queries == Queries(1 + 3 + 4 + 4 + 1, 12, 13)


def test_either_by_hand() -> None:
    _, calls = attack(bae("R/I"), {"good": -0.1, "old": 0.03, "fine": 0.05}, base=0.3)
    assert calls[2] == [
        "the fine movie", "the nice movie",
        "the old good movie", "the grey good movie", "the good old movie", "the good grey movie",
    ]  # fmt: skip
    # fine came nearest; then "the", with nothing to replace it
    assert calls[3] == ["old the fine movie", "grey the fine movie", "the old fine movie", "the grey fine movie"]


def test_one_then_the_other_by_hand() -> None:
    outcome, calls = attack(bae("R+I"), {"good": -0.1, "fine": 0.05, "old": 0.06})
    assert calls[2] == ["the fine movie", "the nice movie"]
    assert calls[3] == ["the old fine movie", "the grey fine movie", "the fine old movie", "the fine grey movie"]
    assert outcome.adversarial == "the old fine movie"
    assert outcome.queries.asked == 1 + 3 + 2 + 4 + 1


@pytest.mark.parametrize("first", ["constraints", "victim"])
def test_of_several_successes_the_most_similar_wins(first: Any) -> None:
    outcome, _ = attack(bae(first=first, losses={"fine": 0.1}), {"good": -0.1, "fine": 0.4, "nice": 0.3})
    assert outcome.adversarial == "the nice movie"


def test_masks_are_put_into_the_text_so_far() -> None:
    attacker = bae("R+I")
    attack(attacker, {"good": -0.1, "fine": 0.05, "movie": -0.05, "film": 0.01}, base=0.2)
    toy = attacker.model
    assert isinstance(toy, MaskedToy)
    assert [(blank.text, blank.start, blank.end) for blank in toy.asked[:6]] == [
        ("the good movie", 4, 8), ("the fine movie", 4, 4), ("the fine movie", 8, 8),
        ("the fine movie", 9, 14), ("the fine film", 9, 9), ("the fine film", 13, 13),
    ]  # fmt: skip


@pytest.mark.parametrize("mode", ["R", "I", "R/I", "R+I"])
def test_by_a_trained_model(mode: Any, resources: Resources) -> None:
    attacker = BAE.made_with(resources, mode=mode, count=5)
    attacker.constraints = ()
    text = "The new movie was good."
    victim = WordVictim({"movie": -0.3, "film": 0.05, "story": 0.04}, base=0.4)
    outcome = run_attack([Example(0, text, 0)], victim, attacker)[0]
    assert outcome.queries.asked <= attacker.most_queries(Text(text))
    lengths = {len(Text(asked).words) for asked in victim.sent}
    assert lengths == {4, 5} if mode == "R" else lengths >= {4, 5, 6}
    assert ("The film was good." in {asked.replace("new ", "").replace("old ", "") for asked in victim.sent}) == (mode != "I")


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(AttackError, match=r"'RI' is no mode of BAE; there are R, I, R/I, R\+I"):
        BAE("RI")  # type: ignore[arg-type]
    with pytest.raises(AttackError, match="'encoder' cannot be asked first"):
        BAE(first="encoder")  # type: ignore[arg-type]
