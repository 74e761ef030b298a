from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from scoring.texts.meaning.model import DecidedPairs


class SharedLetters:
    """Stands in for an encoder: how many of the letters two texts share."""

    name, version, sha256 = "shared letters", "1", "a" * 64

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [len({*old} & {*new}) / max(1, len({*old} | {*new})) for old, new in pairs]


@pytest.fixture
def scorer() -> SharedLetters:
    return SharedLetters()


NOUNS = ("river", "teacher", "garden", "window", "doctor", "village", "bridge", "market", "forest", "letter")


@pytest.fixture
def decided() -> DecidedPairs:
    """Look-alikes keep the meaning, another word does not; one decision in ten is the other way round."""
    rng = np.random.default_rng(3)
    pairs, preserved = [], []
    for number in range(40):
        noun, other = rng.choice(NOUNS, size=2, replace=False)
        original = f"report {number} : the {noun} was seen in the old town . ~ the {noun} was seen ."
        for word, kept in ((noun.replace("e", "е"), True), (other, False)):
            pairs.append((original, original.replace(noun, word)))
            preserved.append(bool(kept ^ (rng.random() < 0.1)))
    return DecidedPairs.of(pairs, preserved)
