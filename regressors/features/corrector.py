"""The feature group of a grammar corrector: how many words a sequence-to-sequence model would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from rapidfuzz.distance import Levenshtein

from regressors.errors import RegressorError
from regressors.features.group import Array, FeatureGroup
from scoring.texts.characters import encodable
from scoring.texts.model_files import ModelFiles
from scoring.texts.remembered import batches
from scoring.texts.tokens import sentences

_KIND: Final = "a sequence-to-sequence model that corrects grammar"
_MOST_TOKENS: Final = 128
_MOST_WORDS: Final = 40  # of a part: its tokens, seldom more than three a word, are then not cut
_BATCH_SIZE: Final = 8


class CorrectorFeatures(FeatureGroup):
    """Word edits from a text to what the corrector makes of it, per word of the text: all, and replaced, inserted and deleted.

    The text is corrected sentence by sentence, as by Gramformer (Damodaran 2021), and in parts of at most 40 words, greedily, so
    that nothing is drawn. Words are what stands between spaces, with their marks and case; edits are the fewest that turn the
    one into the other (Levenshtein). What the model wants before a text ("gec: ") is `prefix` of its config.json.
    """

    name = "corrector"
    version = "1"

    def __init__(self, path: str | None) -> None:
        """`path`: the folder of any model for transformers' AutoModelForSeq2SeqLM (T5, BART, …) that was trained to correct."""
        if path is None:
            raise RegressorError("Say where a corrector's folder is: corrector:PATH.")
        self.path = path
        self.files = ModelFiles(Path(path), _KIND)

    @property
    def sha256(self) -> str:  # type: ignore[override]
        return self.files.sha256

    @property
    def names(self) -> tuple[str, ...]:
        return ("edits", "replaced_words", "inserted_words", "deleted_words")

    def described(self) -> dict[str, Any]:
        return super().described() | {"name": self.files.folder.name, "tokenizer_sha256": self.files.fingerprint}

    def compute(self, texts: Sequence[str]) -> Array:
        parts = [_parts(encodable(text)) for text in texts]
        distinct = list(dict.fromkeys(part for of in parts for part in of))
        corrected = dict(zip(distinct, self.corrected(distinct), strict=True))
        rows = [_edits([(part.split(), corrected[part].split()) for part in of]) for of in parts]
        return np.array(rows, dtype=np.float64).reshape(len(texts), len(self.names))

    def corrected(self, parts: Sequence[str]) -> list[str]:
        """What the model makes of each part of a text."""
        if not parts:
            return []
        with self.files.told("it cannot correct texts"):
            tokenizer, model = self._loaded
            prefix = getattr(model.config, "prefix", None) or ""
            encoded = tokenizer([prefix + part for part in parts], truncation=True, max_length=_MOST_TOKENS)["input_ids"]
            found = [""] * len(parts)
            for places in batches([len(tokens) for tokens in encoded], _BATCH_SIZE):
                for place, text in zip(places, _generated(tokenizer, model, [encoded[at] for at in places]), strict=True):
                    found[place] = text
        return found

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        """The tokeniser and the model, loaded when a text is first read."""
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        folder = self.files.folder
        # The folder and its config.json are looked for first: transformers would ask for them on its own terms.
        if not self.files.config.get("is_encoder_decoder"):
            raise self.files.error("its config.json describes no model that turns sequences into sequences")

        def load() -> tuple[tuple[Any, Any], dict[str, Any]]:
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            loaded: Any = AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True, output_loading_info=True)
            model, information = loaded
            return (tokenizer, model.eval()), information

        tokenizer, model = self.files.load(load)
        # A fast tokeniser advises against separate padding, which sorting by length needs.
        tokenizer.deprecation_warnings["Asking-to-pad-a-fast-tokenizer"] = True
        return tokenizer, model


def _parts(text: str) -> list[str]:
    """The words of the text, sentence by sentence, those of long ones a part at a time; joined by single spaces."""
    found = [sentence.split() for sentence in sentences(text)]
    return [" ".join(words[at : at + _MOST_WORDS]) for words in found for at in range(0, len(words), _MOST_WORDS)]


def _generated(tokenizer: Any, model: Any, tokens: list[list[int]]) -> list[str]:
    import torch

    batch = tokenizer.pad({"input_ids": tokens}, return_tensors="pt")
    with torch.inference_mode():
        made = model.generate(**batch, num_beams=1, do_sample=False, max_new_tokens=_MOST_TOKENS)
    texts: list[str] = tokenizer.batch_decode(made, skip_special_tokens=True)
    return texts


def _edits(pairs: Sequence[tuple[list[str], list[str]]]) -> list[float]:
    """All edits, those that replace, insert and delete a word, per word of the first of each two."""
    counts = Counter(edit.tag for first, second in pairs for edit in Levenshtein.editops(first, second))
    words = max(1, sum(len(first) for first, _ in pairs))
    return [count / words for count in (counts.total(), counts["replace"], counts["insert"], counts["delete"])]
