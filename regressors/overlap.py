"""Texts on both sides of an evaluation: who has seen a text, or another variant of its original, in training predicts nothing."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import Levenshtein
import numpy as np
from numpy.typing import NDArray

from regressors.errors import RegressorError
from regressors.rows import SIMILARITY, TrainingRows
from scoring.texts.near_duplicates import group_near_duplicates

Bytes = NDArray[np.uint8]
Sketches = NDArray[np.uint32]

_RUN: Final = 4
_HASHES: Final = 64
_MOSTLY_EQUAL: Final = 0.3
"""Share of equal hashes from which two texts count as variants of one. Of sentences of film reviews that attackers changed, few
are below 0.45 with their nearest variant, and few above 0.27 with another sentence."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a model keeps of its training data to recognise it, without keeping any text.

    `texts` and `originals` are the first 16 bytes of the SHA-256 of each text and of each original's name, uint8 [n, 16] and
    [m, 16]; m is 0 where originals were not named. `sketches` are MinHashes (Broder, "On the resemblance and containment of
    documents", 1997) of each text's runs of four characters, uint32 [n, 64]: the share of equal ones is that of common runs.
    """

    texts: Bytes
    originals: Bytes
    sketches: Sketches

    def check(self, rows: TrainingRows) -> None:
        """RegressorError if a text of the rows, or its original, is among what was trained on. By the originals' names if both
        sides have them, else by likeness."""
        distinct = sorted(set(rows.texts))
        if shared := _known(self.texts, distinct):
            raise RegressorError(_shared_texts(shared, len(distinct)))
        if rows.originals is not None and len(self.originals):
            if names := _known(self.originals, sorted(set(rows.originals))):
                raise RegressorError(_shared_originals(names))
            return
        for text, sketch in zip(distinct, sketches(distinct), strict=True):
            alike = (self.sketches == sketch).mean(axis=1)
            if alike.max(initial=0.0) >= _MOSTLY_EQUAL:
                raise RegressorError(_near_duplicates(text, "one that the model was trained on"))


def seen_of(rows: TrainingRows, texts: Sequence[str]) -> Seen:
    """Of the distinct `texts` of the rows, in their order."""
    return Seen(fingerprints(texts), fingerprints(sorted(set(rows.originals or ()))), sketches(texts))


def check_apart(train: TrainingRows, test: TrainingRows) -> None:
    """As `Seen.check`, where both tables are at hand: near-duplicates are those of `regressors.rows`, and the pair is named."""
    known, distinct = set(train.texts), sorted(set(test.texts))
    if shared := [text for text in distinct if text in known]:
        raise RegressorError(_shared_texts(shared, len(distinct)))
    if train.originals is not None and test.originals is not None:
        if names := sorted(set(train.originals) & set(test.originals)):
            raise RegressorError(_shared_originals(names))
        return
    for text, other in _alike(sorted(known), distinct):
        raise RegressorError(_near_duplicates(text, f"{_quoted(other)} of the training data"))


def fingerprints(texts: Sequence[str]) -> Bytes:
    """uint8 [n, 16]: the beginning of each text's SHA-256."""
    digests = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16] for text in texts]
    return np.frombuffer(b"".join(digests), dtype=np.uint8).reshape(len(texts), 16)


def sketches(texts: Sequence[str]) -> Sketches:
    """uint32 [n, 64]: for each of 64 hash functions the least hash of the text's runs of four characters, case ignored."""
    rng = np.random.default_rng(0)
    factors, summands = rng.integers(2**64, size=(2, _HASHES, 1), dtype=np.uint64)
    rows = []
    for text in texts:
        # Multiply, add, and keep the upper half (Dietzfelbinger et al. 1997); a factor has to be odd.
        mixed = (factors | np.uint64(1)) * _runs(text) + summands
        rows.append((mixed >> np.uint64(32)).min(axis=1).astype(np.uint32))
    return np.array(rows, dtype=np.uint32).reshape(len(rows), _HASHES)


def _runs(text: str) -> NDArray[np.uint64]:
    lowered = text.lower()
    runs = {lowered[start : start + _RUN] for start in range(max(1, len(lowered) - _RUN + 1))}
    return np.array([zlib.crc32(run.encode("utf-8", "surrogatepass")) for run in runs], dtype=np.uint64)


def _known(marks: Bytes, names: Sequence[str]) -> list[str]:
    """Those of the names whose fingerprints are among the marks."""
    known = set(map(bytes, marks))
    return [name for name, mark in zip(names, map(bytes, fingerprints(names)), strict=True) if mark in known]


def _alike(train: list[str], test: list[str]) -> Iterator[tuple[str, str]]:
    """Of each group of near-duplicates with texts of both sides, the two that are most alike: test text, training text."""
    sides: dict[int, tuple[list[str], list[str]]] = {}
    for place, group in enumerate(group_near_duplicates([*train, *test], SIMILARITY)):
        of_test = place >= len(train)
        sides.setdefault(group, ([], []))[of_test].append(test[place - len(train)] if of_test else train[place])
    for trained, tested in sides.values():
        pairs = [(Levenshtein.distance(text, other), text, other) for text in tested for other in trained]
        if pairs:
            yield min(pairs)[1:]


def _shared_texts(shared: Sequence[str], total: int) -> str:
    return (
        f"{len(shared)} of the {total} texts are among those that the model was trained on, such as {_quoted(shared[0])}. "
        "Leave them out: predictions for them prove nothing."
    )


def _shared_originals(names: Sequence[str]) -> str:
    return (
        f"{len(names)} of the originals are in the training data too, such as {_quoted(names[0])}. Leave their texts out. If the "
        "same names mean other originals there, leave out the column of originals: texts are then compared by likeness."
    )


def _near_duplicates(text: str, other: str) -> str:
    return f"{_quoted(text)} is nearly the same text as {other}: variants of one original. Leave it out, or name the originals."


def _quoted(text: str) -> str:
    return repr(text[:60])
