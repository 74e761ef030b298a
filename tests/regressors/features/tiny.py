"""Tiny random language models saved to disk, as the real ones come."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

TEXTS = [
    "The council opened the bridge on Monday, after a long winter.",
    "",
    "a",
    "The council opened the bridge. " * 60,
    "V\u0430ccines \ud800 \u200b",
    "The council opened the bridge on Monday, after a long winter.",
    "Rain is expected",
]
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
    from transformers import AutoModelForCausalLM, GPT2Config, LlamaConfig

    folder.mkdir()
    size = tokenizer(folder, **(special or {"eos_token": "<end>"}))
    configs: dict[str, Callable[[], Any]] = {
        "gpt2": lambda: GPT2Config(vocab_size=size, n_embd=32, n_layer=2, n_head=4, n_positions=128, initializer_range=0.3),
        "llama": lambda: LlamaConfig(
            vocab_size=size,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            max_position_embeddings=512,
            initializer_range=0.3,
        ),
    }
    torch.manual_seed(seed)
    AutoModelForCausalLM.from_config(configs[kind]()).save_pretrained(folder)
    return folder


def seq2seq(folder: Path, *, seed: int = 1, kind: str = "t5", **config: Any) -> Path:
    """A T5 or BART."""
    from transformers import AutoModelForSeq2SeqLM, BartConfig, T5Config

    folder.mkdir()
    size = tokenizer(folder, pad_token="<pad>", eos_token="</s>")
    ids = {"pad_token_id": 1, "eos_token_id": 0, "decoder_start_token_id": 1}
    configs: dict[str, Callable[[], Any]] = {
        "t5": lambda: T5Config(vocab_size=size, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, **ids, **config),
        "bart": lambda: BartConfig(
            vocab_size=size,
            d_model=32,
            encoder_layers=2,
            decoder_layers=2,
            encoder_attention_heads=4,
            decoder_attention_heads=4,
            encoder_ffn_dim=64,
            decoder_ffn_dim=64,
            init_std=0.3,
            bos_token_id=1,
            forced_eos_token_id=None,
            **ids,
            **config,
        ),
    }
    torch.manual_seed(seed)
    AutoModelForSeq2SeqLM.from_config(configs[kind]()).save_pretrained(folder)
    return folder
