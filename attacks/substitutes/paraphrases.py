"""Paraphrases of sentences, or of whole texts, by a sequence-to-sequence model."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any, Final, Literal, Protocol, get_args

from attacks.errors import AttackError
from attacks.substitutes.chat_paraphrases import chat_paraphraser
from attacks.substitutes.model_folder import folder_of
from attacks.substitutes.source import Passage
from attacks.substitutes.templates import INPUT, TEMPLATES, checked_input
from scoring.texts.characters import encodable
from scoring.texts.model_files import ModelFiles

Decoding = Literal["beams", "sampling"]

_KIND: Final = "a sequence-to-sequence model that paraphrases"
_MOST_TOKENS: Final = 256  # of what is read, and of what is made of it
_AT_ONCE: Final = 8
_BEAMS_OF_A_TEMPLATE: Final = 4
_NUCLEUS: Final = 0.9
"""The likeliest tokens that make up this share are drawn from (Holtzman et al. 2020, "The Curious Case of Neural Text
Degeneration", ICLR)."""


class Paraphrases(Protocol):
    """Other wordings of passages. Attackers consult it (`attacks.engine.Consult`)."""

    def answer(self, questions: Sequence[Passage]) -> list[list[str]]:
        """For each passage its paraphrases, the best first. An answer does not depend on the other questions."""
        ...

    def describe(self) -> dict[str, Any]: ...


class Seq2SeqParaphrases:
    """At most ``count`` paraphrases by any model for transformers' AutoModelForSeq2SeqLM, by folder or hub name.

    ``decoding``: "beams" gives the best by beam search; "sampling" draws from the nucleus of 0.9, each passage alone and with a
    generator of its own, which starts from the passage's seed and text, so that nothing depends on what else is asked.
    ``templates``: one paraphrase for each of the ``count`` most frequent syntactic templates (`attacks.substitutes.templates`),
    in their order; the model must have learned to read them.

    What the model wants before a text ("paraphrase: ") is `prefix` of its config.json, and how a template stands beside a text
    its `template_input`. It reads 256 tokens at most; longer passages have no paraphrases, since what was cut off would be lost.
    Inputs of equal length are read together, so that nothing is filled up.
    """

    def __init__(self, path: str, count: int = 10, decoding: Decoding = "beams", *, templates: bool = False) -> None:
        if count < 1:
            raise AttackError(f"at least one paraphrase must be asked for, not {count}")
        if decoding not in get_args(Decoding):
            raise AttackError(f"{decoding!r} is no way of decoding; there are {', '.join(get_args(Decoding))}")
        if templates and count > len(TEMPLATES):
            raise AttackError(f"there are {len(TEMPLATES)} templates, and one paraphrase for each, so not {count}")
        self.files = ModelFiles(folder_of(path), _KIND)
        self.count = count
        self.decoding = decoding
        self.template_input = checked_input(self.files) if templates else None

    def describe(self) -> dict[str, Any]:
        model = {"name": self.files.folder.name, "sha256": self.files.sha256, "tokenizer_sha256": self.files.fingerprint}
        search = f"beam search, {self._beams} beams" if self.decoding == "beams" else f"drawn from the nucleus of {_NUCLEUS}"
        described = {"seq2seq": model, "search": search}
        if self.template_input is None:
            return described
        return described | {"templates": list(TEMPLATES[: self.count]), INPUT: self.template_input}

    def answer(self, questions: Sequence[Passage]) -> list[list[str]]:
        passages = list(dict.fromkeys(questions))
        with self.files.told("it cannot paraphrase texts"):
            inputs = {passage: self._inputs(encodable(passage.text)) for passage in passages}
            made = self._by_beams(inputs) if self.decoding == "beams" else self._drawn(inputs)
        found = {
            passage: [text for text in dict.fromkeys(text.strip() for text in made[passage]) if text and text != passage.text]
            for passage in passages
        }
        return [found[passage] for passage in questions]

    def _inputs(self, passage: str) -> list[list[int]]:
        """The tokens of what is read for a passage: once, or once for each template. None where it is too long."""
        given = [passage]
        if self.template_input is not None:
            given = [self.template_input.format(template=each, text=passage) for each in TEMPLATES[: self.count]]
        read = [self._loaded[0](self._prefix + text, verbose=False)["input_ids"] for text in given]
        return read if all(len(tokens) <= self._longest for tokens in read) else []

    def _by_beams(self, inputs: dict[Passage, list[list[int]]]) -> dict[Passage, list[str]]:
        by_length: dict[int, list[tuple[Passage, int]]] = defaultdict(list)
        for passage, read in inputs.items():
            for number, tokens in enumerate(read):
                by_length[len(tokens)].append((passage, number))
        made: dict[tuple[Passage, int], list[str]] = {}
        for alike in by_length.values():
            for start in range(0, len(alike), _AT_ONCE):
                some = alike[start : start + _AT_ONCE]
                of_some = self._generated([inputs[passage][number] for passage, number in some], num_beams=self._beams)
                made.update(zip(some, of_some, strict=True))
        return {
            passage: [text for number in range(len(read)) for text in made[passage, number]] for passage, read in inputs.items()
        }

    def _drawn(self, inputs: dict[Passage, list[list[int]]]) -> dict[Passage, list[str]]:
        import torch

        made: dict[Passage, list[str]] = {}
        for passage, read in inputs.items():
            with torch.random.fork_rng(devices=()):
                torch.manual_seed(_seed_of(passage))
                of_each = [self._generated([tokens], do_sample=True, top_p=_NUCLEUS, top_k=0, temperature=1.0) for tokens in read]
            made[passage] = [text for (texts,) in of_each for text in texts]
        return made

    def _generated(self, tokens: list[list[int]], **decoding: Any) -> list[list[str]]:
        """What is made of inputs of equal length: `_of_each` texts of each."""
        import torch

        tokenizer, model = self._loaded
        batch = torch.tensor(tokens)
        options = {"num_beams": 1, "do_sample": False} | decoding
        with torch.inference_mode():
            made = model.generate(
                input_ids=batch,
                attention_mask=torch.ones_like(batch),
                num_return_sequences=self._of_each,
                max_new_tokens=min(self._longest, 2 * batch.shape[1] + 10),
                **options,
            )
        texts = tokenizer.batch_decode(made, skip_special_tokens=True)
        return [texts[start : start + self._of_each] for start in range(0, len(texts), self._of_each)]

    @property
    def _of_each(self) -> int:
        return self.count if self.template_input is None else 1

    @property
    def _beams(self) -> int:
        return self.count if self.template_input is None else _BEAMS_OF_A_TEMPLATE

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


def _seed_of(passage: Passage) -> int:
    digest = hashlib.sha256(f"{passage.seed} {encodable(passage.text)}".encode()).digest()
    return int.from_bytes(digest[:7])


@cache
def paraphraser_at(path: str | None, count: int, decoding: Decoding = "beams", templates: bool = False) -> Paraphrases:
    """The paraphraser of a folder, of a hub name, or of "NAME@URL" for an OpenAI-compatible address, one instance in a process.
    Raises `AttackError` where none is given, or for an address that is to sample or to follow templates."""
    if path is None:
        raise AttackError(
            "no paraphraser was given; give the folder of a sequence-to-sequence model, its name on the model hub, or NAME@URL "
            "of a model behind an OpenAI-compatible address"
        )
    if "://" not in path:
        return Seq2SeqParaphrases(path, count, decoding, templates=templates)
    if templates or decoding != "beams":
        raise AttackError("a model behind an address follows no templates and is not sampled; give a sequence-to-sequence model")
    return chat_paraphraser(path, count)
