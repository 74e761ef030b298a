"""Files of word vectors, in each format, whole and broken; and the embedded ones."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from scoring.result import ScoringError
from scoring.texts.word_vectors import VectorFile, embedded_vectors, vectors_of

WORDS = {"the": [0.5, -1.0, 2.0], "Café": [1e-3, 0.0, 4.5], "New_York": [9.0, 9.0, 9.0], "don't": [3.0, 2.0, 1.0]}


def text(*, header: bool = True, end: str = "\n") -> bytes:
    lines = [f"{word} {' '.join(map(str, numbers))}" for word, numbers in WORDS.items()]
    return (end.join(["4 3"] * header + lines) + end).encode()


def binary(*, between: bytes = b"") -> bytes:
    records = [word.encode() + b" " + np.array(numbers, dtype="<f4").tobytes() + between for word, numbers in WORDS.items()]
    return b"4 3\n" + b"".join(records)


CONTENTS = {
    "word2vec text": text(),
    "word2vec text with a space at the end of lines": text(end=" \n"),
    "GloVe": text(header=False),
    "Windows": text(end="\r\n"),
    "no last line end": text().rstrip(),
    "binary": binary(),
    "binary in lines": binary(between=b"\n"),
}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS.keys())
def test_every_format_gives_the_same_vectors(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "some.vectors"
    file.write_bytes(content)

    vectors = VectorFile(file)

    assert (vectors.name, vectors.size, vectors.sha256) == ("some.vectors", 3, hashlib.sha256(content).hexdigest())
    found = {word: vectors.vector(word) for word in [*WORDS, "cafe", "The", "4", ""]}
    assert {word: vector.tolist() for word, vector in found.items() if vector is not None} == {
        word: np.array(numbers, dtype=np.float32).tolist() for word, numbers in WORDS.items() if word != "New_York"
    }


def test_a_word_of_glove_may_hold_spaces_and_the_first_of_two_counts(tmp_path: Path) -> None:
    (tmp_path / "v").write_bytes(b"a 1 2\n. . . 3 4\na 5 6\n")
    vectors = VectorFile(tmp_path / "v")
    assert [vectors.vector(word).tolist() for word in ("a", ". . .")] == [[1, 2], [3, 4]]  # type: ignore[union-attr]


def test_a_word_that_is_no_utf8_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "v").write_bytes(b"2 1\n\xff\xfe 1\nb 2\n")
    vectors = VectorFile(tmp_path / "v")
    assert vectors.vector("b") == [2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file of word vectors cannot be read"),
        (b"some words\n", "line 1: neither"),
        (b"4 0\n", "line 1: neither"),
        (text().replace(b"4 3", b"5 3"), "line 1 says that 5 words follow; there are 4"),
        (text().replace(b" 4.5", b""), "line 3: a word and 3 numbers belong here"),
        (text().replace(b"4.5", b"4.5 1"), "line 3: a word and 3 numbers belong here"),
        (text(header=False).replace(b" 4.5", b""), "line 2: a word and 3 numbers belong here"),
        (binary()[:-1], "word 4 of 4, at byte 59: the file ends or holds no word there"),
        (binary() + b"more", "byte 77: 4 words end here, as line 1 says, but the file goes on"),
        (binary().replace(b"4 3", b"4 999999"), "word 1 of 4, at byte 9: the file ends"),
    ],
)
def test_a_broken_file_is_told_with_the_place(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "broken").write_bytes(content)
    with pytest.raises(ScoringError, match=rf"broken: {message}"):
        VectorFile(tmp_path / "broken")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (text().replace(b"4.5", b"4,5"), "line 3: not all of the 3 values are numbers"),
        (text().replace(b"4.5", b"inf"), "line 3: the vector of 'Café' holds what is no number"),
        (binary().replace(np.float32(4.5).tobytes(), np.float32("nan").tobytes()), "byte 26: the vector of 'Café' holds"),
    ],
)
def test_a_broken_vector_is_told_when_its_word_is_asked_for(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "broken").write_bytes(content)
    vectors = VectorFile(tmp_path / "broken")
    assert vectors.vector("the") is not None
    with pytest.raises(ScoringError, match=message):
        vectors.vector("Café")


def test_a_file_is_read_once_until_it_changes(tmp_path: Path) -> None:
    file = tmp_path / "v"
    file.write_bytes(text())
    first = vectors_of(file)
    assert vectors_of(file) is first
    (tmp_path / "new").write_bytes(text().replace(b"0.5", b"0.7"))
    os.replace(tmp_path / "new", file)
    assert vectors_of(file).vector("the").tolist() == pytest.approx([0.7, -1, 2])  # type: ignore[union-attr]
    with pytest.raises(ScoringError, match="none: there is no such file of word vectors"):
        vectors_of(tmp_path / "none")


@pytest.mark.parametrize("make", [text, binary])
def test_a_file_of_three_hundred_numbers_a_word(tmp_path: Path, make: Callable[[], bytes]) -> None:
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(500, 300)).astype(np.float32)
    if make is text:
        lines = "".join(f"w{i} {' '.join(map(repr, row.tolist()))}\n" for i, row in enumerate(numbers))
        content = b"500 300\n" + lines.encode()
    else:
        content = b"500 300\n" + b"".join(f"w{i} ".encode() + row.tobytes() for i, row in enumerate(numbers))
    (tmp_path / "v").write_bytes(content)
    vectors = VectorFile(tmp_path / "v")
    assert np.array_equal(np.array([vectors.vector(f"w{i}") for i in range(500)]), numbers)


def test_the_embedded_ones() -> None:
    vectors = embedded_vectors()
    assert (len(vectors.words), vectors.size, vectors.words[:3]) == (400_000, 50, ["the", ",", "."])
    assert vectors.vector("the")[:3].tolist() == pytest.approx([0.418, 0.24968, -0.41242])  # type: ignore[index]
    assert vectors.vector("The") is None
