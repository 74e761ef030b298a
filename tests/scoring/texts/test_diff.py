from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.texts.diff import Span, word_diff


def test_whole_words_are_marked() -> None:
    diff = word_diff("the movie was great", "the film was great")
    assert diff.original == (Span("same", "the "), Span("delete", "movie"), Span("same", " was great"))
    assert diff.adversarial == (Span("same", "the "), Span("insert", "film"), Span("same", " was great"))
    assert (diff.summary, diff.replaced, diff.deleted, diff.inserted) == ("1 place changed", 1, 0, 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("misinformation", "mis\u200binformation"),
        ("misinformation", "misinformation\u200b"),
        ("Vaccines", "V\u0430ccines"),
        ("caf\xe9", "cafe\u0301"),
        ("don't", "dont"),
        ("good\ud800", "good\udfff"),
    ],
)
def test_a_change_of_one_character_marks_the_word(old: str, new: str) -> None:
    diff = word_diff(f"It is {old}, or not.", f"It is {new}, or not.")
    assert diff.original == (Span("same", "It is "), Span("delete", old), Span("same", ", or not."))
    assert diff.adversarial == (Span("same", "It is "), Span("insert", new), Span("same", ", or not."))


@pytest.mark.parametrize(
    ("old", "new", "summary", "words"),
    [
        ("a b", "a b", "no difference", (0, 0, 0)),
        ("", "", "no difference", (0, 0, 0)),
        ("one two three", "uno two tre", "2 places changed", (2, 0, 0)),
        ("a cat sat", "a c at sat", "1 place changed", (1, 0, 1)),
        ("reopen it at nine, said one", "re open it at nine, sa\u200bid one", "2 places changed", (2, 0, 1)),
        ("the quick brown fox", "the fast red fox", "1 place changed", (2, 0, 0)),
        ("mis\u200bled", "misled", "1 place changed", (1, 0, 0)),
        ("not a good film", "a good film", "1 place changed", (0, 1, 0)),
        ("a b c", "a  b c.", "2 places changed", (0, 0, 0)),
        ("", "new text", "1 place changed", (0, 0, 2)),
    ],
)
def test_the_summary_counts_places_and_the_counts_are_of_words(
    old: str, new: str, summary: str, words: tuple[int, int, int]
) -> None:
    diff = word_diff(old, new)
    assert (diff.summary, (diff.replaced, diff.deleted, diff.inserted)) == (summary, words)


@settings(max_examples=60, deadline=None)
@given(*[st.lists(st.sampled_from(["a", "bb", "a.", " ", "  ", "\n", "\u200b", "\ud83d", "'"]), max_size=12)] * 2)
def test_a_side_joined_is_that_side_and_the_common_parts_are_equal(old: list[str], new: list[str]) -> None:
    diff = word_diff("".join(old), "".join(new))
    assert "".join(span.text for span in diff.original) == "".join(old)
    assert "".join(span.text for span in diff.adversarial) == "".join(new)
    assert [s for s in diff.original if s.kind == "same"] == [s for s in diff.adversarial if s.kind == "same"]
    assert {s.kind for s in diff.original} <= {"same", "delete"}
    assert {s.kind for s in diff.adversarial} <= {"same", "insert"}
    assert all(span.text for span in (*diff.original, *diff.adversarial))


def test_long_texts_are_fast() -> None:
    rng = random.Random(0)
    words = ["".join(rng.choices("abcdefgh", k=4)) for _ in range(40_000)]
    old, new = " ".join(words[:20_000]), " ".join(words[20_000:])
    start = time.process_time()
    diff = word_diff(old, new)
    assert time.process_time() - start < 2
    assert "".join(span.text for span in diff.original) == old
