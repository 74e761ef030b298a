"""The dimension feature group: how many directions like texts spread in around a text, as each layer of an encoder sees them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from regressors.detectors.lid import LocalDimension, names_of
from regressors.errors import RegressorError
from regressors.features.group import Array, FeatureGroup
from scoring.texts.encoder import SentenceEncoder, embedded_encoder


class LidFeatures(FeatureGroup):
    """Local intrinsic dimensionality (`regressors.detectors.lid`) against a fixed reference of texts, for each layer of an
    encoder, by default of the embedded MiniLM, and their mean.

    The reference should be texts that nobody altered; more than `k` different ones, some hundred for a steady estimate. A text
    that is in the reference is not its own neighbour, nor is one that the encoder reads in the same way. RegressorError for a
    reference that is too small.

    The reference must not hold originals of the texts that are looked at. An altered text next to its own original has a much
    lower dimension than that original next to others, which tells the two apart as no reader can who has one text only. Of 540
    published originals and four altered variants of each, the median was 31 for originals and 11 for altered texts with the
    originals as the reference, and 31 for both with nine tenths of them, of which none was their own.
    """

    name = "lid"
    version = "1"

    def __init__(self, reference_texts: Sequence[str], encoder: SentenceEncoder | None = None, k: int = 20) -> None:
        self.reference_texts = tuple(sorted(set(reference_texts)))
        self.k = k
        self._given = encoder
        if len(self.reference_texts) <= k:
            raise RegressorError(
                f"The reference has {len(self.reference_texts)} different texts: more than k = {k} are needed. Give more texts."
            )

    @classmethod
    def from_file(cls, path: str | None, encoder: SentenceEncoder | None = None, k: int = 20) -> Self:
        """Against the lines of a UTF-8 file, a text in each, blank ones left out. RegressorError if it cannot be read."""
        if path is None:
            raise RegressorError("Say where the reference texts are: lid:FILE, a file with a text on each line.")
        try:
            lines = Path(path).read_text(encoding="utf-8").split("\n")
        except (OSError, ValueError) as error:
            problem = getattr(error, "strerror", None) or "it is not UTF-8"
            raise RegressorError(f"{path}: the reference texts cannot be read ({problem}).") from None
        group = cls([line for line in lines if line.strip()], encoder, k)
        group.path = path
        return group

    @property
    def encoder(self) -> SentenceEncoder:
        return self._given if self._given is not None else embedded_encoder()

    @cached_property
    def sha256(self) -> str:  # type: ignore[override]
        """Of the reference: the same for the same texts in any order."""
        return hashlib.sha256(json.dumps(self.reference_texts).encode("ascii")).hexdigest()

    def described(self) -> dict[str, Any]:
        by = {"k": self.k, "encoder": f"{self.encoder.name} {self.encoder.version}", "encoder_sha256": self.encoder.sha256}
        return super().described() | by

    @property
    def names(self) -> tuple[str, ...]:
        return names_of(self.encoder.depth)

    def compute(self, texts: Sequence[str]) -> Array:
        return self._dimension.transform(self._layers(texts)) if texts else np.empty((0, len(self.names)))

    @cached_property
    def _dimension(self) -> LocalDimension:
        return LocalDimension(self.k).fit(self._layers(self.reference_texts))

    def _layers(self, texts: Sequence[str]) -> Array:
        """[layers, n, size]"""
        return self.encoder.layers(texts).astype(np.float64).swapaxes(0, 1)
