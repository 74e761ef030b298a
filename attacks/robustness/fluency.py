"""A limit on how unnatural a spoiled text may read, by a language model (Morris 2020, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attacks.substitutes.likely import causal_model


class FluentEnough:
    """The perplexity of a spoiled text is at most ``times`` (1 or more) that of its original.

    ``model`` is a causal language model (`attacks.substitutes.likely.causal_model`).
    """

    def __init__(self, model: str, times: float) -> None:
        self.times = times
        self.features = causal_model(model)
        self._perplexities: dict[str, float] = {}

    def __call__(self, originals: Sequence[str], candidates: Sequence[str]) -> np.ndarray:
        """Whether each candidate reads well enough beside its original: bool [n]."""
        self._read([*originals, *candidates])
        allowed, found = ([self._perplexities[text] for text in texts] for texts in (originals, candidates))
        return np.array(found) <= self.times * np.array(allowed)

    def describe(self) -> dict[str, Any]:
        return {"times": self.times, "model": self.features.described(), "sha256": self.features.sha256}

    def _read(self, texts: Sequence[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._perplexities]
        bits = self.features.surprisals(new)
        self._perplexities |= {text: float(2 ** each.mean()) for text, each in zip(new, bits, strict=True)}
