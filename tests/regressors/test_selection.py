"""Which texts are selected, with which probabilities, and that the recorded ones are those of the draw."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from regressors.errors import RegressorError
from regressors.selection import FLOOR, inclusion_probabilities, measured, select, systematic

NAMES = [f"text {number}" for number in range(12)]


def says(*scores: float, spread: tuple[float, ...] = (), scale: tuple[float, float] = (1.0, 5.0)) -> Any:
    """A model that says this of the texts a, b, …"""
    return SimpleNamespace(
        predict=lambda texts: np.array([scores["abc".index(text)] for text in texts]),
        uncertainty=lambda texts: np.array([spread["abc".index(text)] for text in texts]),
        card={"data": {"scale": list(scale)}},
    )


def test_probabilities_are_a_floor_and_the_rest_in_proportion_to_size() -> None:
    sizes = np.array([1.0, 2.0, 3.0, 4.0])
    found = inclusion_probabilities(sizes, 2)

    assert found == pytest.approx(2 * (FLOOR / 4 + (1 - FLOOR) * sizes / 10))
    assert found.sum() == pytest.approx(2)


def test_what_would_have_more_than_one_is_certain_and_the_others_share_the_rest() -> None:
    found = inclusion_probabilities(np.array([100.0, 1.0, 1.0, 2.0]), 2, floor=0.0)

    assert found.tolist() == pytest.approx([1.0, 0.25, 0.25, 0.5])


@pytest.mark.parametrize("sizes", [[0.0, 0.0, 0.0], [0.0, 5.0, 1.0]])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_every_text_has_a_chance(sizes: list[float], size: int) -> None:
    found = inclusion_probabilities(np.array(sizes), size)

    assert ((found > 0) & (found <= 1)).all()
    assert found.sum() == pytest.approx(size)


def test_texts_are_selected_as_often_as_their_probability_says() -> None:
    probabilities = inclusion_probabilities(np.arange(12.0) ** 2, 5)
    drawn = np.array([systematic(NAMES, probabilities, seed) for seed in range(4_000)])

    assert set(drawn.sum(axis=1).tolist()) == {5}
    # Four standard errors of a share from so many draws.
    assert (np.abs(drawn.mean(axis=0) - probabilities) < 4 * np.sqrt(0.25 / 4_000)).all()


def test_weights_of_one_over_the_probability_estimate_the_total_of_all() -> None:
    values = np.linspace(1, 5, 12)
    probabilities = inclusion_probabilities(values[::-1], 4)
    totals = [(values / probabilities)[systematic(NAMES, probabilities, seed)].sum() for seed in range(4_000)]

    assert np.mean(totals) == pytest.approx(values.sum(), abs=4 * np.std(totals) / np.sqrt(4_000))


def test_the_order_of_the_texts_does_not_matter() -> None:
    shuffled = np.random.default_rng(1).permutation(12).tolist()
    first = select(NAMES, 5, strategy="random", seed=3)
    second = select([NAMES[place] for place in shuffled], 5, strategy="random", seed=3)

    assert first.chosen[shuffled].tolist() == second.chosen.tolist()
    assert first.probabilities.tolist() == pytest.approx([5 / 12] * 12)
    assert select(NAMES, 5, strategy="random", seed=4).chosen.tolist() != first.chosen.tolist()


def test_uncertain_asks_the_newest_and_disagreeing_all_models() -> None:
    models = [says(1.0, 2.0, 3.0, spread=(9.0, 9.0, 9.0)), says(3.0, 2.0, 4.0, spread=(0.1, 0.2, 0.3))]

    assert measured(["b", "a"], "uncertain", models).tolist() == [0.2, 0.1]
    assert measured(["c", "b", "a"], "disagreeing", models).tolist() == [0.5, 0.0, 1.0]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"size": 4}, "From 3 texts, 1 to 3 can be selected, not 4"),
        ({"size": 0}, "1 to 3 can be selected, not 0"),
        ({"texts": ["a", "a"], "size": 1}, "Some of the texts are the same"),
        ({"strategy": "best"}, "There is no strategy 'best': choose among uncertain, disagreeing, random"),
        ({"strategy": "uncertain"}, "takes a model"),
        ({"strategy": "disagreeing", "models": [says(1, 2, 3)]}, "It takes two models to disagree; there is 1"),
        ({"strategy": "disagreeing", "models": [says(1, 2, 3), says(1, 0, 1, scale=(0.0, 1.0))]}, "on different scales"),
    ],
)
def test_what_cannot_be_selected_is_said(how: dict[str, Any], said: str) -> None:
    asked = {"texts": ["a", "b", "c"], "size": 2, "strategy": "random", "seed": 0} | how
    with pytest.raises(RegressorError, match=said):
        select(asked.pop("texts"), asked.pop("size"), **asked)
