from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from attacks import AttackError
from attacks.substitutes.parts_of_speech import Reading, forms, inflected, lemmas, readings
from attacks.substitutes.source import Word
from attacks.substitutes.synonyms import SememeWords, Synonyms, WordNetWords, installed_words, sememes_of


class Few:
    """Base forms by hand."""

    table = {
        ("movie", "noun"): ["film", "motion picture", "picture"],
        ("run", "verb"): ["sprint", "go", "xyzzy"],
        ("saw", "noun"): ["proverb"],
        ("see", "verb"): ["spot"],
        ("good", "adj"): ["fine", "U.S."],
        ("well", "adv"): ["quickly"],
    }

    def synonyms(self, word: str, part: str) -> list[str]:
        return self.table.get((word, part), [])

    def describe(self) -> dict[str, Any]:
        return {"name": "few"}


@pytest.mark.parametrize(
    ("word", "tag", "synonyms"),
    [
        ("movie", None, ["film", "picture"]),  # of one word each
        ("movies", None, ["films", "pictures"]),
        ("ran", None, ["sprinted", "went"]),  # xyzzy has no past tense in the dictionary
        ("running", None, ["sprinting", "going"]),
        ("runs", None, ["sprints", "goes"]),
        ("better", None, ["finer"]),  # neither "more quickly" nor "U.S." is in the dictionary
        ("saw", None, ["proverb", "spotted"]),  # a noun or a verb
        ("saw", "NN", ["proverb"]),
        ("saw", "VBD", ["spotted"]),
        ("saw", "JJ", []),
        ("zyxia", None, []),
        ("", None, []),
    ],
)
def test_synonyms_take_the_form_of_the_word(word: str, tag: str | None, synonyms: list[str]) -> None:
    assert Synonyms(Few).like([Word(word, tag)]) == [synonyms]


def test_a_lexicon_says_where_its_words_come_from() -> None:
    assert Synonyms(Few).describe() == {"name": "few", "inflection": "as the word replaced, by lemminflect"}


def test_readings_and_forms() -> None:
    assert readings("saw") == (Reading("NOUN", "saw", "NN"), Reading("VERB", "saw", "VB"), Reading("VERB", "see", "VBD"))
    assert readings("men") == (Reading("NOUN", "man", "NNS"),)
    assert readings("zyxia") == readings("the") == ()
    assert (inflected("film", "NNS"), inflected("walk", "VBN"), inflected("xyzzy", "NNS")) == ("films", "walked", None)
    assert lemmas("better") >= {"better", "good", "well"}
    assert forms("rise") == {"rise", "rises", "rose", "risen", "rising"}


def test_the_installed_wordnet() -> None:
    lexicon = Synonyms(installed_words)
    assert lexicon.like([Word("movies")]) == [["films", "pictures", "flicks"]]
    described = lexicon.describe()
    assert described["name"] == "WordNet"
    assert len(described["sha256"]) == 64


def test_without_wordnet_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("scoring.texts.wordnet.PLACES", (str(tmp_path),))
    monkeypatch.delenv("WORDNET_DIR", raising=False)
    with pytest.raises(AttackError, match="synonyms need WordNet: install Debian's wordnet-base, or set WORDNET_DIR"):
        installed_words.__wrapped__()
    monkeypatch.setenv("WORDNET_DIR", str(tmp_path))
    with pytest.raises(AttackError, match=r"no data\.noun"):
        installed_words.__wrapped__()
    with pytest.raises(AttackError, match=r"index\.noun: WordNet's file cannot be read"):
        WordNetWords(tmp_path)


def test_words_of_the_same_sememes_are_substitutes(tmp_path: Path) -> None:
    path = tmp_path / "sememes.tsv"
    path.write_text(
        "\ufeff# a comment\n"
        "Movie\tnoun\tshows perform\n"
        "film\tnoun\tperform shows\n"
        "film\tverb\tperform shows\n"
        "\n"
        "play\tnoun\tshows perform\n"
        "play\tnoun\tfun\n"
        "game\tnoun\tfun\n"
        "sport\tnoun\tfun exercise\n",
        encoding="utf-8",
    )
    words = SememeWords(path)
    assert words.synonyms("movie", "noun") == ["film", "play"]
    assert words.synonyms("play", "noun") == ["movie", "film", "game"]
    assert words.synonyms("sport", "noun") == words.synonyms("movie", "verb") == words.synonyms("none", "noun") == []
    assert Synonyms(lambda: words).like([Word("films")]) == [["movies", "plays"]]
    assert words.describe() == {"name": "sememes", "file": "sememes.tsv", "sha256": words.sha256}
    assert sememes_of(path) is sememes_of(path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"# nothing\n", "the file of sememes holds no sense"),
        (b"film\tnoun\tshows\nfilm\n", "line 2: expected a word, one of noun, verb, adj, adv and sememes, divided by tabs"),
        (b"film\tNN\tshows\n", "line 1: expected a word"),
        (b"film\tnoun\t \n", "line 1: expected a word"),
        (b" \tnoun\tshows\n", "line 1: expected a word"),
        (b"\xff\xfe", "the file of sememes is not UTF-8"),
        (None, "the file of sememes cannot be read"),
    ],
)
def test_bad_files_of_sememes_are_told(tmp_path: Path, content: bytes | None, problem: str) -> None:
    path = tmp_path / "sememes.tsv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(AttackError, match=problem):
        SememeWords(path)
