from __future__ import annotations

from itertools import product
from statistics import median

import numpy as np
import pytest

from scoring.judgements.label_distribution import Label, label_moments
from scoring.result import ScoringError

PROBABILITIES = np.array([[0.1, 0.2, 0.4, 0.2, 0.1], [0.0, 0.0, 0.3, 0.0, 0.7], [1.0, 0.0, 0.0, 0.0, 0.0]])
POINTS = np.array([1.0, 2.0, 3.0, 4.0, 5.0])


@pytest.mark.parametrize("label", ["median", "mean"])
@pytest.mark.parametrize("judgements", [1, 2, 3, 4, 5])
def test_moments_are_those_of_all_possible_answers(judgements: int, label: Label) -> None:
    first, second = np.zeros(3), np.zeros(3)
    for scores in product(range(5), repeat=judgements):
        value = (median if label == "median" else np.mean)([POINTS[score] for score in scores])
        chance = PROBABILITIES[:, list(scores)].prod(axis=1)
        first, second = first + chance * value, second + chance * value**2
    found = label_moments(PROBABILITIES, POINTS, judgements, label)
    np.testing.assert_allclose(found, [first, second], atol=1e-12)


def test_no_judgement_is_refused() -> None:
    with pytest.raises(ScoringError, match="at least one judgement"):
        label_moments(PROBABILITIES, POINTS, 0, "mean")
