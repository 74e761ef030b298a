"""The word-vector feature group."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from regressors.features.vectors import VectorFeatures, idf
from scoring.result import ScoringError
from scoring.texts.frequency import frequencies

GLOVE = b"3 2\nthe 1 0\nbridge 0 1\nCharles -1 2\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "small.txt").write_bytes(GLOVE)
    return tmp_path / "small.txt"


def test_the_weight_of_a_word_is_its_rarity_in_texts_of_a_hundred_words() -> None:
    share = frequencies()["bridge"]
    assert idf("bridge") == pytest.approx(-math.log(1 - (1 - share) ** 100))
    assert idf("the") < 0.02 < idf("bridge") < idf("zorblaxq") == pytest.approx(-math.log(100 * min(frequencies().values())))


def test_the_mean_is_weighted_and_says_how_much_it_knows(file: Path) -> None:
    row = VectorFeatures(str(file)).compute(["The bridge, the zorblaxq!"])[0]

    the, bridge = idf("the"), idf("bridge")
    assert row.tolist() == pytest.approx([2 * the / (2 * the + bridge), bridge / (2 * the + bridge), 3 / 4])


def test_words_are_looked_up_as_written_then_in_lower_case(file: Path) -> None:
    rows = VectorFeatures(str(file)).compute(["Charles", "charles", "BRIDGE"])

    assert rows.tolist() == [[-1, 2, 1], [0, 0, 0], [0, 1, 1]]


def test_a_text_does_not_depend_on_the_others(file: Path) -> None:
    group = VectorFeatures(str(file))
    texts = ["the bridge", "", "сат \ud800", "the", "the bridge"]

    assert np.array_equal(group.compute(texts), np.vstack([group.compute([text]) for text in texts]))
    assert group.compute([]).shape == (0, 3)


def test_it_says_which_vectors_it_reads(file: Path) -> None:
    group = VectorFeatures(str(file))

    assert group.spec == f"vectors:{file}"
    assert group.names == ("small.txt[0]", "small.txt[1]", "words_with_vector")
    described = {"group": "vectors", "version": "1", "columns": 3, "sha256": group.sha256, "name": "small.txt"}
    assert group.described() == described
    file.with_name("other.txt").write_bytes(GLOVE.replace(b"-1", b"1"))
    assert VectorFeatures(str(file.with_name("other.txt"))).sha256 != group.sha256


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ScoringError, match="there is no such file of word vectors"):
        VectorFeatures(str(tmp_path / "none")).compute(["a"])


def test_the_embedded_vectors_put_like_texts_near_each_other() -> None:
    group = VectorFeatures()
    assert (group.spec, len(group.names)) == ("vectors", 51)
    film, movie, rain = group.compute(["A great film", "The movie was wonderful", "Rain is expected on Monday"])[:, :50]

    def cosine(a: np.ndarray, b: np.ndarray) -> float:
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    assert cosine(film, movie) > cosine(film, rain) + 0.1
