"""The second-order search on a constraint whose every answer can be worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attacks.robustness.damage import Glued
from attacks.robustness.search import Spoiled, spoil
from attacks.text import Text

COSTS = {"A": 5.0, "B": 1.0, "C": 3.0, "D": 4.0}


class Capitals:
    """Spoils a lower-case letter by writing it as a capital."""

    name, reach = "capital", (0,)

    def at(self, text: Text, index: int, rng: np.random.Generator) -> list[Text]:
        word = text.word(index)
        return [text.replace(index, word.upper())] if word.islower() else []


class Pairs(Capitals):
    """After which the neighbours must stay."""

    reach = (-1, 0, 1)


def cheap(originals: Sequence[str], candidates: Sequence[str]) -> np.ndarray:
    """Readier the cheaper the capitals are; "A" and "B" together cost nothing."""
    return np.array([0.0 if {"A", "B"} <= set(new) else -sum(COSTS.get(letter, 0.0) for letter in new) for new in candidates])


def test_the_best_of_a_wide_beam_and_of_a_narrow_one() -> None:
    (wide,) = spoil([(7, "a b c d")], cheap, [Capitals()], wanted=2, beam=4)
    assert wide == Spoiled(7, "a b c d", "A B c d", 0.0, ("capital", "capital"))
    # only "B" is left after the first step, from which "A" is one step away; from "C" it would not be
    (narrow,) = spoil([(7, "a c d")], cheap, [Capitals()], wanted=2, beam=1)
    assert narrow == Spoiled(7, "a c d", "a C D", -7.0, ("capital", "capital"))


def test_what_lies_in_reach_stays() -> None:
    (found,) = spoil([(0, "a b c d")], cheap, [Pairs()], wanted=2)
    assert found.text == "a B c D"


def test_a_glued_word_is_not_glued_again() -> None:
    def any_text(originals: Sequence[str], candidates: Sequence[str]) -> np.ndarray:
        return np.zeros(len(candidates))

    assert spoil([(0, "ab cd ef")], any_text, [Glued()], wanted=2) == [Spoiled(0, "ab cd ef")]
    (found,) = spoil([(0, "ab cd ef gh")], any_text, [Glued()], wanted=2)
    assert found.text == "abcd efgh"


def test_a_text_of_too_few_words_has_no_second_order_text() -> None:
    assert spoil([(0, "a"), (1, ""), (2, "a b")], cheap, [Capitals()], wanted=2) == [
        Spoiled(0, "a"), Spoiled(1, ""), Spoiled(2, "a b", "A B", 0.0, ("capital", "capital")),
    ]  # fmt: skip


def test_what_comes_of_an_example_does_not_depend_on_the_others() -> None:
    texts = [(id, " ".join(np.random.default_rng(id).choice(list("abcdefgh"), 30))) for id in range(6)]
    together = spoil(texts, cheap, [Capitals()], wanted=3, most=5, seed=1)
    assert together == [spoil([text], cheap, [Capitals()], wanted=3, most=5, seed=1)[0] for text in texts]
    assert together != spoil(texts, cheap, [Capitals()], wanted=3, most=5, seed=2)


def test_no_more_texts_are_asked_about_than_allowed() -> None:
    asked: list[int] = []

    def counting(originals: Sequence[str], candidates: Sequence[str]) -> np.ndarray:
        asked.append(len(candidates))
        return cheap(originals, candidates)

    spoil([(0, "a b c d e f g h i j k l")], counting, [Capitals()], wanted=2, beam=3, most=4)
    assert asked[0] == 4
    assert asked[1] <= 12


def test_only_texts_that_read_well_enough_are_spoiled_further() -> None:
    """The best pair "A B" starts from "A" or "B"; where neither reads well, "C" is first, then "D"."""
    asked: list[int] = []

    def fluent(originals: Sequence[str], candidates: Sequence[str]) -> np.ndarray:
        asked.append(len(candidates))
        return np.array([not {"A", "B"} & set(new) for new in candidates])

    (found,) = spoil([(0, "a b c d")], cheap, [Capitals()], wanted=2, beam=1, fluent=fluent)
    assert found == Spoiled(0, "a b c d", "a b C D", -7.0, ("capital", "capital"))
    # by readiness B, C, then, from C, B (read badly), D; one a time, as many as the beam holds
    assert asked == [1, 1, 1, 1]
    assert spoil([(0, "a b")], cheap, [Capitals()], wanted=1, fluent=fluent) == [Spoiled(0, "a b")]


def test_of_two_ways_to_one_text_the_first_is_told() -> None:
    class Again(Capitals):
        name = "again"

    (found,) = spoil([(0, "a")], cheap, [Capitals(), Again()], wanted=1)
    assert found.damages == ("capital",)


def test_no_more_are_spoiled_further_than_the_beam_holds_where_some_read_badly() -> None:
    asked: list[int] = []

    def counting(originals: Sequence[str], candidates: Sequence[str]) -> np.ndarray:
        asked.append(len(candidates))
        return cheap(originals, candidates)

    def fluent(originals: Sequence[str], candidates: Sequence[str]) -> np.ndarray:
        return np.array(["B" not in new for new in candidates])

    spoil([(0, "a b c d")], counting, [Capitals()], wanted=2, beam=2, fluent=fluent)
    assert asked == [4, 5]  # from "C" and "D", which share a text; with "A" it would be six


def test_a_spoiled_text_is_written_and_read_back() -> None:
    for each in (Spoiled(1, "a"), Spoiled(1, "a b", "A b", -5.0, ("capital",))):
        assert Spoiled.from_dict(each.as_dict()) == each
