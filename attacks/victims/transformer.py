"""A pretrained Transformer with a classification head, trained on as BODEGA trains its victims (Przybyła et al. 2023).

BERT: 5 epochs, Adam with a rate that falls linearly from 5e-5 to 0, batches of 16, 512 pieces of a text. Gemma: the same
with low-rank adapters in place of the weights (Hu et al. 2022, "LoRA"), and with the weights in 4 bits where bitsandbytes
and a GPU exist (Dettmers et al. 2023, "QLoRA"); BODEGA has batches of 4 there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from attacks.errors import AttackError
from attacks.tasks.layout import Row
from attacks.victims.epochs import KeptEpochs, train_in_epochs
from attacks.victims.memory import torch_memory
from attacks.victims.pieces import Encoded, PieceReader, is_pair
from attacks.victims.victim import Progress
from attacks.victims.weights import WEIGHTS, read_weights
from scoring.model_folder import dump_tensors

if TYPE_CHECKING:
    import torch

PRECISIONS: Final = ("double", "single")
_ROUNDED_TO = 9  # decimals; see predict_proba
_PIECES_AT_ONCE = 16_384  # bounds what a call holds in memory


class TransformerVictim:
    """See the module. ``reader`` turns texts into pieces; ``network`` is a Hugging Face model for sequence classification.

    ``single``: in single precision each text is asked alone (see `predict_proba`).
    """

    kind: ClassVar = "transformer"
    name: ClassVar = "transformer"
    libraries: ClassVar = ("numpy", "torch", "transformers", "tokenizers", "peft", "bitsandbytes")

    def __init__(
        self,
        reader: PieceReader,
        network: Any,
        *,
        lora: bool = False,
        single: bool = False,
        device: str = "cpu",
        base_sha256: str = "",
        sha256: str = "",
    ) -> None:
        self.reader, self.lora, self.single, self.device = reader, lora, single, device
        self.base_sha256, self.sha256 = base_sha256, sha256
        self._network = (network if single else network.double()).eval()

    @classmethod
    def train(
        cls,
        rows: Sequence[Row],
        *,
        seed: int = 0,
        progress: Progress | None = None,
        kept: KeptEpochs | None = None,
        base: str = "",
        epochs: int = 5,
        batch: int = 16,
        rate: float = 5e-5,
        longest: int = 512,
        lora: bool = False,
        rank: int = 8,
        four_bit: bool = False,
        precision: str = "double",
        device: str = "cpu",
    ) -> TransformerVictim:
        """Train on labelled rows; the same seed gives the same weights on one machine with one number of threads.

        ``base`` is the pretrained model, by folder or by its name on the model hub, by default the embedded MiniLM. Where
        most rows are pairs (two parts, as `PAIR_SEPARATOR` divides them), a text is read as a pair exactly when it has two
        parts. ``lora`` trains adapters of that ``rank`` on all linear layers, and the head; ``four_bit`` holds the base's
        weights in 4 bits. ``precision`` is that of answers: double, or single for models that are too large for it.
        ``device`` is torch's name of one ("cuda" for a GPU). Raises `AttackError` for a setting that cannot be, and
        `ScoringError` for a base that cannot be read.
        """
        import torch

        from attacks.victims import pretrained

        if precision not in PRECISIONS:
            raise AttackError(f"precision is {precision!r}; give one of {', '.join(PRECISIONS)}")
        if four_bit and not lora:
            raise AttackError("weights in 4 bits cannot be trained; set lora=true, which trains adapters instead")
        start = pretrained.base_of(base)
        reader = PieceReader.of(start, longest=longest, pairs=bool(np.mean([is_pair(row.text) for row in rows]) > 0.5))
        network = pretrained.classifier(start, seed=seed, lora=lora, four_bit=four_bit, device=device)
        if lora:
            network = pretrained.with_adapters(network, rank, seed=seed)
        encoded = reader.encode([row.text for row in rows])
        labels = torch.tensor([row.label for row in rows], device=device)

        def loss_of(chosen: np.ndarray) -> torch.Tensor:
            logits = network(**reader.batch_of([encoded[i] for i in chosen], device)).logits
            return torch.nn.functional.cross_entropy(logits.float(), labels[chosen])

        train_in_epochs(
            network, loss_of, n=len(rows), epochs=epochs, batch=batch, rate=rate, seed=seed, decay=True,
            device=device, progress=progress, kept=kept,
        )  # fmt: skip
        single = four_bit or precision == "single"
        return cls(reader, network, lora=lora, single=single, device=device, base_sha256=start.files.sha256)

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        """Probabilities [n, 2], the same in any batch.

        Texts of as many pieces go together, so that none is padded. Matrix products of different heights still differ in
        their last bits. Double precision and rounding to nine decimals hide that; in single precision, where rounding
        would have to hide far more and could not do so reliably, each text is asked alone.
        """
        encoded = self.reader.encode(texts)
        answers: dict[Encoded, np.ndarray] = {}
        for batch in _of_one_length(sorted(set(encoded)), 1 if self.single else _PIECES_AT_ONCE):
            answers.update(zip(batch, self._probabilities(batch), strict=True))
        return np.array([answers[pieces] for pieces in encoded], dtype=np.float64).reshape(-1, 2)

    def _probabilities(self, encoded: Sequence[Encoded]) -> np.ndarray:
        import torch

        with torch.inference_mode(), torch_memory():
            logits = self._network(**self.reader.batch_of(encoded, self.device)).logits
            probabilities: np.ndarray = torch.softmax(logits.double(), dim=1).cpu().numpy()
        return np.round(probabilities, _ROUNDED_TO)

    def files(self) -> dict[str, bytes]:
        """Configuration, tokeniser and weights; with adapters only theirs and the head's, so that the base is needed again.

        The weights are what was learned, exactly: single precision loses nothing in double precision.
        """
        from attacks.victims import pretrained

        state = pretrained.adapters_of(self._network) if self.lora else self._network.state_dict()
        return self.reader.dumped() | {WEIGHTS: dump_tensors({name: pretrained.as_array(of) for name, of in state.items()})}

    @classmethod
    def from_files(cls, files: Mapping[str, bytes], card: Mapping[str, Any], sha256: str) -> TransformerVictim:
        from attacks.victims import pretrained

        parameters, told = card["parameters"], card["resources"]
        device = pretrained.device_here(parameters["device"])
        reader = PieceReader.from_files(files, longest=parameters["longest"], pairs=told["pairs"])
        weights = read_weights(files)
        if parameters["lora"]:
            start = pretrained.base_of(parameters["base"])
            if start.files.sha256 != told["base_sha256"]:
                raise AttackError(f"{parameters['base']}: not the weights that the victim's adapters were trained on")
            network = pretrained.classifier(start, seed=0, lora=True, four_bit=parameters["four_bit"], device=device)
            network = pretrained.with_adapters(network, parameters["rank"], seed=0)
            pretrained.set_adapters(network, weights)
        else:
            network = pretrained.filled(reader, weights).to(device)
        return cls(
            reader, network, lora=parameters["lora"], single=parameters["four_bit"] or parameters["precision"] == "single",
            device=device, base_sha256=told["base_sha256"], sha256=sha256,
        )  # fmt: skip

    @property
    def resources(self) -> dict[str, Any]:
        return {"base_sha256": self.base_sha256, "pairs": self.reader.pairs}


def _of_one_length(encoded: Sequence[Encoded], pieces: int) -> Iterator[list[Encoded]]:
    """Batches of texts that are equally long, of about so many pieces, and at least one text each."""
    for length, same in groupby(sorted(encoded, key=len), key=len):
        alike = list(same)
        size = max(1, pieces // max(1, length))
        yield from (alike[start : start + size] for start in range(0, len(alike), size))
