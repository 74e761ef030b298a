"""Closeness in meaning, as a sentence encoder sees it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from attacks.constraints.base import Checked, PairConstraint
from attacks.errors import AttackError


class Encoder(Protocol):
    """Texts to unit vectors; see `scoring.texts.encoder.SentenceEncoder`."""

    name: str
    version: str
    sha256: str

    def encode(self, texts: Sequence[str]) -> np.ndarray: ...


class EncoderSimilarityAtLeast(PairConstraint):
    """The cosine (-1 to 1) of the sentence vectors of original and candidate is at least ``threshold``.

    The original itself always passes, even at 1, which rounding may keep it from. Without an encoder the embedded one is
    loaded when it is first needed.
    """

    name = "encoder_similarity"
    cost = 100.0

    def __init__(self, threshold: float, encoder: Encoder | None = None) -> None:
        if not -1 <= threshold <= 1:
            raise AttackError(f"a cosine threshold must be between -1 and 1, not {threshold}")
        self.threshold = threshold
        self.encoder = encoder

    @cached_property
    def _loaded(self) -> Encoder:
        from scoring.texts.encoder import embedded_encoder

        return self.encoder if self.encoder is not None else embedded_encoder()

    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> Checked:
        if not len(candidates):
            return np.empty(0), np.empty(0, dtype=bool)
        vectors = self._loaded.encode([*originals, *candidates]).astype(np.float64)
        # The encoder is exact to about 1e-5 over batches; rounding lets equal candidates tie.
        scores = np.round((vectors[: len(originals)] * vectors[len(originals) :]).sum(axis=1), 5)
        unchanged = np.array([old == new for old, new in zip(originals, candidates, strict=True)], dtype=bool)
        return scores, (scores >= self.threshold) | unchanged

    def describe(self) -> dict[str, Any]:
        encoder = self._loaded
        identity = {"name": encoder.name, "version": encoder.version, "sha256": encoder.sha256}
        return {"name": self.name, "threshold": self.threshold, "encoder": identity}
