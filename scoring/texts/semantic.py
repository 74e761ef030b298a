"""Semantic scorers: how alike two sentences are in meaning, by a model that says which one it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from scoring.result import ScoringError

from .bert_score import BertScore
from .encoder import SentenceEncoder, embedded_encoder
from .pair_models import bleurt, meaning_bert
from .remembered import Pair, RememberedScorer
from .score_cache import ScoreCache, Values


class SemanticScorer(Protocol):
    """A model that scores pairs. Its name, version and SHA-256 of weights go with every score."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def sha256(self) -> str: ...

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score per (original, modified) pair, in order, whatever the batch; may lie outside 0 to 1."""
        ...


class EncoderSimilarity(RememberedScorer):
    """The cosine of two sentence embeddings, cut to 0–1; by default of the embedded encoder, loaded when first asked.

    It is the similarity of a small encoder and not BLEURT.
    """

    def __init__(self, encoder: SentenceEncoder | None = None, *, cache: ScoreCache | None = None) -> None:
        super().__init__(cache)
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

    @property
    def fingerprint(self) -> str:
        return f"cut after {self._encoder().max_tokens} tokens"

    def compute(self, pairs: Sequence[Pair]) -> list[Values]:
        vectors = self._encoder().encode([text for pair in pairs for text in pair])
        cosines = np.einsum("ij,ij->i", vectors[0::2], vectors[1::2])
        return [(float(value),) for value in np.clip(cosines, 0.0, 1.0)]

    def _encoder(self) -> SentenceEncoder:
        return self.encoder or embedded_encoder()


BY_PATH: Final[dict[str, Callable[[Path], RememberedScorer]]] = {
    "bleurt": bleurt,
    "bertscore": BertScore,
    "meaningbert": meaning_bert,
}
"""Scorers of models that are not embedded, each made from the model's folder."""


def semantic_scorer(choice: str) -> RememberedScorer | None:
    """The scorer that "none", "encoder", "bleurt:PATH" or "bertscore:PATH" stands for. ScoringError for anything else, and for
    a folder that does not hold such a model."""
    if choice == "none":
        return None
    if choice == "encoder":
        return EncoderSimilarity()
    kind, colon, path = choice.partition(":")
    # MeaningBERT goes to 100 and could not be a factor of the BODEGA score.
    if kind not in ("bleurt", "bertscore") or not colon or not path:
        raise ScoringError(f"{choice!r} is no semantic scorer: it is one of none, encoder, bleurt:PATH, bertscore:PATH.")
    return BY_PATH[kind](Path(path))


def identity(scorer: SemanticScorer) -> dict[str, str]:
    """Which model a score is of, ready for JSON."""
    return {"name": scorer.name, "version": scorer.version, "sha256": scorer.sha256}
