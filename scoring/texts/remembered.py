"""What all semantic scorers share: each distinct pair is scored once, among pairs of like length, and remembered on disk."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import ClassVar, Final

from scoring.result import ScoringError

from .characters import encodable
from .score_cache import ScoreCache, Values

Pair = tuple[str, str]

_KEPT_AT_ONCE: Final = 1_024
"""So many pairs are scored before they are kept: what a killed process loses."""


class RememberedScorer(ABC):
    """A scorer that computes what the cache does not know. A score differs by at most 1e-5 from that of the pair alone.

    `parts` names the figures of a pair; the score is the last. A lone surrogate counts as an unknown character.
    """

    parts: ClassVar[tuple[str, ...]] = ("score",)

    def __init__(self, cache: ScoreCache | None = None) -> None:
        self._cache = cache or ScoreCache()

    @property
    @abstractmethod
    def name(self) -> str: ...

    @property
    @abstractmethod
    def version(self) -> str: ...

    @property
    @abstractmethod
    def sha256(self) -> str:
        """Of the weights."""

    @property
    def fingerprint(self) -> str:
        """What changes a score beside name, version and weights."""
        return ""

    @abstractmethod
    def compute(self, pairs: Sequence[Pair]) -> list[Values]:
        """The figures of distinct pairs, in order; a value for each of `parts`."""

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score per (original, modified) pair, in order."""
        return [values[-1] for values in self.all_parts(pairs)]

    def all_parts(self, pairs: Sequence[Pair]) -> list[Values]:
        """The figures of each pair, in order."""
        if not pairs:
            return []
        readable = [(encodable(original), encodable(modified)) for original, modified in pairs]
        identity = "\0".join((type(self).__name__, self.name, self.version, self.sha256, self.fingerprint))
        keys = [_key(identity, pair) for pair in readable]
        distinct = dict(zip(keys, readable, strict=True))
        known = self._cache.find(list(distinct))
        missing = [(key, pair) for key, pair in distinct.items() if len(known.get(key, ())) != len(self.parts)]
        missing.sort(key=lambda item: len(item[1][0]) + len(item[1][1]))
        for start in range(0, len(missing), _KEPT_AT_ONCE):
            some = missing[start : start + _KEPT_AT_ONCE]
            new = self.compute([pair for _, pair in some])
            if not all(isfinite(value) for values in new for value in values):
                raise ScoringError(f"{self.name} gives a score that is no number: its weights are broken.")
            fresh = {key: values for (key, _), values in zip(some, new, strict=True)}
            self._cache.keep(fresh)
            known |= fresh
        return [known[key] for key in keys]


def batches(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Places of `lengths`, at most `size` at a time, so that each batch is of like lengths."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for start in range(0, len(order), size):
        yield order[start : start + size]


def _key(identity: str, pair: Pair) -> bytes:
    """The lengths say where a text ends, so that no two pairs look alike."""
    original, modified = pair
    return hashlib.sha256(f"{identity}\0{len(original)}\0{original}{modified}".encode()).digest()
