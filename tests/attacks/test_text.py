from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attacks.text import Text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("?! … — ~", []),
        ("Don't panic!", ["Don't", "panic"]),
        ("It’s a well-known x", ["It’s", "a", "well-known", "x"]),
        ("cafe\u0301 naïve Straße", ["cafe\u0301", "naïve", "Straße"]),
        ("claim ~ evidence", ["claim", "evidence"]),
        ("see https://a.example/x?y=z, or www.b.example now", ["see", "or", "now"]),
        ("vac\u200bcines 2,000", ["vac", "cines", "2", "000"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert Text(text).words == words


@pytest.mark.parametrize(
    ("text", "index", "without"),
    [
        ("a b c", 0, "b c"),
        ("a b c", 1, "a c"),
        ("a b c", 2, "a b"),
        ("a, b  c", 1, "a, c"),
        ("Yes, sir!", 1, "Yes,!"),
        ("one", 0, ""),
        ("a\nb\n", 0, "b\n"),
    ],
)
def test_without_takes_one_run_of_spaces_along(text: str, index: int, without: str) -> None:
    assert Text(text).without(index).text == without


def test_replace_keeps_everything_else() -> None:
    text = Text("  The  “VACCINE”\twas\u00a0safe…\n")
    assert text.replace(1, "jab").text == "  The  “jab”\twas\u00a0safe…\n"


def test_words_keep_their_index_over_edits_that_split_or_empty_them() -> None:
    text = Text("one two three").replace(1, "t w o")
    assert text.words == ["one", "t w o", "three"]
    assert text.replace(1, "").words == ["one", "", "three"]
    assert text.replace(1, "").replace(2, "X").text == "one  X"


def test_several_words_are_replaced_at_once() -> None:
    text = Text("The  “VACCINE”, see https://a.example/x now.")
    changed = text.replace_each({3: "later", 1: "jab shot"})
    assert changed.text == "The  “jab shot”, see https://a.example/x later."
    assert changed.words == ["The", "jab shot", "see", "later"]
    assert changed.edited_from is text
    assert changed.spans == text.replace(1, "jab shot").replace(3, "later").spans
    assert text.replace_each({}) is text


def test_an_emptied_word_leaves_the_others_their_index() -> None:
    text = Text("a, b  c d")
    emptied = text.emptied(1)
    assert (emptied.text, emptied.words) == ("a, c d", ["a", "", "c", "d"])
    assert emptied.replace(2, "x").replace(0, "y").text == "y, x d"
    assert emptied.emptied(3).emptied(2).words == ["a", "", "", ""]
    assert max(emptied.emptied(3).emptied(2).spans) == (2, 2)
    for index in range(4):
        assert text.emptied(index).text == text.without(index).text


def test_path_leads_from_the_original() -> None:
    first = Text("a b")
    last = first.replace(0, "x").replace(1, "y")
    assert [step.text for step in last.path()] == ["a b", "x b", "x y"]


def test_deletions_are_made_only_when_looked_at() -> None:
    deletions = Text("a b c").without_each()
    assert len(deletions) == 3
    assert deletions[-1] == Text("a b")
    assert [text.text for text in deletions] == [text.text for text in deletions[0:3]] == ["b c", "a c", "a b"]


def test_what_stands_before_and_after_each_word() -> None:
    text = Text("“Yes,  sir” he said")
    assert [before.text for before in text.before_each()] == ["“", "“Yes,", "“Yes,  sir”", "“Yes,  sir” he"]
    assert [after.text for after in text.after_each()] == [",  sir” he said", "” he said", "said", ""]


def test_words_are_joined_only_over_spaces() -> None:
    text = Text("he  said ~ so, at www.a.example once\nmore time")
    assert [None if (joined := text.joined(i)) is None else joined.text for i in range(-1, 9)] == [
        None,  # there is no such word
        "hesaid ~ so, at www.a.example once\nmore time",
        None,  # ~
        None,  # a comma
        None,  # an address
        None,  # a new line
        "he  said ~ so, at www.a.example once\nmoretime",
        None,  # the last word
        None,
        None,
    ]
    once = text.joined(0)
    assert once is not None and once.joined(0) is None
    assert once.words == text.words == [once.word(i) for i in range(len(text.words))]


def test_each_word_is_masked_in_turn() -> None:
    assert [text.text for text in Text("a, b c").masked_each("unk")] == ["unk, b c", "a, unk c", "a, b unk"]


def test_one_text_for_each_of_some_words() -> None:
    text = Text("a b c d")
    assert [each.text for each in text.without_each([3, 1])] == ["a b c", "a c d"]
    masked = text.masked_each("_", [2, 0])
    assert (len(masked), masked[-1].text, [each.text for each in masked[:1]]) == (2, "_ b c d", ["a b _ d"])


def test_negative_index_counts_from_the_end() -> None:
    assert Text("a b c").replace(-1, "long").words == ["a", "b", "long"]


@given(st.text(max_size=40), st.data())
def test_replacing_a_word_by_itself_changes_nothing(text: str, data: st.DataObject) -> None:
    original = Text(text)
    if original.words:
        i = data.draw(st.integers(0, len(original.words) - 1))
        same = original.replace(i, original.words[i])
        assert (same.text, same.words) == (text, original.words)
        assert len(original.without(i).text) < len(text)
