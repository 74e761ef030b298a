"""Folders of Hugging Face models given by path: what they hold, the hash of their weights, and errors in one line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

from scoring.result import ScoringError
from scoring.table import one_line

T = TypeVar("T")

_WEIGHTS: Final = ("*.safetensors", "*.bin", "*.gguf")
_MOST_SHOWN: Final = 200


@dataclass(frozen=True)
class ModelFiles:
    """A model's folder; `kind` is what the model should be, as a user would call it."""

    folder: Path
    kind: str

    @cached_property
    def config(self) -> dict[str, Any]:
        """What config.json holds. ScoringError if it is missing or no JSON object."""
        self._check_folder()
        path = self.folder / "config.json"
        try:
            config = json.loads(path.read_bytes())
        except OSError:
            raise self.error("no config.json there, so it holds no model") from None
        except (ValueError, RecursionError):
            raise self.error("its config.json is not JSON") from None
        if not isinstance(config, dict):
            raise self.error("its config.json is no description of a model")
        return config

    @cached_property
    def sha256(self) -> str:
        """Of the weights: of their file, or of the hashes of several, in the order of their names."""
        hashes = [_sha256(file) for file in self._weights()]
        return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()

    @cached_property
    def fingerprint(self) -> str:
        """Of all that the folder holds beside weights: configuration and tokeniser."""
        weights = set(self._weights())
        rest = sorted(file for file in self.folder.iterdir() if file.is_file() and file not in weights)
        return hashlib.sha256("".join(f"{file.name} {_sha256(file)}\n" for file in rest).encode()).hexdigest()

    def error(self, problem: str) -> ScoringError:
        return ScoringError(f"{one_line(str(self.folder))}: {problem} ({self.kind}).")

    def load(self, load: Callable[[], tuple[T, dict[str, Any]]]) -> T:
        """The model that `load` gives beside its loading information; ScoringError if it fails, or weights are missing."""
        with self.told("it cannot be loaded"):
            model, information = load()
        if missing := sorted(information.get("missing_keys", ())):
            raise self.error(f"its weights lack {missing[0]!r}; it is another kind of model, or a part of one")
        return model

    @contextmanager
    def told(self, problem: str) -> Iterator[None]:
        """Tells in one line what goes wrong: broken files provoke whatever their readers and the model's code raise."""
        from transformers.utils import logging

        verbosity = logging.get_verbosity()
        # What is printed about a model's classes is for its authors.
        logging.set_verbosity(logging.CRITICAL)
        try:
            yield
        except ScoringError:
            raise
        except Exception as error:
            raise self.error(f"{problem}: {_shown(error)}") from None
        finally:
            logging.set_verbosity(verbosity)

    def _check_folder(self) -> None:
        if not self.folder.is_dir():
            raise self.error("there is no such folder; give the folder that holds config.json, the tokeniser and the weights")

    def _weights(self) -> list[Path]:
        self._check_folder()
        for pattern in _WEIGHTS:
            if found := sorted(self.folder.glob(pattern)):
                return found
        raise self.error("no weights there (*.safetensors, *.bin or *.gguf)")


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _shown(error: Exception) -> str:
    text = one_line(" ".join(str(error).split())) or type(error).__name__
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"
