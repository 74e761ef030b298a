"""A bidirectional LSTM over word pieces, as BODEGA has it (Przybyła et al. 2023), with packed sequences.

Embeddings of 32, one bidirectional layer of 128, the two end states joined, a linear layer to two labels; Adam 0.001,
batches of 32. Packing makes a text's answer independent of how much padding its batch happened to bring.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from attacks.errors import AttackError
from attacks.tasks.layout import Row
from attacks.victims.wordpieces import WordPieces
from scoring.model_folder import dump_tensors, load_tensors

if TYPE_CHECKING:
    import torch

_ROUNDED_TO = 9  # decimals; see predict_proba


class BiLSTMVictim:
    """See the module. ``weights`` are float32 arrays by parameter name; ``embedding`` and ``hidden`` are sizes."""

    kind = "bilstm"

    def __init__(
        self,
        weights: Mapping[str, np.ndarray],
        *,
        embedding: int = 32,
        hidden: int = 128,
        longest: int = 512,
        sha256: str = "",
    ) -> None:
        self.name = "bilstm"
        self.sha256 = sha256
        self.weights = dict(weights)
        self.embedding, self.hidden, self.longest = embedding, hidden, longest
        self.pieces = WordPieces(longest)
        self._network = _network_of(self.pieces.size, embedding, hidden, self.weights)

    @classmethod
    def train(
        cls,
        rows: Sequence[Row],
        *,
        seed: int = 0,
        progress: Callable[[int, int, str], None] | None = None,
        epochs: int = 10,
        embedding: int = 32,
        hidden: int = 128,
        batch: int = 32,
        rate: float = 0.001,
        longest: int = 512,
    ) -> BiLSTMVictim:
        """Train on labelled rows; the same seed gives the same weights on one machine with one number of threads."""
        import torch

        pieces = WordPieces(longest)
        encoded = pieces.encode([row.text for row in rows])
        labels = torch.tensor([row.label for row in rows])
        rng = np.random.default_rng(seed)
        network = _fresh_network(pieces.size, embedding, hidden, seed)
        optimiser = torch.optim.Adam(network.parameters(), lr=rate)
        network.train()
        for epoch in range(epochs):
            losses = []
            order = rng.permutation(len(rows))
            for chosen in (order[i : i + batch] for i in range(0, len(rows), batch)):
                logits = _forward(network, [encoded[i] for i in chosen])
                loss = torch.nn.functional.cross_entropy(logits, labels[chosen])
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                losses.append(loss.item())
            if progress:
                progress(epoch + 1, epochs, f"BiLSTM victim: epoch {epoch + 1}, loss {np.mean(losses):.3f}")
        weights = {name: tensor.detach().numpy().copy() for name, tensor in network.state_dict().items()}
        return cls(weights, embedding=embedding, hidden=hidden, longest=longest)

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        """Probabilities [n, 2], the same in any batch.

        Matrix products of different heights differ in their last bits. Calculating in double precision and rounding to
        nine decimals hides that, so two texts of equal pieces tie in every batch.
        """
        import torch

        encoded = [tuple(pieces) for pieces in self.pieces.encode(texts)]
        distinct = sorted(set(encoded), key=lambda pieces: (len(pieces), pieces))
        answers: dict[tuple[int, ...], np.ndarray] = {}
        with torch.inference_mode():
            for batch in (distinct[i : i + 256] for i in range(0, len(distinct), 256)):
                probabilities = torch.softmax(_forward(self._network, batch), dim=1).numpy()
                answers.update(zip(batch, np.round(probabilities, _ROUNDED_TO), strict=True))
        return np.array([answers[pieces] for pieces in encoded], dtype=np.float64).reshape(-1, 2)

    def files(self) -> dict[str, bytes]:
        return {"weights.safetensors": dump_tensors(self.weights)}

    @classmethod
    def from_files(cls, files: Mapping[str, bytes], card: Mapping[str, Any], sha256: str) -> BiLSTMVictim:
        sizes = {name: int(card["parameters"][name]) for name in ("embedding", "hidden", "longest")}
        victim = cls(load_tensors(files["weights.safetensors"]), **sizes, sha256=sha256)
        if card["resources"]["tokenizer_sha256"] != victim.pieces.sha256:
            raise AttackError("the victim was trained with another word-piece vocabulary than the one installed here")
        return victim

    @property
    def resources(self) -> dict[str, str]:
        return {"tokenizer_sha256": self.pieces.sha256}


def _fresh_network(pieces: int, embedding: int, hidden: int, seed: int) -> torch.nn.ModuleDict:
    """A network to train, its weights drawn from the seed; torch's own generator stays as it was."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return torch.nn.ModuleDict(
            {
                "embedding": torch.nn.Embedding(pieces, embedding),
                "lstm": torch.nn.LSTM(embedding, hidden, batch_first=True, bidirectional=True),
                "linear": torch.nn.Linear(2 * hidden, 2),
            }
        )


def _network_of(pieces: int, embedding: int, hidden: int, weights: Mapping[str, np.ndarray]) -> torch.nn.ModuleDict:
    """A network of given weights to ask, in double precision."""
    import torch

    network = _fresh_network(pieces, embedding, hidden, seed=0)
    try:
        network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
    except RuntimeError as error:
        raise AttackError(f"the weights do not fit a BiLSTM of these sizes: {error}") from None
    return network.double().eval()


def _forward(network: torch.nn.ModuleDict, encoded: Sequence[Sequence[int]]) -> torch.Tensor:
    """Logits [n, 2] of lists of word pieces."""
    import torch
    from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

    lengths = torch.tensor([len(pieces) for pieces in encoded])
    padded = pad_sequence([torch.tensor(pieces) for pieces in encoded], batch_first=True)
    packed = pack_padded_sequence(network["embedding"](padded), lengths, batch_first=True, enforce_sorted=False)
    _, (state, _) = network["lstm"](packed)
    logits: torch.Tensor = network["linear"](torch.cat([state[0], state[1]], dim=1))
    return logits
