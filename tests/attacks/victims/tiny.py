"""Tiny random Transformers to train victims on, saved to disk as the real ones come, with one tokeniser of whole words."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from tests.random_models import saved

SPECIAL: Final = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
_SIZES: Final[dict[str, Any]] = {
    "hidden_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 64,
    "initializer_range": 0.2,
    "pad_token_id": 0,
}
KINDS: Final[dict[str, dict[str, Any]]] = {
    "bert": _SIZES,
    "roberta": _SIZES | {"type_vocab_size": 1},
    "gemma": _SIZES | {"num_key_value_heads": 1, "head_dim": 8},
}


def transformer(folder: Path, words: Iterable[str], kind: str = "bert") -> str:
    """The path of a new folder with such a model of these words, without a head."""
    from transformers import AutoConfig, AutoModel

    folder.mkdir(parents=True)
    vocabulary = [*SPECIAL.values(), "~", *sorted(words)]
    _tokenizer(folder, vocabulary)
    config = AutoConfig.for_model(kind, vocab_size=len(vocabulary), **KINDS[kind])
    return str(saved(folder, lambda: AutoModel.from_config(config)))


def _tokenizer(folder: Path, vocabulary: list[str]) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    words = Tokenizer(models.WordLevel({word: number for number, word in enumerate(vocabulary)}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    words.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(tokenizer_object=words, **SPECIAL).save_pretrained(folder)
