from __future__ import annotations

import pytest

from scoring.result import ScoringError
from scoring.texts.alignment import NOT_GENERATED, align, split


def test_fact_checking_is_cut_at_bare_tildes_and_aligned_to_the_nearest() -> None:
    assert align(split("A ~ B ~ C", "FC"), split("B ~ A", "FC")) == [("A ", " A"), (" B ", "B "), (" C", "B ")]


def test_propaganda_is_one_sentence() -> None:
    assert align(split("One. Two.", "PR"), split("Three.", "PR")) == [("One. Two.", "Three.")]


@pytest.mark.parametrize("task", ["HN", "RD", "C19"])
def test_documents_are_cut_into_sentences(task: str) -> None:
    assert split("The U.S. Senate met. Then it left.", task) == ["The U.S. Senate met.", "Then it left."]


def test_ties_go_to_the_first_and_extra_sentences_are_ignored() -> None:
    assert align(["ab"], ["ax", "ay", "zzzz"]) == [("ab", "ax")]


def test_distance_is_that_of_normalised_lower_cased_sentences() -> None:
    assert align(["hello , world"], ["hello , wxrld", "HELLO,WORLD"]) == [("hello , world", "HELLO,WORLD")]


def test_without_a_partner() -> None:
    assert align(["a", "b"], []) == [("a", NOT_GENERATED), ("b", NOT_GENERATED)]
    assert align([], ["a"]) == []


def test_an_unknown_task_is_named() -> None:
    with pytest.raises(ScoringError, match="Unknown task 'XY': it is one of PR, FC, HN, RD, C19"):
        split("a", "XY")
