from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attacks.substitutes import characters
from attacks.substitutes.characters import (
    INVISIBLE,
    MOST_KEYS,
    MOST_PLACES,
    delete,
    homoglyph_variants,
    homoglyphs,
    insert,
    misspellings,
    neighbouring_keys,
    split,
    substitute,
    swap,
    typos,
    with_invisible,
)
from tests.attacks.toys import Always0

WORDS = ["ab", "Vaccine", "naïve", "e\u0301e\u0301", "日本語", "don't", "a" * 500]


def test_the_four_typos() -> None:
    rng: Any = Always0()
    assert [edit("Word", rng) for edit in (swap, substitute, delete, insert)] == ["oWrd", "Aord", "ord", "AWord"]
    assert typos("Word", rng) == ["oWrd", "Aord", "ord", "AWord"]
    assert typos("aa", rng) == ["a", "aaa"]  # neither swap nor substitution changes it
    assert typos("a", rng) == typos("", rng) == []


@pytest.mark.parametrize("word", WORDS[:5])
def test_typos_reach_every_place_and_are_one_edit_away(word: str) -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        assert {len(swap(word, rng)), len(substitute(word, rng))} == {len(word)}
        assert (len(delete(word, rng)), len(insert(word, rng))) == (len(word) - 1, len(word) + 1)
    assert {delete(word, rng) for _ in range(200)} == {word[:i] + word[i + 1 :] for i in range(len(word))}
    assert {swap(word, rng) for _ in range(200)} == {characters.swapped(word, i) for i in range(len(word) - 1)}


def test_misspellings_keep_the_first_and_the_last_character() -> None:
    rng: Any = Always0()
    assert misspellings("Word", rng) == [
        "Wrod",
        *("Wrd", "Wod"),
        *("Waord", "Woard"),
        *("Wird", "Wprd", "Wkrd", "Wlrd"),
        *("Woed", "Wotd", "Wodd", "Wofd"),
    ]
    assert misspellings("cat", rng) == misspellings("", rng) == []
    assert misspellings("aaaa", rng) == ["aaa", "aaaaa", *("asaa", "aqaa", "awaa", "azaa"), *("aasa", "aaqa", "aawa", "aaza")]


@pytest.mark.parametrize(
    ("key", "near"), [("s", "adwezx"), ("Q", "WA"), ("p", "ol"), ("l", "kop"), ("m", "njk"), ("ü", ""), ("", "")]
)
def test_keys_that_touch(key: str, near: str) -> None:
    assert neighbouring_keys(key) == near


def test_touching_is_mutual() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    near = {letter: set(neighbouring_keys(letter)) for letter in letters}
    assert [(a, b) for a in letters for b in letters if (b in near[a]) != (a in near[b])] == []
    assert max(map(len, near.values())) == MOST_KEYS


def test_homoglyphs_are_single_letters_of_other_scripts_in_the_same_case() -> None:
    table = homoglyphs()
    assert "".join(table) == "acehijopqswxyABCEHJKMNOPSTWXYZ"
    assert (table["a"], table["o"], table["P"]) == ("\u0430", "\u03bf\u043e", "\u03a1\u0420")
    for letter, alike in table.items():
        for glyph in alike:
            assert unicodedata.name(glyph).split()[0] in ("GREEK", "CYRILLIC")
            assert unicodedata.category(glyph) == unicodedata.category(letter)
            assert unicodedata.normalize("NFKC", glyph) == glyph


def test_homoglyphs_have_the_very_outline_of_their_letter() -> None:
    ttlib = pytest.importorskip("fontTools.ttLib")
    pens = pytest.importorskip("fontTools.pens.recordingPen")
    matplotlib = pytest.importorskip("matplotlib")
    font = ttlib.TTFont(Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf")
    names, glyphs = font.getBestCmap(), font.getGlyphSet()

    def outline(character: str) -> Any:
        pen = pens.DecomposingRecordingPen(glyphs)
        glyphs[names[ord(character)]].draw(pen)
        return pen.value

    assert [(a, b) for a, alike in homoglyphs().items() for b in alike if outline(a) != outline(b)] == []


def test_every_place_and_every_homoglyph() -> None:
    assert list(homoglyph_variants("bold")) == [(1, "b\u03bfld"), (1, "b\u043eld")]
    assert list(homoglyph_variants("Hat")) == [(0, "\u0397at"), (0, "\u041dat"), (1, "H\u0430t")]
    assert list(homoglyph_variants("日本")) == []


def test_invisible_characters_stand_inside_and_at_one_place() -> None:
    rng: Any = Always0()
    assert with_invisible("cat", rng) == [f"c{character}at" for character in INVISIBLE]
    assert with_invisible("a", rng) == with_invisible("e\u0301", rng) == []
    assert {unicodedata.category(character) for character in INVISIBLE} == {"Cf"}


def test_spaces_part_no_letter_from_its_accent() -> None:
    assert split("cats") == ["c ats", "ca ts", "cat s"]
    assert split("cafe\u0301s") == ["c afe\u0301s", "ca fe\u0301s", "caf e\u0301s", "cafe\u0301 s"]
    assert split("a") == split("") == []


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(
    ("edit", "most"),
    [
        (typos, 4),
        (misspellings, (3 + MOST_KEYS) * MOST_PLACES),
        (with_invisible, len(INVISIBLE)),
        (lambda word, rng: split(word), MOST_PLACES),
        (lambda word, rng: [new for _, new in homoglyph_variants(word)], 2 * MOST_PLACES),
    ],
    ids=["typos", "misspellings", "invisible", "split", "homoglyphs"],
)
def test_edits_are_few_differ_and_depend_on_the_generator_only(
    word: str, edit: Callable[[str, np.random.Generator], Sequence[str]], most: int
) -> None:
    first, second = (edit(word, np.random.default_rng(3)) for _ in range(2))
    assert list(first) == list(second)
    assert len(set(first)) == len(first) <= most
    assert word not in first


def test_long_words_are_tried_at_evenly_spaced_places() -> None:
    places = [word.index(" ") for word in split("a" * (32 * 10 + 1))]
    assert places == list(range(1, 321, 10))
