"""Tiny random Transformers saved to disk, as the real ones come, with one tokeniser of whole words."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from tests.random_models import saved

SPECIAL: Final = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
_PLAIN: Final = "the a of in river bridge school team film story actor water market city train doctor garden winter"
_ODD: Final = "revir egdirb loohcs maet mlif yrots rotca retaw"
PLAIN, ODD = _PLAIN.split(), _ODD.split()
VOCABULARY: Final = [*SPECIAL.values(), *PLAIN, *ODD]
_SIZE: Final = 16
_SIZES: Final[dict[str, Any]] = {
    "vocab_size": len(VOCABULARY),
    "hidden_size": _SIZE,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 140,
    "initializer_range": 0.3,
    "pad_token_id": 0,
}
KINDS: Final[dict[str, dict[str, Any]]] = {
    "bert": _SIZES,
    "roberta": _SIZES,
    "albert": _SIZES | {"embedding_size": 8},
    "distilbert": {
        "vocab_size": len(VOCABULARY),
        "dim": _SIZE,
        "n_layers": 1,
        "n_heads": 2,
        "hidden_dim": 32,
        "max_position_embeddings": 140,
        "initializer_range": 0.3,
        "pad_token_id": 0,
    },
    "xlnet": {
        "vocab_size": len(VOCABULARY),
        "d_model": _SIZE,
        "n_layer": 1,
        "n_head": 2,
        "d_inner": 32,
        "initializer_range": 0.3,
        "pad_token_id": 0,
    },
}
"""By model type, what its configuration is made of."""


def transformer(folder: Path, kind: str = "bert", *, seed: int = 1) -> str:
    """The path of a new folder with such a model."""
    from transformers import AutoConfig, AutoModel

    folder.mkdir()
    _tokenizer(folder)
    config = AutoConfig.for_model(kind, **KINDS[kind])
    return str(saved(folder, lambda: AutoModel.from_config(config), seed))


def _tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    words = Tokenizer(models.WordLevel({word: number for number, word in enumerate(VOCABULARY)}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    ends = [("[CLS]", VOCABULARY.index("[CLS]")), ("[SEP]", VOCABULARY.index("[SEP]"))]
    words.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    PreTrainedTokenizerFast(tokenizer_object=words, **SPECIAL).save_pretrained(folder)
