"""Tiny language models that are trained in a second or two and saved to disk, as the real ones come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

from attacks.substitutes import templates

GROUPS = (
    ("good", "fine", "nice", "great"),
    ("movie", "film", "story"),
    ("doctors", "scientists", "experts"),
    ("new", "old"),
    ("vaccine", "cure", "treatment"),
    ("helps", "harms", "changes"),
    ("people", "children", "families"),
)
"""Words that stand in the same places in what the models learn from."""
TEMPLATES = (
    "the {3} {1} was {0} .",
    "{2} say the {3} {4} {5} {6} .",
    "{6} say that the {1} was {0} !",
)
COMMON = ("the", "was", "say", "that", ".", "!", ",", "~", "'")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def sentences(count: int, seed: int) -> list[str]:
    """Sentences of the templates with words of the groups."""
    drawn = torch.randint(0, 1_000_000, (count, 1 + len(GROUPS)), generator=torch.Generator().manual_seed(seed)).tolist()
    return [
        TEMPLATES[row[0] % len(TEMPLATES)].format(*(group[i % len(group)] for group, i in zip(GROUPS, row[1:], strict=True)))
        for row in drawn
    ]


def masked_lm(folder: Path, *, steps: int = 150, positions: int = 32) -> Path:
    """A BERT with a vocabulary of the groups' words and of letters, which has learned what stands where in the sentences."""
    from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast

    words = [*COMMON, *(word for group in GROUPS for word in group), *_LETTERS, *(f"##{letter}" for letter in _LETTERS)]
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(words)]))
    tokenizer = BertTokenizerFast(vocab_file=str(folder / "vocab.txt"), model_max_length=positions)
    tokenizer.save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=64,
        initializer_range=0.05,
        max_position_embeddings=positions,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )

    def batches() -> Iterator[dict[str, Any]]:
        encoded = tokenizer(sentences(steps * 16, seed=2), padding=True, return_tensors="pt")
        generator = torch.Generator().manual_seed(3)
        for tokens, mask in zip(encoded["input_ids"].split(16), encoded["attention_mask"].split(16), strict=True):
            hidden = (torch.rand(tokens.shape, generator=generator) < 0.25) & (tokens > 4)
            # Half of what is asked about is left in sight, as it is when an attacker asks without masking.
            seen = hidden & (torch.rand(tokens.shape, generator=generator) < 0.3)
            yield {
                "input_ids": tokens.masked_fill(hidden & ~seen, tokenizer.mask_token_id),
                "attention_mask": mask,
                "labels": tokens.masked_fill(~hidden, -100),
            }

    return _trained(lambda: BertForMaskedLM(config), batches(), folder)


def paraphraser(folder: Path, *, steps: int = 200) -> Path:
    """A BART that has learned to put the next word of its group for every word, with or without a template before them."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BartConfig, BartForConditionalGeneration, PreTrainedTokenizerFast

    special = ["<pad>", "<s>", "</s>", "<unk>"]
    vocabulary = {word: i for i, word in enumerate([*special, *COMMON, *(word for group in GROUPS for word in group)])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing("<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", bos_token="<s>", eos_token="</s>", unk_token="<unk>", model_max_length=64
    )
    tokenizer.save_pretrained(folder)
    config = BartConfig(
        vocab_size=len(vocabulary), d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=64, decoder_ffn_dim=64, max_position_embeddings=64, dropout=0.0,
        pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=None,
        template_input="{template} ~ {text}",
    )  # fmt: skip

    def batches() -> Iterator[dict[str, Any]]:
        written = sentences(steps * 16, seed=4)
        # Every other sentence comes with a template, which changes nothing.
        forms = [config.template_input.replace("{template}", each) for each in templates.TEMPLATES]
        read = [forms[i // 2 % 10].format(text=text) if i % 2 else text for i, text in enumerate(written)]
        source = tokenizer(read, padding=True, return_tensors="pt")
        target = tokenizer([reworded(text) for text in written], padding=True, return_tensors="pt")["input_ids"]
        for tokens, mask, labels in zip(
            source["input_ids"].split(16), source["attention_mask"].split(16), target.split(16), strict=True
        ):
            yield {"input_ids": tokens, "attention_mask": mask, "labels": labels.masked_fill(labels == 0, -100)}

    return _trained(lambda: BartForConditionalGeneration(config), batches(), folder)


def reworded(text: str) -> str:
    """The text with every word of a group replaced by the next one of it."""
    following = {word: group[(i + 1) % len(group)] for group in GROUPS for i, word in enumerate(group)}
    return " ".join(following.get(word, word) for word in text.split())


def _trained(make: Callable[[], Any], batches: Iterator[dict[str, Any]], folder: Path) -> Path:
    """Other tests' random numbers stay as they are."""
    with torch.random.fork_rng():
        torch.manual_seed(1)
        model = make()
        optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
        for batch in batches:
            loss = model(**batch).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    model.save_pretrained(folder)
    return folder
