"""How a network is trained, and for how many epochs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from regressors.models import tuning
from regressors.models.network import network_of
from regressors.models.pretrained import pretrained
from regressors.models.smart import Smart
from regressors.models.tuning import Recipe, choose_epochs, own_random_numbers, tune
from regressors.targets import Targets, targets_of
from tests.regressors.models import tiny

PLAIN = Recipe(most_epochs=10, rate=1e-3, batch=8, smart=Smart(0, 0, 0.1), seed=0, device="cpu")
TOKENS = np.array([[2.0, 4 + row % 20, 3] for row in range(40)])
NO_NUMBERS = np.empty((40, 0))


class Oracle:
    """Stands in for a network of which it is known how well it does after each epoch."""

    def __init__(self, r: float, told: Targets) -> None:
        self.r, self.told = r, told

    def predict(self, tokens: Any, numbers: Any, device: str) -> Any:
        labels = (tokens[:, 1] - tokens[:, 1].mean()) / tokens[:, 1].std()
        other = np.where(np.arange(len(labels)) % 2, 1.0, -1.0)
        other -= other.mean() + labels * (labels @ other) / len(labels)
        return self.r * labels + np.sqrt(1 - self.r**2) * other / other.std()


@pytest.mark.parametrize(
    ("course", "chosen", "tried"),
    [
        ([0.1, 0.5, 0.3, 0.4, 0.2, 0.9], 2, 5),
        ([0.4, 0.3, 0.2, 0.5, 0.1, 0.1, 0.1, 0.9], 4, 7),
        ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9], 10, 10),
    ],
)
def test_the_best_epoch_is_taken_and_three_worse_ones_end_the_search(
    course: list[float], chosen: int, tried: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Targets] = []

    def known(base: Any, tokens: Any, numbers: Any, told: Targets, recipe: Recipe, epochs: int, message: str) -> Iterator[Oracle]:
        seen.append(told)
        assert epochs == 10
        return (Oracle(r, told) for r in course)

    monkeypatch.setattr(tuning, "tune", known)
    groups = np.repeat(np.arange(10), 4)
    told = targets_of(TOKENS[:, 1], groups=groups)

    found = choose_epochs(None, TOKENS, NO_NUMBERS, told, PLAIN)  # type: ignore[arg-type]

    assert found[0] == chosen and found[1] == pytest.approx(course[:tried])
    assert {group: list(seen[0].groups).count(group) for group in set(seen[0].groups)} == dict.fromkeys(set(seen[0].groups), 4)
    assert len(seen[0]) == 32


@pytest.mark.parametrize(
    ("told", "most", "chosen"),
    [
        (targets_of(TOKENS[:, 1], groups=np.zeros(40)), 10, 3),
        (targets_of(TOKENS[:, 1], groups=np.zeros(40)), 2, 2),
        (targets_of(np.ones(40)), 10, 3),
        (targets_of(TOKENS[:, 1]), 1, 1),
    ],
    ids=["one group", "one group, few epochs", "equal scores", "one epoch"],
)
def test_where_nothing_can_be_chosen_by_the_number_is_fixed(told: Targets, most: int, chosen: int) -> None:
    recipe = Recipe(most, 1e-3, 8, Smart(0, 0, 0.1), 0, "cpu")

    assert choose_epochs(None, TOKENS, NO_NUMBERS, told, recipe) == (chosen, [])  # type: ignore[arg-type]


def test_the_first_epochs_of_a_long_training_are_a_short_one(tiny_bert: str) -> None:
    told = targets_of(TOKENS[:, 1])

    def weights(epochs: int, after: int) -> dict[str, Any]:
        with own_random_numbers("cpu"):
            course = tune(pretrained(tiny_bert), TOKENS, NO_NUMBERS, told, PLAIN, epochs, "")
            for _ in range(after):
                tuned = next(course)
        return {name: tensor.clone() for name, tensor in tuned.network.state_dict().items()}

    short, long = weights(2, 2), weights(5, 2)
    assert all(torch.equal(short[name], long[name]) for name in short)


def test_the_rate_rises_over_the_first_epoch_and_stays(tiny_bert: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rates: list[list[float]] = []
    step = torch.optim.AdamW.step

    def watched(self: torch.optim.AdamW, *args: Any, **kwargs: Any) -> Any:
        rates.append([group["lr"] for group in self.param_groups])
        return step(self, *args, **kwargs)

    monkeypatch.setattr(torch.optim.AdamW, "step", watched)
    with own_random_numbers("cpu"):
        list(tune(pretrained(tiny_bert), TOKENS, NO_NUMBERS, targets_of(TOKENS[:, 1]), PLAIN, 2, ""))

    assert [rate[0] for rate in rates] == pytest.approx([2e-4, 4e-4, 6e-4, 8e-4, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3])


@pytest.mark.parametrize("kind", ["bert", "xlnet"])
def test_neither_biases_nor_gains_are_pulled_to_zero(kind: str, tmp_path: Path) -> None:
    """Some of XLNet's biases are matrices."""
    network = network_of(pretrained(tiny.transformer(tmp_path / kind, kind)).encoder(), 0)
    name_of = {id(parameter): name for name, parameter in network.named_parameters()}
    groups = tuning._optimizer(network, 1e-3).param_groups
    pulled = {name_of[id(parameter)] for group in groups if group["weight_decay"] == 0.01 for parameter in group["params"]}
    free = {name_of[id(parameter)] for group in groups if group["weight_decay"] == 0.0 for parameter in group["params"]}

    assert pulled | free == set(name_of.values())
    assert free == {name for name in name_of.values() if name.endswith("bias") or "layernorm" in name.lower().replace("_", "")}


def test_texts_of_like_length_are_read_together_and_each_once() -> None:
    from regressors.models.network import Rows, training_batches

    rng = np.random.default_rng(0)
    lengths = rng.integers(1, 60, size=500)
    tokens = np.where(np.arange(60) < lengths[:, None], 7, -1)
    rows = Rows(tokens, np.zeros((500, 0), np.float32))
    first, second = training_batches(rows, 8, rng), training_batches(rows, 8, rng)

    assert sorted(np.concatenate(first)) == list(range(500))
    read = sum(len(batch) * lengths[batch].max() for batch in first)
    assert read < 1.15 * lengths.sum()
    assert [sorted(batch) for batch in first] != [sorted(batch) for batch in second]
    longest = [lengths[batch].max() for batch in first]
    assert longest != sorted(longest), "short ones do not come first"
