"""The feature group of a LanguageTool server: what its rules find in a text, by category."""

from __future__ import annotations

import http.client
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np

from regressors.errors import RegressorError
from regressors.features.group import Array, FeatureGroup
from regressors.features.words import WORD
from scoring.table import one_line

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
_LONGEST_COMPLAINT: Final = 200  # characters
_LONGEST_ANSWER: Final = 20_000_000  # bytes
_LONE_SURROGATES: Final = re.compile("[\ud800-\udfff]")


class LanguageToolFeatures(FeatureGroup):
    """Matches of LanguageTool's rules for American English, those on by default, per word of the text: all, and by category.

    One request for each text. Refused connections, timeouts, overload (429) and errors of the server (5xx) are tried again, up to
    `attempts` times, after `first_wait` seconds, twice that, and so on. RegressorError for what then still fails.
    """

    name = "languagetool"
    version = "1"

    def __init__(self, path: str | None, *, timeout: float = 60.0, attempts: int = 4, first_wait: float = 0.5) -> None:
        """`path`: the server's address, such as http://localhost:8081."""
        if path is None:
            raise RegressorError(
                "Say where LanguageTool's server is: languagetool:URL, such as languagetool:http://localhost:8081."
            )
        address = path.rstrip("/").removesuffix("/check").removesuffix("/v2")
        if not _is_address(address):
            raise RegressorError(f"{one_line(path)!r} is no address of a server, such as http://localhost:8081.")
        self.path = path
        self.url = f"{address}/v2/check"
        self._timeout, self._attempts, self._first_wait = timeout, attempts, first_wait

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
        form = {"language": _LANGUAGE, "text": _LONE_SURROGATES.sub("\ufffd", text)}
        body = self._answer(urllib.parse.urlencode(form).encode("ascii"))
        try:
            answer = json.loads(body)
            if isinstance(answer["matches"], list) and all(map(_category, answer["matches"])) and dict(answer["software"]):
                return answer
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            pass
        raise RegressorError(f"{self.url} does not answer as LanguageTool does: {_excerpt(body)!r}. Give its server's address.")

    def _answer(self, form: bytes) -> bytes:
        for attempt in range(self._attempts):
            if attempt:
                time.sleep(self._first_wait * 2 ** (attempt - 1))
            try:
                with urllib.request.urlopen(self.url, data=form, timeout=self._timeout) as response:
                    body: bytes = response.read(_LONGEST_ANSWER)
                    return body
            except urllib.error.HTTPError as error:
                with error:
                    problem = f"HTTP status {error.code}: {_excerpt(error.read(_LONGEST_ANSWER))}"
                if error.code != 429 and error.code < 500:
                    raise RegressorError(f"{self.url} refuses a text ({problem}). Look at the server's settings.") from None
            except (OSError, http.client.HTTPException) as error:
                problem = one_line(str(getattr(error, "reason", error)) or type(error).__name__)
        raise RegressorError(
            f"{self.url} failed {self._attempts} times, at last: {problem}. Is LanguageTool's server running there? "
            "It is started with: java -cp languagetool-server.jar org.languagetool.server.HTTPServer --port 8081"
        )


def _is_address(address: str) -> bool:
    try:
        parts = urllib.parse.urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
    return usable and not (parts.query or parts.fragment) and address.isascii() and address.isprintable() and " " not in address


def _category(match: dict[str, Any]) -> str:
    found: str = match["rule"]["category"]["id"].upper()
    return found if found in CATEGORIES else _OTHER


def _excerpt(body: bytes) -> str:
    text = one_line(" ".join(body.decode("utf-8", "replace").split()))
    return text if len(text) <= _LONGEST_COMPLAINT else f"{text[:_LONGEST_COMPLAINT]}…"
