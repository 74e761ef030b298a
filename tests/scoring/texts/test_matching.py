from __future__ import annotations

import Levenshtein
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.texts.matching import of_tokens, opcodes, same_and_changed

TEXTS = st.text("ab c\ud800", max_size=40)


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS, st.integers(2, 12))
@example(" abcaa", "   ac", 4)
def test_the_operations_make_the_second_of_the_first_whatever_the_window(first: str, second: str, window: int) -> None:
    made, a_done, c_done, before = "", 0, 0, ""
    for operation, a, b, c, d in opcodes(first, second, window=window):
        assert (a, c) == (a_done, c_done)
        assert operation != before
        assert {"equal": first[a:b] == second[c:d], "replace": b - a == d - c, "delete": c == d, "insert": a == b}[operation]
        made += first[a:b] if operation == "equal" else second[c:d]
        a_done, c_done, before = b, d, operation
    assert (made, a_done, c_done) == (second, len(first), len(second))


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS)
def test_within_one_window_they_are_the_fewest(first: str, second: str) -> None:
    changed = sum(max(b - a, d - c) for operation, a, b, c, d in opcodes(first, second) if operation != "equal")
    assert changed == Levenshtein.distance(first, second)


def test_a_common_beginning_and_end_take_no_window() -> None:
    head, tail = "abc" * 5_000, "xyz" * 5_000
    assert opcodes(head + "1" + tail, head + "22" * 600 + tail, window=4)[0] == ("equal", 0, 15_000, 0, 15_000)
    assert opcodes(head + "1" + tail, head + tail, window=4) == [
        ("equal", 0, 15_000, 0, 15_000),
        ("delete", 15_000, 15_001, 15_000, 15_000),
        ("equal", 15_001, 30_001, 15_000, 30_000),
    ]


def test_tokens_are_compared_whole() -> None:
    assert of_tokens(["the", " ", "cat"], ["the", " ", "cut"]) == [("equal", 0, 2, 0, 2), ("replace", 2, 3, 2, 3)]


@pytest.mark.parametrize(
    ("old", "new", "runs"),
    [
        ([], [], []),
        (["a"], ["a"], [(True, 0, 1, 0, 1)]),
        (["a", "b", "x"], ["b", "x", "c"], [(False, 0, 1, 0, 0), (True, 1, 3, 0, 2), (False, 3, 3, 2, 3)]),
    ],
)
def test_equal_and_changed_runs_alternate(old: list[str], new: list[str], runs: list[tuple[bool, int, int, int, int]]) -> None:
    assert list(same_and_changed(old, new)) == runs
