"""A Transformer with a regression head: batches of token numbers, and numbers of features, to one number per text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

DROPPED: Final = 0.1
NO_TOKEN: Final = -1
_PREDICTED_AT_ONCE: Final = 64


@dataclass(frozen=True, slots=True)
class Rows:
    """`tokens`: int64 [n, most], NO_TOKEN after the last one; `numbers`: float32 [n, columns], standard normal."""

    tokens: NDArray[np.int64]
    numbers: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def lengths(self) -> NDArray[np.int64]:
        return (self.tokens != NO_TOKEN).sum(axis=1)

    def by_length(self) -> NDArray[np.int64]:
        """Places by length and, among equals, by the tokens: an order that does not depend on the order of the rows."""
        return np.lexsort([*self.tokens.T[::-1], self.lengths])


@dataclass(frozen=True, slots=True)
class Batch:
    """Tensors: `tokens` and `mask` int64 [n, longest], `numbers` float32 [n, columns]."""

    tokens: Any
    mask: Any
    numbers: Any


def batch_of(rows: Rows, places: Sequence[int] | NDArray[np.int64], padding: int, device: str) -> Batch:
    import torch

    tokens = rows.tokens[places]
    tokens = tokens[:, : int((tokens != NO_TOKEN).sum(axis=1).max())]
    mask = tokens != NO_TOKEN
    filled = np.where(mask, tokens, padding)
    tensors = (torch.from_numpy(array).to(device) for array in (filled, mask.astype(np.int64), rows.numbers[places]))
    return Batch(*tensors)


def network_of(encoder: Any, numbers: int) -> Any:
    """The encoder, and a linear head on its mean token vector beside so many numbers."""
    from torch import nn

    head = nn.Sequential(nn.Dropout(DROPPED), nn.Linear(encoder.config.hidden_size + numbers, 1))
    return nn.ModuleDict({"encoder": encoder, "head": head})


def outputs(network: Any, batch: Batch, shift: Any = None) -> Any:
    """One number per text, [n]. `shift` [n, longest, size of embeddings] is added to the embeddings of the tokens."""
    import torch

    embedded = network["encoder"].get_input_embeddings()(batch.tokens)
    embedded = embedded if shift is None else embedded + shift
    hidden = network["encoder"](inputs_embeds=embedded, attention_mask=batch.mask).last_hidden_state
    mask = batch.mask.unsqueeze(-1).to(hidden.dtype)
    mean = (hidden * mask).sum(dim=1) / mask.sum(dim=1)
    return network["head"](torch.cat([mean, batch.numbers], dim=1)).squeeze(1)


def predicted(network: Any, rows: Rows, padding: int, device: str) -> NDArray[np.float64]:
    """The outputs without dropping anything, float64 [n]; texts of like length are read together."""
    import torch

    network.eval()
    result = np.empty(len(rows))
    with torch.inference_mode():
        for places in _portions(rows.by_length(), _PREDICTED_AT_ONCE):
            result[places] = outputs(network, batch_of(rows, places, padding, device)).cpu().numpy()
    return result


def training_batches(rows: Rows, size: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Places of one epoch's batches: drawn anew each time, texts of like length together within pools of some batches, so that
    little is spent on padding and yet no two epochs have the same batches."""
    batches = [
        batch
        for pool in _portions(rng.permutation(len(rows)), 16 * size)
        for batch in _portions(pool[np.argsort(rows.lengths[pool], kind="stable")], size)
    ]
    return [batches[place] for place in rng.permutation(len(batches))]


def _portions(places: NDArray[np.int64], size: int) -> Iterator[NDArray[np.int64]]:
    for start in range(0, len(places), size):
        yield places[start : start + size]
