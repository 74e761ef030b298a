"""BERTScore (Zhang et al., ICLR 2020) by way of the package bert-score, of a model given by path: without idf weights and
not rescaled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from .folder_scorer import FolderScorer, Loaded
from .model_files import ModelFiles
from .remembered import Pair, batches
from .score_cache import ScoreCache, Values

BATCH_SIZE: Final = 64
_NO_LIMIT: Final = 1_000_000


class BertScore(FolderScorer):
    """Precision, recall and F1 of the modified text's tokens against the original's; the score is F1.

    `folder` holds an encoder. The layer is the one that bert-score recommends where it knows the folder's name (such as
    "roberta-large"), else the last; `layer` chooses another. A text without tokens scores 0, as in bert-score.
    """

    parts: ClassVar[tuple[str, ...]] = ("precision", "recall", "f1")

    def __init__(self, folder: Path, *, layer: int | None = None, cache: ScoreCache | None = None) -> None:
        super().__init__(ModelFiles(folder, "BERTScore"), package="bert-score", cache=cache)
        layers = self.files.config.get("num_hidden_layers")
        if self.files.config.get("is_encoder_decoder") or not isinstance(layers, int):
            raise self.files.error("it is no encoder such as BERT or RoBERTa")
        self.layer = layer or _recommended(folder.name) or layers
        if not 1 <= self.layer <= layers:
            raise self.files.error(f"it has the layers 1 to {layers}, not {self.layer}")

    @property
    def name(self) -> str:
        return f"BERTScore F1 ({self.files.folder.name}, layer {self.layer}, no idf, not rescaled)"

    def load(self) -> Loaded:
        from transformers import AutoModel, AutoTokenizer

        # Not the fast one, of which bert-score does not know which need a space in front.
        tokenizer = AutoTokenizer.from_pretrained(self.files.folder, use_fast=False, local_files_only=True)
        model, information = AutoModel.from_pretrained(self.files.folder, local_files_only=True, output_loading_info=True)
        # What pools the tokens is not used here, and not in every file.
        needed = [key for key in information["missing_keys"] if not key.startswith("pooler.")]
        return (tokenizer, model.eval()), {"missing_keys": needed}

    def ready(self, tokenizer: Any, model: Any) -> None:
        if tokenizer.model_max_length > _NO_LIMIT:
            taken = model.config.pad_token_id + 1 if "roberta" in model.config.model_type else 0
            tokenizer.model_max_length = model.config.max_position_embeddings - taken

    def scored(self, pairs: Sequence[Pair], tokenizer: Any, model: Any) -> list[Values]:
        import torch
        from bert_score.utils import greedy_cos_idf

        read = self._read(sorted({text for pair in pairs for text in pair}), tokenizer, model)
        scores: list[Values] = []
        for pair in pairs:
            sides = [read[text] for text in pair]
            if not all(weights.any() for _, weights in sides):
                scores.append((0.0, 0.0, 0.0))
                continue
            # Each pair on its own: a batch would let padding outdo tokens that have nothing in common.
            original, modified = ((vectors[None].clone(), torch.ones(1, len(vectors)), w[None].clone()) for vectors, w in sides)
            precision, recall, f1 = (float(value) for value in greedy_cos_idf(*original, *modified))
            scores.append((precision, recall, f1))
        return scores

    def _read(self, texts: Sequence[str], tokenizer: Any, model: Any) -> dict[str, tuple[Any, Any]]:
        """The vectors in the layer of each text's tokens, and the weights of these: 0 for marks of the text's ends, else 1."""
        import torch
        from bert_score.utils import sent_encode

        ends = {tokenizer.sep_token_id, tokenizer.cls_token_id}
        encoded = [sent_encode(tokenizer, text) for text in texts]
        read: dict[str, tuple[Any, Any]] = {}
        for places in batches(list(map(len, encoded)), BATCH_SIZE):
            batch = tokenizer.pad({"input_ids": [encoded[place] for place in places]}, return_tensors="pt")
            with torch.no_grad():
                hidden = model(**batch, output_hidden_states=True).hidden_states[self.layer]
            for row, place in zip(hidden, places, strict=True):
                weights = torch.tensor([float(token not in ends) for token in encoded[place]])
                read[texts[place]] = row[: len(weights)] if tokenizer.padding_side == "right" else row[-len(weights) :], weights
        return read


def _recommended(name: str) -> int | None:
    from bert_score.utils import model2layers

    layer: int | None = model2layers.get(name)
    return layer
