"""What a card keeps of predictions for texts that the model had not seen: how they lie, and where they are furthest off."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from regressors.rows import LabelledTexts

Array = NDArray[np.float64]
BINS: Final = 10
MOST_FAILS: Final = 20


def distribution(data: LabelledTexts, predicted: Array) -> list[dict[str, Any]]:
    """The scale in BINS equal parts, `low` to `high` (the highest score belongs to the last): how many texts were `predicted`
    and how many `judged` there, and the mean of the labels where something was predicted (`labels`, else None)."""
    edges = np.linspace(*data.scale, BINS + 1)
    labels = data.labels
    places = [np.clip(np.searchsorted(edges, values, side="right") - 1, 0, BINS - 1) for values in (predicted, labels)]
    return [
        {
            "low": float(edges[part]),
            "high": float(edges[part + 1]),
            "predicted": int((places[0] == part).sum()),
            "judged": int((places[1] == part).sum()),
            "labels": float(labels[places[0] == part].mean()) if (places[0] == part).any() else None,
        }
        for part in range(BINS)
    ]


def fails(data: LabelledTexts, predicted: Array) -> list[dict[str, Any]]:
    """The texts whose prediction is furthest from their label, at most MOST_FAILS, the worst first. A text is named by the first
    16 bytes of its SHA-256: whoever has the texts finds it, and the card gives none away."""
    errors = np.abs(predicted - data.labels)
    worst = np.argsort(-errors, kind="stable")[:MOST_FAILS].tolist()
    return [
        {
            "text": hashlib.sha256(data.texts[place].encode("utf-8", "surrogatepass")).hexdigest()[:32],
            "judged": float(data.labels[place]),
            "predicted": float(predicted[place]),
            "judgements": int(data.counts[place]),
        }
        for place in worst
    ]
