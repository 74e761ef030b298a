"""Texts as a pretrained Transformer reads them: pieces of its own tokeniser, pairs as pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from attacks.tasks.layout import PAIR_SEPARATOR
from scoring.texts.characters import encodable

if TYPE_CHECKING:
    import torch

    from regressors.models.pretrained import Reader

Encoded = tuple[tuple[int, int], ...]
"""For each piece its number in the vocabulary, and to which part of a pair it belongs: 0 or 1."""


def is_pair(text: str) -> bool:
    """Whether it has exactly two parts. With another separator in it, nothing says which parts belong together."""
    return text.count(PAIR_SEPARATOR) == 1


@dataclass(frozen=True)
class PieceReader:
    """Reads at most ``longest`` pieces of a text, the special ones included. With ``pairs``, a text of exactly two parts is a
    pair, of which the longer part is cut first."""

    reader: Reader
    longest: int
    pairs: bool

    @classmethod
    def of(cls, reader: Reader, *, longest: int, pairs: bool) -> PieceReader:
        """One that reads no more than the network has positions for."""
        positions = getattr(reader.config, "max_position_embeddings", None) or longest
        # RoBERTa counts positions from the number after its padding's.
        offset = reader.padding + 1 if reader.config.model_type in ("roberta", "xlm-roberta", "camembert") else 0
        return cls(reader, min(longest, positions - offset), pairs)

    @classmethod
    def from_files(cls, files: Mapping[str, bytes], *, longest: int, pairs: bool) -> PieceReader:
        from regressors.models.pretrained import restored

        return cls.of(restored(files), longest=longest, pairs=pairs)

    def dumped(self) -> dict[str, bytes]:
        return self.reader.dumped()

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """The pieces of each text, at least one. A lone surrogate counts as an unknown character."""
        tokenizer = self.reader.tokenizer
        tokenizer.no_padding()
        tokenizer.enable_truncation(self.longest)
        encodings = tokenizer.encode_batch([self._parts(encodable(text)) for text in texts])
        return [tuple(zip(of.ids, of.type_ids, strict=True)) or ((self.reader.padding, 0),) for of in encodings]

    def batch_of(self, encoded: Sequence[Encoded], device: str) -> dict[str, torch.Tensor]:
        """What the network is given: int64 tensors [n, longest of them], padded where a text is shorter."""
        import torch

        most = max(map(len, encoded))
        filled = torch.tensor(
            [[*pieces, *[(self.reader.padding, 0)] * (most - len(pieces))] for pieces in encoded], device=device
        )
        mask = torch.tensor([[1] * len(pieces) + [0] * (most - len(pieces)) for pieces in encoded], device=device)
        given = {"input_ids": filled[:, :, 0], "attention_mask": mask}
        if getattr(self.reader.config, "type_vocab_size", 0) > 1:
            given["token_type_ids"] = filled[:, :, 1]
        return given

    def _parts(self, text: str) -> Any:
        return tuple(text.split(PAIR_SEPARATOR)) if self.pairs and is_pair(text) else text
