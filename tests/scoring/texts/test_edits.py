from __future__ import annotations

import csv
import os
import random
import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.texts.edit_kinds import KINDS, MEANINGS, Edit
from scoring.texts.edits import apply_edits, edit_counts, typed_edits
from scoring.texts.entities import EntityFinder

Short = tuple[str, str, str]


def edits_of(original: str, modified: str) -> list[Short]:
    edits = typed_edits(original, modified)
    assert apply_edits(original, edits) == modified
    return [(edit.kind, edit.original, edit.modified) for edit in edits]


@pytest.mark.parametrize(
    ("original", "modified", "expected"),
    [
        ("Vaccines are safe.", "V\u0430ccines are safe.", [("homoglyph", "a", "\u0430")]),
        ("little dorrit", "little \U0001d437orrit", [("homoglyph", "d", "\U0001d437")]),
        ("pay", "\u0440\u0430\u0443", [("homoglyph", "p", "\u0440"), ("homoglyph", "a", "\u0430"), ("homoglyph", "y", "\u0443")]),
        ("say hello", "say h3llo", [("homoglyph", "e", "3")]),
        ("a good harvest", "a g00d harvest", [("homoglyph", "o", "0"), ("homoglyph", "o", "0")]),
        ("a g00d harvest", "a good harvest", [("homoglyph", "0", "o"), ("homoglyph", "0", "o")]),
        ("a good harvest", "a g00d5 harvest", [("homoglyph", "o", "0"), ("homoglyph", "o", "0"), ("letter_inserted", "", "5")]),
        ("the bank", "the b4nk", [("homoglyph", "a", "4")]),
        ("so lol", "so l0l", [("homoglyph", "o", "0")]),
        ("it is", "1t 1s", [("homoglyph", "i", "1"), ("homoglyph", "i", "1")]),
        ("of an eel", "0f an 33l", [("homoglyph", "o", "0"), ("homoglyph", "e", "3"), ("homoglyph", "e", "3")]),
        ("a boo", "a b00", [("homoglyph", "o", "0"), ("homoglyph", "o", "0")]),
        ("had two cats", "had tw0 cats", [("homoglyph", "o", "0")]),
        ("it is not so", "it is n0t so", [("homoglyph", "o", "0")]),
        ("it is no cat", "it is n0 cat", [("homoglyph", "o", "0")]),
        ("a resume", "a r\xe9sume", [("homoglyph", "e", "\xe9")]),
        ("caf\xe9 society", "cafe\u0301 society", [("homoglyph", "\xe9", "e"), ("homoglyph", "", "\u0301")]),
        ("This is misinformation.", "This is mis\u200binformation.", [("invisible", "", "\u200b")]),
        ("mis\u200b\u200dtake", "mistake", [("invisible", "\u200b\u200d", "")]),
        ("the end", "the end \u200b", [("invisible", "", " \u200b")]),
        ("good\ud800", "good\udfff", [("invisible", "\ud800", "\udfff")]),
        ("a clean room", "a c lean room", [("split", "", " ")]),
        ("very clean room", "ve ry c lean room", [("split", "", " "), ("split", "", " ")]),
        ("a lot of it", "alot of it", [("join", " ", "")]),
        ("is a cat", "i sa cat", [("split", "", " "), ("join", " ", "")]),
        ("a b", "a  b", [("spacing", " ", "  ")]),
        ("x\xa0y", "x y", [("spacing", "\xa0", " ")]),
        ("a, b", "a ,b", [("spacing", ", ", " ,")]),
        ("c. d", "c . d", [("spacing", "", " ")]),
        ("the room", "teh room", [("swap", "he", "eh")]),
        ("aab", "aba", [("swap", "ab", "ba")]),
        ("unfriendly letter", "unfreindly lettre", [("swap", "ie", "ei"), ("swap", "er", "re")]),
        ("a humble man", "a humbles man", [("letter_inserted", "", "s")]),
        ("a humble man", "a humbe man", [("letter_deleted", "l", "")]),
        ("a humble man", "a hamble man", [("letter_substituted", "u", "a")]),
        ("HELLO World", "hello world", [("case", "HELLO", "hello"), ("case", "W", "w")]),
        ("They don't care", "They dont care", [("punctuation", "'", "")]),
        ("well known", "well-known", [("punctuation", " ", "-")]),
        ("Really?! Yes.", "Really!? Yes.", [("punctuation", "?!", "!?")]),
        ("Hi!", "Hi!!!", [("punctuation", "", "!!")]),
        ("He had 3 cats", "He had 5 cats", [("number", "3", "5")]),
        ("in 1990", "in 1991", [("number", "1990", "1991")]),
        ("had two cats", "had four cats", [("number", "two", "four")]),
        ("was 2 years old", "was caps years old", [("number", "2", "caps")]),
        ("one two three", "one three", [("number", "two ", "")]),
        ("the 2nd day", "the 3rd day", [("number", "2nd", "3rd")]),
        ("a fast day", "a 2nd day", [("number", "fast", "2nd")]),
        ("it cost 5kg", "it cost 5 kg", [("split", "", " ")]),
        ("the G8 met", "the G7 met", [("number", "G8", "G7")]),
        ("on a low day", "on a 10s day", [("number", "low", "10s")]),
        ("a cat", "4 cat", [("number", "a", "4")]),
        ("I saw Obama today", "I saw Merkel today", [("named_entity", "Obama", "Merkel")]),
        ("the movie was great", "the film was great", [("word_replaced", "movie", "film")]),
        ("it isn't so", "it is so", [("word_replaced", "isn't", "is")]),
        ("it is now so", "it is not so", [("word_replaced", "now", "not")]),
        ("He is good", "He is not good", [("word_inserted", "", "not ")]),
        ("a bad film", "a not good film", [("word_inserted", "", "not "), ("word_replaced", "bad", "good")]),
        ("a b", "a, q b", [("punctuation", "", ","), ("word_inserted", "", " q")]),
        ("a very good film", "a film", [("word_removed", "very ", ""), ("word_removed", "good ", "")]),
        ("", "new text", [("word_inserted", "", "new"), ("word_inserted", "", " text")]),
        ("new", "", [("word_removed", "new", "")]),
        ("", "", []),
        ("a b", "a b", []),
    ],
)
def test_each_change_is_told_as_what_it_is(original: str, modified: str, expected: list[Short]) -> None:
    assert edits_of(original, modified) == expected


def test_an_edit_says_where_it_is_and_in_which_words() -> None:
    assert typed_edits("He saw teh film.", "He saw the m\u043evie.") == (
        Edit("swap", (8, 10), (8, 10), "eh", "he", ("teh", "the")),
        Edit("word_replaced", (11, 15), (11, 16), "film", "m\u043evie", ("film", "m\u043evie")),
    )


def test_names_are_found_by_the_finder_that_the_edit_names() -> None:
    assert [edit.method for edit in typed_edits("I saw Obama today", "I saw Merkel today")] == ["capitalised span"]
    colours = EntityFinder("colours", lambda text: [(text.find("red"), text.find("red") + 3)] if "red" in text else [])
    found = typed_edits("a red film", "a good film", entities=colours)
    assert found == (Edit("named_entity", (2, 5), (2, 6), "red", "good", ("red", "good"), "colours"),)


def test_counts_name_every_kind_in_order() -> None:
    counts = edit_counts(typed_edits("a clean room here", "a c lean roo m there"))
    assert list(counts) == list(KINDS) == list(MEANINGS)
    assert {kind: count for kind, count in counts.items() if count} == {"split": 2, "letter_inserted": 1}


ALPHABET = st.sampled_from(
    ["a", "e", "the", "not", "bad", "clean", "c", "lean", "3", "Bob", " ", " ", " ", "  ", "\n", ".", ",", "'", "-", "~",
     "\u200b", "\u0430", "\u0301", "\xa0", "\ud83d", "\U0001d437", "\xdf", "\u0130", "\ufb01", "\x1c", "\u3000"]
)  # fmt: skip
TEXTS = st.lists(ALPHABET, max_size=24).map("".join)


@settings(max_examples=300, deadline=None)
@given(TEXTS | st.text(max_size=20), TEXTS | st.text(max_size=20))
def test_edits_make_the_modified_text_of_the_original_without_overlap(original: str, modified: str) -> None:
    edits = typed_edits(original, modified)
    assert apply_edits(original, edits) == modified
    assert bool(edits) == (original != modified)
    old_done = new_done = 0
    for edit in edits:
        (a, b), (c, d) = edit.original_span, edit.modified_span
        assert original[old_done:a] == modified[new_done:c]
        assert (original[a:b], modified[c:d]) == (edit.original, edit.modified)
        assert edit.original != edit.modified
        assert edit.kind in KINDS
        old_done, new_done = b, d
    assert original[old_done:] == modified[new_done:]


def changed(word: str, how: int, at: int) -> tuple[str, str]:
    if how == 0:
        return "split", f"{word[:at]} {word[at:]}"
    if how == 1:
        return "invisible", f"{word[:at]}\u200b{word[at:]}"
    if how == 2:
        return "letter_deleted", word[:at] + word[at + 1 :]
    return "letter_inserted", f"{word[:at]}q{word[at:]}"


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text("abcdefgh", min_size=6, max_size=9), min_size=3, max_size=30), st.integers(0, 3), st.data())
def test_one_planted_change_is_found_alone(words: list[str], how: int, data: st.DataObject) -> None:
    place, at = data.draw(st.integers(0, len(words) - 1)), data.draw(st.integers(1, 4))
    kind, word = changed(words[place], how, at)
    edits = typed_edits(" ".join(words), " ".join([*words[:place], word, *words[place + 1 :]]))
    assert [edit.kind for edit in edits] == [kind]


@pytest.mark.parametrize("length", [5_000, 100_000])
def test_long_texts_of_every_shape_are_done(length: int) -> None:
    rng = random.Random(0)
    one, other = ("".join(rng.choices(string.ascii_lowercase + " " * 6, k=length)) for _ in range(2))
    for old, new in ((one, other), (one.replace(" ", ""), other.replace(" ", "")), (one, one[: length // 2] + other), (one, "")):
        assert apply_edits(old, typed_edits(old, new)) == new


@pytest.mark.published_data
def test_every_published_pair_that_differs_has_edits_that_make_the_one_of_the_other() -> None:
    path = Path(os.environ["PASSABLE_PUBLISHED_DATA"]) / "incrediblae_manual_evaluation.csv"
    with path.open(encoding="utf-8", newline="") as file:
        pairs = [(row["original_samples"], row["adversarial_samples"]) for row in csv.DictReader(file)]
    assert len(pairs) == 680
    for original, modified in pairs:
        edits = typed_edits(original, modified)
        assert apply_edits(original, edits) == modified
        assert bool(edits) == (original != modified)


def test_the_documentation_gives_every_kind_its_meaning() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "scoring.md").read_text()
    assert [kind for kind, meaning in MEANINGS.items() if f"| `{kind}` | {meaning} |" not in page] == []
