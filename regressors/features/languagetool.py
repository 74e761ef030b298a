"""The feature group of a LanguageTool server: what its rules find in a text, by category."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlencode

import numpy as np

from regressors.errors import RegressorError
from regressors.features.group import Array, FeatureGroup
from regressors.features.service import Patience, Service, checked_address, excerpt
from regressors.features.words import WORD
from scoring.texts.characters import encodable

CATEGORIES: Final = (
    "CASING",
    "COLLOCATIONS",
    "COMPOUNDING",
    "CONFUSED_WORDS",
    "GRAMMAR",
    "MISC",
    "PUNCTUATION",
    "REDUNDANCY",
    "SEMANTICS",
    "STYLE",
    "TYPOGRAPHY",
    "TYPOS",
)
"""Identifiers of LanguageTool's categories, as its answers give them; all others are counted together."""
_OTHER: Final = "OTHER"
_LANGUAGE: Final = "en-US"
_EXAMPLE: Final = "http://localhost:8081"
_START: Final = "java -cp languagetool-server.jar org.languagetool.server.HTTPServer --port 8081"
_LONGEST_ANSWER: Final = 20_000_000  # bytes


class LanguageToolFeatures(FeatureGroup):
    """Matches of LanguageTool's rules for American English, those on by default, per word of the text: all, and by category.

    One request for each text. RegressorError for a server that fails at every attempt (see `Service`), or is another.
    """

    name = "languagetool"
    version = "1"

    def __init__(self, path: str | None, patience: Patience | None = None) -> None:
        """`path`: the server's address, such as http://localhost:8081."""
        if path is None:
            raise RegressorError(f"Say where LanguageTool's server is: languagetool:URL, such as languagetool:{_EXAMPLE}.")
        address = checked_address(path, _EXAMPLE).removesuffix("/check").removesuffix("/v2")
        self.path = path
        self._service = Service(
            f"{address}/v2/check",
            if_down=f"Is LanguageTool's server running there? It is started with: {_START}",
            if_refused="Look at the server's settings.",
            longest=_LONGEST_ANSWER,
            patience=patience,
        )

    @property
    def names(self) -> tuple[str, ...]:
        return ("matches", *(category.lower() for category in (*CATEGORIES, _OTHER)))

    def described(self) -> dict[str, Any]:
        return super().described() | {"name": self.server}

    @cached_property
    def server(self) -> str:
        """Name, version and build of what answers; asked for once."""
        software = self._check("a")["software"]
        return " ".join(str(software[key]) for key in ("name", "version", "buildDate") if software.get(key))

    def compute(self, texts: Sequence[str]) -> Array:
        rows = [self._row(text) for text in texts]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.names))

    def _row(self, text: str) -> list[float]:
        # What holds nothing has no errors, and old servers refuse it.
        matches = self._check(text)["matches"] if text.strip() else []
        counts = Counter(_category(match) for match in matches)
        words = max(1, len(WORD.findall(text)))
        return [count / words for count in (counts.total(), *(counts[category] for category in (*CATEGORIES, _OTHER)))]

    def _check(self, text: str) -> dict[str, Any]:
        """The server's answer: an object with `software` and a list of `matches`."""
        form = {"language": _LANGUAGE, "text": encodable(text)}
        body = self._service.ask(urlencode(form).encode("ascii"))
        try:
            answer = json.loads(body)
            if isinstance(answer["matches"], list) and all(map(_category, answer["matches"])) and dict(answer["software"]):
                return answer
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            pass
        raise RegressorError(
            f"{self._service.url} does not answer as LanguageTool does: {excerpt(body)!r}. Give its server's address."
        )


def _category(match: dict[str, Any]) -> str:
    found: str = match["rule"]["category"]["id"].upper()
    return found if found in CATEGORIES else _OTHER
