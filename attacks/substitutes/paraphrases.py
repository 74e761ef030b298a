"""Paraphrases of sentences by a sequence-to-sequence model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any, Final, Protocol

from attacks.errors import AttackError
from attacks.substitutes.chat_paraphrases import chat_paraphraser
from attacks.substitutes.model_folder import folder_of
from scoring.texts.characters import encodable
from scoring.texts.model_files import ModelFiles

_KIND: Final = "a sequence-to-sequence model that paraphrases"
_MOST_TOKENS: Final = 256  # of a passage, and of what is made of it
_AT_ONCE: Final = 8


class Paraphrases(Protocol):
    """Other wordings of passages. Attackers consult it (`attacks.engine.Consult`)."""

    def answer(self, questions: Sequence[str]) -> list[list[str]]:
        """For each passage its paraphrases, the best first. An answer does not depend on the other questions."""
        ...

    def describe(self) -> dict[str, Any]: ...


class Seq2SeqParaphrases:
    """The ``count`` best by beam search of any model for transformers' AutoModelForSeq2SeqLM, by folder or hub name.

    What the model wants before a text ("paraphrase: ") is `prefix` of its config.json. Of a passage it reads 256 tokens at most;
    longer ones have no paraphrases, since what was cut off would be lost. Passages of equal length are read together, so
    that nothing is filled up.
    """

    def __init__(self, path: str, count: int = 10) -> None:
        if count < 1:
            raise AttackError(f"at least one paraphrase must be asked for, not {count}")
        self.files = ModelFiles(folder_of(path), _KIND)
        self.count = count

    def describe(self) -> dict[str, Any]:
        model = {"name": self.files.folder.name, "sha256": self.files.sha256, "tokenizer_sha256": self.files.fingerprint}
        return {"seq2seq": model, "search": f"beam search, {self.count} beams"}

    def answer(self, questions: Sequence[str]) -> list[list[str]]:
        passages = list(dict.fromkeys(questions))
        found: dict[str, list[str]] = {passage: [] for passage in passages}
        with self.files.told("it cannot paraphrase texts"):
            by_length: dict[int, list[tuple[str, list[int]]]] = defaultdict(list)
            for passage in passages:
                tokens = self._loaded[0](self._prefix + encodable(passage), verbose=False)["input_ids"]
                by_length[len(tokens)].append((passage, tokens))
            for length, alike in by_length.items():
                for start in range(0, len(alike) if length <= self._longest else 0, _AT_ONCE):
                    batch = alike[start : start + _AT_ONCE]
                    made = self._generated([tokens for _, tokens in batch])
                    for (passage, _), texts in zip(batch, made, strict=True):
                        new = (text.strip() for text in texts)
                        found[passage] = [text for text in dict.fromkeys(new) if text and text != passage]
        return [found[passage] for passage in questions]

    def _generated(self, tokens: list[list[int]]) -> list[list[str]]:
        import torch

        tokenizer, model = self._loaded
        batch = torch.tensor(tokens)
        with torch.inference_mode():
            made = model.generate(
                input_ids=batch,
                attention_mask=torch.ones_like(batch),
                num_beams=self.count,
                num_return_sequences=self.count,
                do_sample=False,
                max_new_tokens=min(self._longest, 2 * batch.shape[1] + 10),
            )
        texts = tokenizer.batch_decode(made, skip_special_tokens=True)
        return [texts[start : start + self.count] for start in range(0, len(texts), self.count)]

    @property
    def _prefix(self) -> str:
        return getattr(self._loaded[1].config, "prefix", None) or ""

    @property
    def _longest(self) -> int:
        return min(_MOST_TOKENS, getattr(self._loaded[1].config, "max_position_embeddings", None) or _MOST_TOKENS)

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        folder = self.files.folder
        if not self.files.config.get("is_encoder_decoder"):
            raise self.files.error("its config.json describes no model that turns sequences into sequences")

        def load() -> tuple[tuple[Any, Any], dict[str, Any]]:
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            loaded: Any = AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True, output_loading_info=True)
            model, information = loaded
            return (tokenizer, model.eval()), information

        return self.files.load(load)


@cache
def paraphraser_at(path: str | None, count: int) -> Paraphrases:
    """The paraphraser of a folder, of a hub name, or of "NAME@URL" for an OpenAI-compatible address, one instance in a process.
    Raises `AttackError` where none is given."""
    if path is None:
        raise AttackError(
            "no paraphraser was given; give the folder of a sequence-to-sequence model, its name on the model hub, or NAME@URL "
            "of a model behind an OpenAI-compatible address"
        )
    if "://" in path:
        return chat_paraphraser(path, count)
    return Seq2SeqParaphrases(path, count)
