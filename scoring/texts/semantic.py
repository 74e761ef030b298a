"""Semantic scorers: how alike two sentences are in meaning, by a model that says which one it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from .encoder import SentenceEncoder, embedded_encoder


class SemanticScorer(Protocol):
    """A model that scores pairs. Its name, version and SHA-256 of weights go with every score."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def sha256(self) -> str: ...

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """One score per (original, modified) pair, in order, whatever the batch; may lie outside 0 to 1."""
        ...


class EncoderSimilarity:
    """The cosine of two sentence embeddings, cut to 0–1; by default of the embedded encoder, loaded when first asked.

    It is the similarity of a small encoder and not BLEURT. A score differs by at most 1e-5 from that of a pair alone.
    """

    def __init__(self, encoder: SentenceEncoder | None = None) -> None:
        self.encoder = encoder

    @property
    def name(self) -> str:
        return f"cosine of {self._encoder().name}"

    @property
    def version(self) -> str:
        return self._encoder().version

    @property
    def sha256(self) -> str:
        return self._encoder().sha256

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        if not pairs:
            return []
        vectors = self._encoder().encode([text for pair in pairs for text in pair])
        cosines = np.einsum("ij,ij->i", vectors[0::2], vectors[1::2])
        return [float(value) for value in np.clip(cosines, 0.0, 1.0)]

    def _encoder(self) -> SentenceEncoder:
        return self.encoder or embedded_encoder()
