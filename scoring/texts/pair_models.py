"""Models that read both texts at once and give one number: BLEURT (Sellam, Das and Parikh, ACL 2020) and MeaningBERT (Beauchemin,
Saggion and Khoury, Frontiers in Artificial Intelligence 2023). None comes with this package: they are given by path."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from .folder_scorer import FolderScorer, Loaded
from .model_files import ModelFiles
from .remembered import Pair, batches
from .score_cache import ScoreCache, Values

MAX_TOKENS: Final = 512
BATCH_SIZE: Final = 16
_OPTIONS: Final[Mapping[str, Any]] = {"local_files_only": True, "output_loading_info": True}


class PairModel(FolderScorer):
    """The raw logit of a regression over the original and, after it, the modified text; both are cut to 512 tokens together."""

    def __init__(
        self, files: ModelFiles, load: Callable[[Path], Loaded], *, package: str, cache: ScoreCache | None = None
    ) -> None:
        super().__init__(files, package=package, cache=cache)
        self._load = load

    @property
    def name(self) -> str:
        return f"{self.files.kind} ({self.files.folder.name})"

    def load(self) -> Loaded:
        return self._load(self.files.folder)

    def ready(self, tokenizer: Any, model: Any) -> None:
        # A fast tokeniser advises against separate padding, which sorting by length needs.
        tokenizer.deprecation_warnings["Asking-to-pad-a-fast-tokenizer"] = True
        if model.config.num_labels != 1:
            raise self.files.error(f"it tells {model.config.num_labels} classes apart and gives no score")

    def scored(self, pairs: Sequence[Pair], tokenizer: Any, model: Any) -> list[Values]:
        longest = min(MAX_TOKENS, model.config.max_position_embeddings)
        originals, modified = ([pair[side] for pair in pairs] for side in (0, 1))
        encoded = tokenizer(originals, modified, truncation=True, max_length=longest)
        return _logits(encoded, tokenizer, model)


def bleurt(folder: Path, *, cache: ScoreCache | None = None) -> PairModel:
    """BLEURT by way of bleurt-pytorch, usually between 0 and 1; the original is the reference, the modified text the candidate.

    ScoringError if the folder holds no BLEURT."""
    files = ModelFiles(folder, "BLEURT")
    if files.config.get("model_type") != "bleurt":
        raise files.error(f"its config.json describes a model of type {files.config.get('model_type')!r} and not 'bleurt'")

    def load(folder: Path) -> Loaded:
        from bleurt_pytorch import BleurtForSequenceClassification
        from bleurt_pytorch.bleurt.tokenization_bleurt_fast import BleurtTokenizerFast
        from bleurt_pytorch.bleurt.tokenization_bleurt_sp import BleurtSPTokenizer

        # bleurt-pytorch tries one after the other; which one a model has is told by its file.
        kind = BleurtSPTokenizer if (folder / "spm.model").exists() else BleurtTokenizerFast
        tokenizer = kind.from_pretrained(folder, local_files_only=True)
        model, information = BleurtForSequenceClassification.from_pretrained(folder, **_OPTIONS)
        return (tokenizer, model.eval()), information

    return PairModel(files, load, package="bleurt-pytorch", cache=cache)


def meaning_bert(folder: Path, *, cache: ScoreCache | None = None) -> PairModel:
    """MeaningBERT: how much of the original's meaning the modified text keeps, usually from 0 to 100.

    ScoringError if the folder holds no model that gives one number."""
    files = ModelFiles(folder, "MeaningBERT")
    if not any(name.endswith("ForSequenceClassification") for name in files.config.get("architectures") or ()):
        raise files.error("its config.json does not describe a model for sequences that gives a number")

    def load(folder: Path) -> Loaded:
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model, information = AutoModelForSequenceClassification.from_pretrained(folder, **_OPTIONS)
        return (tokenizer, model.eval()), information

    return PairModel(files, load, package="transformers", cache=cache)


def _logits(encoded: Mapping[str, list[Any]], tokenizer: Any, model: Any) -> list[Values]:
    import torch

    scores: list[Values] = [()] * len(encoded["input_ids"])
    for places in batches([len(tokens) for tokens in encoded["input_ids"]], BATCH_SIZE):
        batch = tokenizer.pad({key: [values[p] for p in places] for key, values in encoded.items()}, return_tensors="pt")
        with torch.inference_mode():
            logits = model(**batch).logits.flatten().tolist()
        for place, logit in zip(places, logits, strict=True):
            scores[place] = (logit,)
    return scores
