"""Tiny random language models saved to disk, as the real ones come."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from tests.random_models import saved

TEXTS = [
    "The council opened the bridge on Monday, after a long winter.",
    "",
    "a",
    "The council opened the bridge. " * 60,
    "V\u0430ccines \ud800 \u200b",
    "The council opened the bridge on Monday, after a long winter.",
    "Rain is expected",
]
_CAUSAL: Final[dict[str, dict[str, int]]] = {
    "gpt2": {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 128},
    "llama": {
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "max_position_embeddings": 512,
    },
}
_SEQ2SEQ: Final[dict[str, dict[str, Any]]] = {
    "t5": {"d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4},
    "bart": {
        "encoder_layers": 2,
        "decoder_layers": 2,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
        "encoder_ffn_dim": 64,
        "decoder_ffn_dim": 64,
        "init_std": 0.3,
        "bos_token_id": 1,
        "forced_eos_token_id": None,
    },
}
"""By model type, what its configuration is made of."""
_LEARNED_FROM = [text.replace("\ud800", "") for text in TEXTS]


def tokenizer(folder: Path, **special: str) -> int:
    """Saves a byte-level tokeniser of some words; returns its size."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import PreTrainedTokenizerFast

    learned = ByteLevelBPETokenizer()
    learned.train_from_iterator(_LEARNED_FROM, vocab_size=300, special_tokens=sorted(special.values()), show_progress=False)
    fast = PreTrainedTokenizerFast(tokenizer_object=learned._tokenizer, **special)
    fast.save_pretrained(folder)
    return len(fast)


def causal(folder: Path, *, seed: int = 1, kind: str = "gpt2", **special: str) -> Path:
    """A GPT-2 or Llama."""
    from transformers import AutoConfig, AutoModelForCausalLM

    folder.mkdir()
    size = tokenizer(folder, **(special or {"eos_token": "<end>"}))
    config = AutoConfig.for_model(kind, vocab_size=size, initializer_range=0.3, **_CAUSAL[kind])
    return saved(folder, lambda: AutoModelForCausalLM.from_config(config), seed)


def seq2seq(folder: Path, *, seed: int = 1, kind: str = "t5", **more: Any) -> Path:
    """A T5 or BART; `more` goes into its configuration."""
    from transformers import AutoConfig, AutoModelForSeq2SeqLM

    folder.mkdir()
    size = tokenizer(folder, pad_token="<pad>", eos_token="</s>")
    ids = {"pad_token_id": 1, "eos_token_id": 0, "decoder_start_token_id": 1}
    config = AutoConfig.for_model(kind, vocab_size=size, d_model=32, **ids, **_SEQ2SEQ[kind], **more)
    return saved(folder, lambda: AutoModelForSeq2SeqLM.from_config(config), seed)
