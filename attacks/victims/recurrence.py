"""An LSTM over many sequences at once, each common beginning calculated once.

The texts that an attack asks about are one text with a word changed here or there, so most of what a recurrent network
reads has been read before: sorted, sequences that begin alike stand together, and form a tree whose nodes are the distinct
beginnings. The network takes one step for each node instead of one for each piece of each sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch

Cell = tuple["torch.Tensor", "torch.Tensor", "torch.Tensor", "torch.Tensor"]
"""Weights of input and state [4 * hidden, …], and their biases [4 * hidden], gates in PyTorch's order."""


def last_states(cell: Cell, vectors: torch.Tensor, sequences: Sequence[tuple[int, ...]]) -> torch.Tensor:
    """The state [n, hidden] in which the cell is after each of the sequences, which hold at least one index of ``vectors``."""
    import torch

    order = sorted(range(len(sequences)), key=lambda place: sequences[place])
    pieces, lengths = _table([sequences[place] for place in order])
    new = _new_nodes(pieces, lengths)
    number = np.cumsum(new, axis=1) - 1  # of the node that a sequence passes through in each step
    step, row = np.nonzero(new)
    nodes = np.bincount(step).tolist()
    inputs = vectors[torch.from_numpy(pieces[step, row])].split(nodes)
    parents = torch.from_numpy(np.where(step > 0, number[step - 1, row], 0)).split(nodes)
    states = memory = torch.zeros(1, cell[1].shape[1], dtype=vectors.dtype)
    last = torch.empty(len(sequences), cell[1].shape[1], dtype=vectors.dtype)
    places = np.array(order)
    for now, (given, parent) in enumerate(zip(inputs, parents, strict=True)):
        states, memory = torch.lstm_cell(given, (states[parent], memory[parent]), *cell)
        if len(ended := np.flatnonzero(lengths == now + 1)):
            last[torch.from_numpy(places[ended])] = states[torch.from_numpy(number[now, ended])]
    return last


def _table(rows: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """The rows as columns of an array [longest, n], filled up with -1, and their lengths [n]."""
    lengths = np.array([len(row) for row in rows])
    table = np.full((int(lengths.max()), len(rows)), -1)
    for column, row in enumerate(rows):
        table[: len(row), column] = row
    return table, lengths


def _new_nodes(pieces: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Where a sequence's beginning is not that of the one before it: bool [longest, n], for sorted sequences."""
    alike = (pieces[:, 1:] == pieces[:, :-1]) & (pieces[:, 1:] >= 0)
    shared = np.concatenate([[0], np.cumprod(alike, axis=0).sum(axis=0)])
    steps = np.arange(len(pieces))[:, np.newaxis]
    new: np.ndarray = (shared <= steps) & (steps < lengths)
    return new
