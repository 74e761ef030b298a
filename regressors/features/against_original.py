"""Numbers about a text and its original: a group apart, which no model takes unless it is told to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np

from regressors.errors import RegressorError
from regressors.features.group import Array
from scoring.result import Reason
from scoring.texts.edit_kinds import KINDS
from scoring.texts.edits import edit_counts, typed_edits
from scoring.texts.metrics import pair_metrics
from scoring.texts.overlap import Value
from scoring.texts.semantic import EncoderSimilarity

_OVERLAP: Final = {"bleu": 100.0, "rouge1": 1.0, "rouge2": 1.0, "rougeL": 1.0, "character_score": 1.0}
"""Of `pair_metrics`, with their value for equal texts. METEOR is not among them: its values hang on what is installed."""


class PairFeatures:
    """What was changed: the share of the original's words, overlap, similarity, and edits of each kind.

    These numbers leak the answer. An original has no difference to itself, so a model that sees them tells originals from altered
    texts without reading either, as no reader can who has one text only; judged by such readers, that is no measure of suspicion.
    It is for the question what in a change makes it suspicious, among altered texts. It is therefore no `FeatureGroup`, and in
    no registry.

    BLEU is 0 to 100; the share of words changed, ROUGE and similarities are 0 to 1; edits are counts. Where an original has too
    few words for a metric, all of it is kept if the text is equal to it, else nothing.
    """

    name: ClassVar[str] = "against original"
    version: ClassVar[str] = "2"

    def __init__(self, similarity: EncoderSimilarity | None = None) -> None:
        self.similarity = similarity or EncoderSimilarity()

    @property
    def names(self) -> tuple[str, ...]:
        return ("words_changed", *_OVERLAP, "encoder_similarity", *(f"edits_{kind}" for kind in KINDS))

    def described(self) -> dict[str, Any]:
        """For a model's card."""
        encoder = {"encoder": f"{self.similarity.name} {self.similarity.version}", "sha256": self.similarity.sha256}
        return {"group": self.name, "version": self.version, "columns": len(self.names)} | encoder

    def compute(self, originals: Sequence[str], texts: Sequence[str]) -> Array:
        """float64 [n, number of `names`], a row for each original and its text. RegressorError if they are not as many."""
        if len(originals) != len(texts):
            raise RegressorError(f"There are {len(originals)} originals for {len(texts)} texts: each text needs its own.")
        pairs = list(zip(originals, texts, strict=True))
        similarities = self.similarity.score(pairs)
        rows = [[*_overlap(*pair), alike, *_edits(*pair)] for pair, alike in zip(pairs, similarities, strict=True)]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.names))


def _overlap(original: str, text: str) -> list[float]:
    found = pair_metrics(original, text)
    equal = original == text
    overlap = [_or(found[name], full * equal) for name, full in _OVERLAP.items()]
    return [_or(found["words_changed"], 1.0 - equal), *overlap]


def _or(value: Value, instead: float) -> float:
    return instead if isinstance(value, Reason) else value


def _edits(original: str, text: str) -> list[int]:
    return list(edit_counts(typed_edits(original, text)).values())
