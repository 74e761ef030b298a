"""Words that nobody knows."""

from __future__ import annotations

import pytest

from regressors.features.spelling import is_cut, is_glued, is_misspelt, is_strange


@pytest.mark.parametrize(
    ("word", "strange"),
    [
        ("zorblaxq", True),
        ("ously", True),  # which the web holds, cut off
        ("wherethe", True),
        ("the", False),
        ("bridges", False),
        ("lugubrious", False),  # rare, but in the dictionary
        ("whilst", False),  # in no such dictionary, but common
        ("n0vel", False),
        ("don't", False),
        ("", False),
    ],
)
def test_strange_words(word: str, strange: bool) -> None:
    assert is_strange(word) is strange


@pytest.mark.parametrize(
    ("word", "misspelt"),
    [
        ("bridgq", True),  # another letter
        ("briidge", True),  # one more
        ("brdge", True),  # one less
        ("birdge", True),  # two swapped
        ("rdbige", False),  # further off
        ("zorblaxq", False),
        ("qqx", False),  # too short to tell
        ("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", False),
    ],
)
def test_words_one_edit_from_a_common_one(word: str, misspelt: bool) -> None:
    assert is_misspelt(word) is misspelt


@pytest.mark.parametrize(
    ("word", "cut"), [("ously", True), ("unbeliev", True), ("lates", True), ("believx", False), ("xously", False), ("ous", False)]
)
def test_beginnings_and_ends_of_common_words(word: str, cut: bool) -> None:
    assert is_cut(word) is cut


@pytest.mark.parametrize(
    ("word", "glued"),
    [
        ("thebridge", True),
        ("ofthe", True),
        ("filmwas", True),
        ("zthebridge", False),
        ("bridgez", False),
        ("jbridge", False),  # a part of one letter is none
        ("xy", False),
        ("", False),
    ],
)
def test_two_common_words_without_a_space(word: str, glued: bool) -> None:
    assert is_glued(word) is glued
