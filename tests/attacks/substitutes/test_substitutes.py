from __future__ import annotations

from pathlib import Path

import pytest

from attacks import AttackError
from attacks.substitutes import Antonyms, agree_case, find_wordnet, share_part_of_speech


@pytest.mark.parametrize(
    ("word", "replacement", "agreed"),
    [
        ("movie", "film", "film"),
        ("Movie", "film", "Film"),
        ("MOVIE", "film", "FILM"),
        ("iPhone", "phone", "phone"),
        ("A", "one", "One"),
        ("2", "two", "two"),
        ("Élan", "éclat", "Éclat"),
        ("", "x", "x"),
    ],
)
def test_case_is_agreed(word: str, replacement: str, agreed: str) -> None:
    assert agree_case(word, replacement) == agreed


def test_shared_parts_of_speech() -> None:
    pairs = {("movie", "film"): True, ("movie", "movies"): False, ("said", "told"): True, ("good", "quickly"): False}
    assert {pair: share_part_of_speech(*pair) for pair in pairs} == pairs
    assert not share_part_of_speech("zyxia", "zyxia")


LICENCE = "  1 This is a test file in the layout of WordNet's, with a ! sign.  \n"


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    """Adjectives good–bad, wet–dry (by way of clusters) and a semantic pointer that is no antonymy of words."""
    offset = len(LICENCE)
    first = "{o:08d} 00 a 01 good 0 001 ! {p:08d} a 0101 | as in a good day ! really  \n"
    second = "{o:08d} 00 s 02 Bad 0 poor(a) 1 002 & 00000000 a 0000 ! {p:08d} a 0101 | not good  \n"
    length = len(first.format(o=0, p=0))
    adjectives = LICENCE + first.format(o=offset, p=offset + length) + second.format(o=offset + length, p=offset)
    verbs = LICENCE + f"{offset:08d} 29 v 01 go_up 0 001 ! {offset:08d} v 0000 01 + 08 00 | whole synsets  \n"
    for name, content in {"adj": adjectives, "verb": verbs, "noun": LICENCE, "adv": LICENCE}.items():
        (tmp_path / f"data.{name}").write_text(content, encoding="ascii")
    return tmp_path


def test_antonyms(wordnet: Path) -> None:
    opposite = Antonyms(wordnet)
    assert len(opposite) == 2  # good to bad and back
    assert opposite("good", "bad")
    assert opposite("bad", "good")
    assert not opposite("good", "poor")
    assert not opposite("good", "good")
    assert opposite.of("good") == {"bad", "worse", "worst"}
    assert opposite.of("worse") == {"good", "goods", "better", "best"}
    assert opposite.of("poor") == frozenset()


def test_wordnet_is_found_where_it_is_said_to_be(wordnet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORDNET_DIR", str(wordnet))
    assert find_wordnet() == wordnet
    monkeypatch.setenv("WORDNET_DIR", str(tmp_path / "none"))
    with pytest.raises(AttackError, match=r"none: no data\.noun"):
        find_wordnet()
    monkeypatch.delenv("WORDNET_DIR")
    monkeypatch.setattr("scoring.texts.wordnet.PLACES", (str(tmp_path / "none"),))
    assert find_wordnet() is None
    monkeypatch.setattr("scoring.texts.wordnet.PLACES", (str(tmp_path / "none"), str(wordnet)))
    assert find_wordnet() == wordnet


def test_a_broken_wordnet_is_an_error(wordnet: Path) -> None:
    (wordnet / "data.noun").write_text("something ! else entirely\n")
    with pytest.raises(AttackError, match=r"data\.noun is not a WordNet data file"):
        Antonyms(wordnet)


@pytest.mark.skipif(not Path("/usr/share/wordnet/data.adj").exists(), reason="wordnet-base is not installed")
def test_antonyms_of_the_real_wordnet() -> None:
    opposite = Antonyms(Path("/usr/share/wordnet"))
    assert len(opposite) > 7000
    assert all(opposite(*pair.split()) for pair in ["good bad", "increase decrease", "victory defeat", "quickly slowly"])
    assert not opposite("good", "fine")
    assert {"fall", "falls", "fell", "fallen", "falling"} <= opposite.of("rises")
    assert "film" not in opposite.of("movie")
