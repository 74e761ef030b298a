from __future__ import annotations

import numpy as np
import pytest

from attacks.resources import Resources
from attacks.tasks import Row, Task


@pytest.fixture(scope="session")
def weather() -> Task:
    """Texts of both labels that a word or two tell apart, with words common to both."""
    rng = np.random.default_rng(0)
    common = ["the", "report", "about", "rain", "in", "our", "town", "was", "read", "by", "some", "people", "on", "monday"]
    telling = [["official", "measured", "expects", "forecast"], ["shocking", "secret", "unbelievable", "exposed"]]

    def row(i: int) -> Row:
        words = [*rng.choice(common, 6), *rng.choice(telling[i % 2], 2)]
        return Row(i % 2, "made for tests", " ".join(rng.permutation(words)))

    rows = [row(i) for i in range(160)]
    return Task("weather", rows[:100], rows[100:130], rows[130:])


@pytest.fixture(scope="session")
def resources(tmp_path_factory: pytest.TempPathFactory) -> Resources:
    """Enough for every attacker of the registry: a tiny masked language model and a tiny paraphraser, both trained here."""
    from tests.attacks import tiny_models

    folder = tmp_path_factory.mktemp("models")
    return Resources(
        masked_lm=str(tiny_models.masked_lm(folder / "tiny-bert")),
        paraphraser=str(tiny_models.paraphraser(folder / "tiny-bart")),
    )
