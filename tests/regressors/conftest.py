"""Judgements whose cause is known: texts with more spoilt words are called more suspicious, with noise."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from regressors.features.encoder import EncoderFeatures
from regressors.features.group import FeatureGroup
from regressors.features.lexical import LexicalFeatures
from regressors.models import FeatureModel, TextNum
from regressors.rows import TrainingRows

WORDS = [
    "the",
    "a",
    "of",
    "in",
    "on",
    "to",
    "and",
    "with",
    "from",
    "council",
    "river",
    "bridge",
    "morning",
    "company",
    "price",
    "report",
    "minister",
    "school",
    "team",
    "film",
    "story",
    "actor",
    "water",
    "market",
    "city",
    "train",
    "doctor",
    "garden",
    "winter",
    "paper",
    "money",
    "music",
    "student",
    "window",
    "letter",
    "kitchen",
    "island",
    "opened",
    "closed",
    "sold",
    "bought",
    "moved",
    "wrote",
    "found",
    "lost",
    "kept",
    "built",
    "played",
    "watched",
    "carried",
    "answered",
    "visited",
    "painted",
]


class SmallEncoder:
    """Stands in for a sentence encoder: the mean of vectors that are drawn from each word's hash, so that texts with
    common words are near each other."""

    name, version, sha256, size = "small", "1", "0" * 64, 24

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [np.mean([_word_vector(word, self.size) for word in text.split() or [""]], axis=0) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.size)


@cache
def _word_vector(word: str, size: int) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(word.encode("utf-8", "replace")).digest()[:8])
    return np.random.default_rng(seed).normal(size=size)


@pytest.fixture
def small_groups() -> dict[str, FeatureGroup]:
    """In place of the groups of the default model."""
    return {"encoder": EncoderFeatures(SmallEncoder())}  # type: ignore[arg-type]


@pytest.fixture
def small_model(small_groups: dict[str, FeatureGroup]) -> TextNum:
    return TextNum(FeatureModel((small_groups["encoder"],), "ridge"), FeatureModel((LexicalFeatures(),), "linear"))


def judged_texts(originals: int, *, variants: int = 3, judgements: int = 1, noise: float = 0.5, seed: int = 0) -> TrainingRows:
    """Each original unspoilt and with up to five words spoilt; scores 1–5 rise with the number of spoilt words."""
    rng = np.random.default_rng(seed)
    texts, scores, names = [], [], []
    for original in range(originals):
        words = rng.choice(WORDS, size=12).tolist()
        for spoilt in rng.choice(6, size=variants, replace=False).tolist():
            changed = list(words)
            for position in rng.choice(12, size=spoilt, replace=False):
                changed[position] = changed[position][::-1] + "qx"
            for _ in range(judgements):
                texts.append(" ".join(changed))
                scores.append(int(np.clip(round(1 + 0.8 * spoilt + rng.normal(scale=noise)), 1, 5)))
                names.append(f"original {seed}.{original}")
    return TrainingRows(texts, scores, names)


@pytest.fixture
def make_rows() -> Callable[..., TrainingRows]:
    return judged_texts
