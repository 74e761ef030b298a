"""SMART's two regularisers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from regressors.models.fine_tuned import NETWORK, FineTuned
from regressors.models.network import Batch, batch_of, outputs
from regressors.models.smart import Smart, SmartPenalty, passes, random_states
from regressors.models.tuning import rows_of
from scoring.model_folder import load_tensors

Scored = tuple[list[str], np.ndarray]


def tuned(base: str, scored: Scored, **options: Any) -> FineTuned:
    return FineTuned(base, **({"tokens": 16, "most_epochs": 3, "rate": 3e-3, "batch": 8} | options)).fit(*scored)


@pytest.fixture(scope="module")
def plain(tiny_bert: str, scored: Scored) -> FineTuned:
    return tuned(tiny_bert, scored)


def batch(model: FineTuned, texts: list[str]) -> Batch:
    rows = rows_of(model.represent(texts), np.empty((len(texts), 0)), None)
    return batch_of(rows, np.arange(len(texts)), 0, "cpu")


def test_without_weights_it_is_plain_training_bit_for_bit(tiny_bert: str, scored: Scored, plain: FineTuned) -> None:
    smart = tuned(tiny_bert, scored, smart_weight=0.0, bregman_weight=0.0, smart_radius=0.5)

    assert smart.learned()[NETWORK] == plain.learned()[NETWORK]


def test_with_weights_near_zero_it_is_nearly_plain_training(tiny_bert: str, scored: Scored, plain: FineTuned) -> None:
    """What is dropped at each step must be the same, or the weights would be others altogether."""
    smart = tuned(tiny_bert, scored, smart_weight=1e-9, bregman_weight=1e-9)
    ours, theirs = (load_tensors(model.learned()[NETWORK]) for model in (smart, plain))

    for name in theirs:
        np.testing.assert_allclose(ours[name], theirs[name], atol=2e-4, err_msg=name)


def test_a_small_change_of_the_embeddings_moves_a_smooth_model_less(tiny_bert: str, scored: Scored) -> None:
    smart = tuned(tiny_bert, scored, smart_weight=3.0, smart_radius=0.05, most_epochs=8)
    plain = tuned(tiny_bert, scored, most_epochs=8)
    texts = scored[0][:40]

    def moved(model: FineTuned) -> float:
        network, read = model.tuned_.network.eval(), batch(model, texts)
        shift = 0.1 * torch.sign(torch.randn((*read.tokens.shape, 16), generator=torch.Generator().manual_seed(0)))
        with torch.inference_mode():
            return float((outputs(network, read, shift) - outputs(network, read)).abs().mean())

    assert moved(smart) < 0.8 * moved(plain)
    assert np.corrcoef(smart.predict(scored[0]), scored[1])[0, 1] > 0.7


def test_the_worst_change_moves_more_than_chance_and_stays_within_the_radius(plain: FineTuned, scored: Scored) -> None:
    network, read = plain.tuned_.network.eval(), batch(plain, scored[0][:20])
    penalty = SmartPenalty(Smart(1.0, 0.0, 0.05), network, 0)
    out = outputs(network, read).detach()
    again = passes(read, random_states("cpu"))
    worst = penalty._worst_shift(network, read, out, again)
    chance = 0.05 * torch.sign(torch.randn(worst.shape, generator=torch.Generator().manual_seed(1)))
    moved = [((again(network, shift) - out) ** 2).mean().item() for shift in (worst, chance * worst.abs().mean() / 0.05)]

    assert worst.abs().amax(dim=(1, 2)).tolist() == pytest.approx([0.05] * 20, rel=0.1)
    assert worst.abs().max() <= 0.05 + 1e-9
    assert moved[0] > 3 * moved[1]
    assert penalty(network, read, out, again).item() == pytest.approx(moved[0], rel=0.5)


def test_the_teacher_is_a_mean_over_past_weights(plain: FineTuned, scored: Scored) -> None:
    network, read = plain.tuned_.network.train(), batch(plain, scored[0][:20])
    penalty = SmartPenalty(Smart(0.0, 2.0, 0.05), network, 0)
    states = random_states("cpu")
    again = passes(read, states)
    out = again(network, None)
    unmoved = penalty(network, read, out, again).item()
    head = network["head"][1]
    kept = head.bias.detach().clone()
    with torch.no_grad():
        head.bias += 1.0
    moved = penalty(network, read, again(network, None), again).item()
    penalty.follow(network, early=True)
    early = penalty(network, read, again(network, None), again).item()
    penalty.follow(network, early=False)
    late = penalty(network, read, again(network, None), again).item()
    with torch.no_grad():
        head.bias.copy_(kept)

    assert unmoved == 0
    assert moved == pytest.approx(2.0, rel=1e-4)
    assert early == pytest.approx(2.0 * 0.99**2, rel=1e-4)
    assert late == pytest.approx(2.0 * (0.99 * 0.999) ** 2, rel=1e-4)


def test_near_its_teacher_a_model_learns_less_fast(tiny_bert: str, scored: Scored, plain: FineTuned) -> None:
    held = tuned(tiny_bert, scored, bregman_weight=30.0)

    assert np.std(held.predict(scored[0])) < 0.8 * np.std(plain.predict(scored[0]))
