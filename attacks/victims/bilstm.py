"""A bidirectional LSTM over word pieces, as BODEGA has it (Przybyła et al. 2023), with packed sequences.

Embeddings of 32, one bidirectional layer of 128, the two end states joined, a linear layer to two labels; Adam 0.001,
batches of 32. Packing makes a text's answer independent of how much padding its batch happened to bring.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from attacks.errors import AttackError
from attacks.tasks.layout import Row
from attacks.victims.epochs import KeptEpochs, train_in_epochs
from attacks.victims.memory import torch_memory
from attacks.victims.recurrence import Cell, last_states
from attacks.victims.victim import Progress
from attacks.victims.weights import WEIGHTS, read_weights
from attacks.victims.wordpieces import WordPieces
from scoring.model_folder import dump_tensors

if TYPE_CHECKING:
    import torch

_ROUNDED_TO = 9  # decimals; see predict_proba
_PIECES_AT_ONCE = 50_000  # bounds what a call holds in memory


class BiLSTMVictim:
    """See the module. ``weights`` are float32 arrays by parameter name; ``embedding`` and ``hidden`` are sizes."""

    kind: ClassVar = "bilstm"
    libraries: ClassVar = ("numpy", "torch", "tokenizers")

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
        progress: Progress | None = None,
        kept: KeptEpochs | None = None,
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
        network = _fresh_network(pieces.size, embedding, hidden, seed)

        def loss_of(chosen: np.ndarray) -> torch.Tensor:
            logits = _logits(network, [encoded[i] for i in chosen])
            return torch.nn.functional.cross_entropy(logits, labels[chosen])

        train_in_epochs(
            network, loss_of, n=len(rows), epochs=epochs, batch=batch, rate=rate, seed=seed, progress=progress, kept=kept
        )
        weights = {name: tensor.detach().numpy().copy() for name, tensor in network.state_dict().items()}
        return cls(weights, embedding=embedding, hidden=hidden, longest=longest)

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        """Probabilities [n, 2], the same in any batch.

        Matrix products of different heights differ in their last bits. Calculating in double precision and rounding to
        nine decimals hides that, so two texts of equal pieces tie in every batch.
        """
        encoded = [tuple(pieces) for pieces in self.pieces.encode(texts)]
        answers: dict[tuple[int, ...], np.ndarray] = {}
        for batch in _batches(sorted(set(encoded))):
            answers.update(zip(batch, np.round(self._probabilities(batch), _ROUNDED_TO), strict=True))
        return np.array([answers[pieces] for pieces in encoded], dtype=np.float64).reshape(-1, 2)

    def _probabilities(self, encoded: Sequence[tuple[int, ...]]) -> np.ndarray:
        import torch

        network, embedding = self._network, self._network["embedding"]
        vectors: Any = embedding.weight
        with torch.inference_mode(), torch_memory():
            onwards = last_states(_cell(network, "l0"), vectors, encoded)
            backwards = last_states(_cell(network, "l0_reverse"), vectors, [pieces[::-1] for pieces in encoded])
            logits = network["linear"](torch.cat([onwards, backwards], dim=1))
            probabilities: np.ndarray = torch.softmax(logits, dim=1).numpy()
        return probabilities

    def files(self) -> dict[str, bytes]:
        return {WEIGHTS: dump_tensors(self.weights)}

    @classmethod
    def from_files(cls, files: Mapping[str, bytes], card: Mapping[str, Any], sha256: str) -> BiLSTMVictim:
        sizes = {name: int(card["parameters"][name]) for name in ("embedding", "hidden", "longest")}
        victim = cls(read_weights(files), **sizes, sha256=sha256)
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


def _logits(network: torch.nn.ModuleDict, encoded: Sequence[Sequence[int]]) -> torch.Tensor:
    """Logits [n, 2] of lists of word pieces, to learn by."""
    import torch
    from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

    lengths = torch.tensor([len(pieces) for pieces in encoded])
    padded = pad_sequence([torch.tensor(pieces) for pieces in encoded], batch_first=True)
    packed = pack_padded_sequence(network["embedding"](padded), lengths, batch_first=True, enforce_sorted=False)
    _, (state, _) = network["lstm"](packed)
    logits: torch.Tensor = network["linear"](torch.cat([state[0], state[1]], dim=1))
    return logits


def _cell(network: torch.nn.ModuleDict, direction: str) -> Cell:
    lstm: Any = network["lstm"]
    return tuple(getattr(lstm, f"{name}_{direction}") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))


def _batches(encoded: Sequence[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    batch: list[tuple[int, ...]] = []
    size = 0
    for pieces in encoded:
        batch.append(pieces)
        size += len(pieces)
        if size >= _PIECES_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
