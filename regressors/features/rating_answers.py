"""A language model's answers on disk: what was paid for is not asked again, and is not thrown away."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from regressors.errors import RegressorError
from scoring.texts.score_cache import cache_folder

_SECONDS_TO_WAIT: Final = 20.0
_COLUMNS: Final = (
    "model TEXT NOT NULL, prompt TEXT NOT NULL, text TEXT NOT NULL, score INTEGER, reason TEXT NOT NULL, "
    "problem TEXT, PRIMARY KEY (model, prompt, text)"
)

Kept = tuple[int | None, str, str | None]
"""The score, the reason in the model's words, and the code of what was wrong with an answer without a score."""


class RatingAnswers:
    """Answers by the model's name and the SHA-256 of prompt and text, in one SQLite file, by default in the cache's folder.

    Unlike computed scores they cost money: a file that cannot be read is left as it is. RegressorError then, and for a folder
    that cannot be written.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file or cache_folder() / "ratings.sqlite3"

    def find(self, model: str, prompt: str, text: str) -> Kept | None:
        with self._opened() as database:
            where = "WHERE model = ? AND prompt = ? AND text = ?"
            found: Kept | None = database.execute(
                f"SELECT score, reason, problem FROM ratings {where}", (model, prompt, text)
            ).fetchone()
        return found

    def keep(self, model: str, prompt: str, text: str, kept: Kept) -> None:
        with self._opened() as database:
            database.execute("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?)", (model, prompt, text, *kept))

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """The database within one transaction."""
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.closing(sqlite3.connect(self.file, timeout=_SECONDS_TO_WAIT)) as database, database:
                database.execute("PRAGMA journal_mode = WAL")
                database.execute(f"CREATE TABLE IF NOT EXISTS ratings ({_COLUMNS})")
                yield database
        except (OSError, sqlite3.Error) as error:
            problem = getattr(error, "strerror", None) or error
            raise RegressorError(
                f"{self.file}: answers cannot be kept there ({problem}). Move it, or set PASSABLE_CACHE."
            ) from None
