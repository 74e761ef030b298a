"""A tiny Transformer, and texts whose scores it can learn."""

from __future__ import annotations

import numpy as np
import pytest

from tests.regressors.models import tiny

Scored = tuple[list[str], np.ndarray]


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny.transformer(tmp_path_factory.mktemp("bases") / "bert")


@pytest.fixture(scope="session")
def scored() -> Scored:
    """80 texts of 4 to 12 words; the more of these are odd, the higher the score, from 1 to 5."""
    rng = np.random.default_rng(0)
    texts, scores = [], []
    for _ in range(80):
        length = int(rng.integers(4, 13))
        odd = int(rng.integers(0, 5))
        words = [*rng.choice(tiny.PLAIN, size=length - odd), *rng.choice(tiny.ODD, size=odd)]
        texts.append(" ".join(rng.permutation(words)))
        scores.append(1.0 + odd)
    return texts, np.array(scores)
