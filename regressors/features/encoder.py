"""The sentence-encoder feature group: a text's embedding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from regressors.features.group import Array, FeatureGroup
from scoring.texts.encoder import SentenceEncoder, embedded_encoder


class EncoderFeatures(FeatureGroup):
    """The unit vectors of a frozen sentence encoder, by default the embedded MiniLM."""

    name = "encoder"
    version = "1"

    def __init__(self, encoder: SentenceEncoder | None = None) -> None:
        self._given = encoder

    @property
    def encoder(self) -> SentenceEncoder:
        return self._given if self._given is not None else embedded_encoder()

    @property
    def sha256(self) -> str:  # type: ignore[override]
        return self.encoder.sha256

    def described(self) -> dict[str, Any]:
        return super().described() | {"name": f"{self.encoder.name} {self.encoder.version}"}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{self.encoder.name}[{place}]" for place in range(self.encoder.size))

    def compute(self, texts: Sequence[str]) -> Array:
        return self.encoder.encode(texts).astype(np.float64)
