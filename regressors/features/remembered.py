"""Feature groups that keep their numbers on disk, for those that take long to compute."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from regressors.features.group import Array, FeatureGroup
from scoring.texts.score_cache import ScoreCache, Values, cache_folder

_KEPT_AT_ONCE: Final = 64
"""So many texts are computed before they are kept: what a killed process loses."""


class Remembered(FeatureGroup):
    """Another group whose numbers are computed once for each distinct text, and kept by the text and what `described` says of the
    group: of another version, file or model nothing is found. To whoever asks it is that group."""

    def __init__(self, group: FeatureGroup, cache: ScoreCache | None = None) -> None:
        self.group = group
        self._given = cache

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.group.name

    @property
    def version(self) -> str:  # type: ignore[override]
        return self.group.version

    @property
    def sha256(self) -> str | None:  # type: ignore[override]
        return self.group.sha256

    @property
    def path(self) -> str | None:  # type: ignore[override]
        return self.group.path

    @property
    def names(self) -> tuple[str, ...]:
        return self.group.names

    def described(self) -> dict[str, Any]:
        return self.group.described()

    def compute(self, texts: Sequence[str]) -> Array:
        width = len(self.names)
        if not texts:
            return np.empty((0, width))
        identity = json.dumps(self.described(), sort_keys=True).encode()
        keys = [_key(identity, text) for text in texts]
        distinct = dict(zip(keys, texts, strict=True))
        cache = self._cache
        known = {key: values for key, values in cache.find(list(distinct)).items() if len(values) == width}
        missing = [key for key in distinct if key not in known]
        # Of like lengths together, as models like them.
        missing.sort(key=lambda key: len(distinct[key]))
        for start in range(0, len(missing), _KEPT_AT_ONCE):
            some = missing[start : start + _KEPT_AT_ONCE]
            rows = self.group.compute([distinct[key] for key in some])
            fresh: dict[bytes, Values] = {key: tuple(row) for key, row in zip(some, rows.tolist(), strict=True)}
            cache.keep(fresh)
            known |= fresh
        return np.array([known[key] for key in keys], dtype=np.float64)

    @property
    def _cache(self) -> ScoreCache:
        """Apart from the scores of pairs, so that neither drives the other out."""
        return self._given or ScoreCache(cache_folder() / "features.sqlite3")


def _key(identity: bytes, text: str) -> bytes:
    return hashlib.sha256(hashlib.sha256(identity).digest() + text.encode("utf-8", "surrogatepass")).digest()
