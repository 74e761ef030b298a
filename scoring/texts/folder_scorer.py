"""What scorers have in common whose model lies in a folder that is given by path."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from typing import Any

from .model_files import ModelFiles
from .remembered import Pair, RememberedScorer
from .score_cache import ScoreCache, Values

Loaded = tuple[tuple[Any, Any], dict[str, Any]]
"""A tokeniser and its model, and information on how loading went."""


class FolderScorer(RememberedScorer):
    """A scorer of a folder's model, which is loaded when something is first scored. `package` is what runs it."""

    def __init__(self, files: ModelFiles, *, package: str, cache: ScoreCache | None) -> None:
        super().__init__(cache)
        self.files = files
        self._package = package

    @property
    def version(self) -> str:
        return f"{self._package} {version(self._package)}"

    @property
    def sha256(self) -> str:
        return self.files.sha256

    @property
    def fingerprint(self) -> str:
        return self.files.fingerprint

    def compute(self, pairs: Sequence[Pair]) -> list[Values]:
        tokenizer, model = self._loaded
        with self.files.told("it cannot score texts"):
            return self.scored(pairs, tokenizer, model)

    @abstractmethod
    def load(self) -> Loaded:
        """Reads the folder."""

    @abstractmethod
    def ready(self, tokenizer: Any, model: Any) -> None:
        """Sets what a loaded model needs; ScoringError if it is one that gives no such score."""

    @abstractmethod
    def scored(self, pairs: Sequence[Pair], tokenizer: Any, model: Any) -> list[Values]:
        """`compute` with the loaded model."""

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        tokenizer, model = self.files.load(self.load)
        self.ready(tokenizer, model)
        return tokenizer, model
