"""The feature groups of a sentence encoder: a text's embedding, and what its first layers make of the text."""

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


class LayerFeatures(EncoderFeatures):
    """What the token embeddings and the first two layers of a frozen sentence encoder make of a text, averaged over its tokens.

    The last layer tells what a text is about, whatever its words look like; how a text is written, its rare pieces and odd
    neighbours, is found in the first ones (Jawahar, Sagot and Seddah, "What does BERT learn about the structure of language?",
    ACL 2019). Layers after these are not computed.
    """

    name = "layers"
    version = "1"
    first = 3

    @property
    def names(self) -> tuple[str, ...]:
        name, size = self.encoder.name, self.encoder.size
        return tuple(f"{name}[{layer}][{place}]" for layer in range(self.first) for place in range(size))

    def compute(self, texts: Sequence[str]) -> Array:
        return self.encoder.layers(texts, self.first).reshape(len(texts), -1).astype(np.float64)
