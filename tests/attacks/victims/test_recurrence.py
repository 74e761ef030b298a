"""The shared walk of an LSTM over many sequences, beside PyTorch's own over each."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from attacks.victims.recurrence import Cell, last_states
from tests.random_models import drawn


@pytest.fixture(scope="module")
def lstm() -> torch.nn.LSTM:
    return drawn(lambda: torch.nn.LSTM(3, 5, batch_first=True).double())


@pytest.fixture(scope="module")
def vectors() -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(0).normal(size=(4, 3)))


def cell_of(lstm: torch.nn.LSTM) -> Cell:
    return lstm.weight_ih_l0, lstm.weight_hh_l0, lstm.bias_ih_l0, lstm.bias_hh_l0


SEQUENCES = [
    [(2,)],
    [(0, 1, 2)],
    [(0, 1, 2), (0, 1, 3), (0, 2, 2), (1,), (0, 1), (0, 1, 2, 3, 3)],
    [(1, 1, 1), (1, 1), (1,), (1, 1, 1)],
]


@pytest.mark.parametrize("sequences", SEQUENCES)
def test_it_equals_the_lstm_over_each_sequence(
    sequences: list[tuple[int, ...]], lstm: torch.nn.LSTM, vectors: torch.Tensor
) -> None:
    with torch.inference_mode():
        found = last_states(cell_of(lstm), vectors, sequences)
        alone = [lstm(vectors[torch.tensor(sequence)][None])[1][0][0, 0] for sequence in sequences]
    np.testing.assert_allclose(found.numpy(), np.array(alone), atol=1e-14)


def test_a_common_beginning_is_one_step(lstm: torch.nn.LSTM, vectors: torch.Tensor, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    one_step = torch.lstm_cell

    def counted(given: torch.Tensor, *rest: object) -> tuple[torch.Tensor, torch.Tensor]:
        steps.append(len(given))
        return one_step(given, *rest)

    monkeypatch.setattr(torch, "lstm_cell", counted)
    with torch.inference_mode():
        last_states(cell_of(lstm), vectors, SEQUENCES[2])
    # 0 and 1; then 01 and 02; then 012, 013, 022; then 0123; then 01233
    assert steps == [2, 2, 3, 1, 1]
