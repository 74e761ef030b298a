"""Scores on disk, so that no model is asked twice: by a hash of the model and the texts, shared by all processes of a machine."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import Final

from scoring.result import ScoringError

Values = tuple[float, ...]

MOST_SCORES: Final = 1_000_000
"""About 150 bytes each. Past that, the oldest go."""
_AT_ONCE: Final = 500
_SECONDS_TO_WAIT: Final = 20.0


def cache_folder() -> Path:
    """`PASSABLE_CACHE`, by default `~/.cache/passable`: what can be computed again."""
    given = os.environ.get("PASSABLE_CACHE")
    return Path(given) if given else Path.home() / ".cache" / "passable"


class ScoreCache:
    """Tuples of scores by key in one SQLite file, which keeps what was written whole when processes write at once or are killed.

    A file that is no database (any more) is replaced. ScoringError if the folder cannot be written.
    """

    def __init__(self, file: Path | None = None, *, most: int = MOST_SCORES) -> None:
        self.file = file
        self.most = most

    def find(self, keys: Sequence[bytes]) -> dict[bytes, Values]:
        """The scores of those keys that have some."""
        found: dict[bytes, Values] = {}
        with self._opened() as database:
            for start in range(0, len(keys), _AT_ONCE):
                some = keys[start : start + _AT_ONCE]
                marks = ",".join("?" * len(some))
                rows = database.execute(f"SELECT key, value FROM scores WHERE key IN ({marks})", some)
                found.update((key, values) for key, value in rows if (values := _unpacked(value)))
        return found

    def keep(self, scores: Mapping[bytes, Values]) -> None:
        """Stores the scores, and drops the oldest of too many."""
        packed = [(key, array("d", values).tobytes()) for key, values in scores.items()]
        with self._opened() as database:
            database.executemany("INSERT OR REPLACE INTO scores (key, value) VALUES (?, ?)", packed)
            database.execute("DELETE FROM scores WHERE number <= (SELECT max(number) FROM scores) - ?", (self.most,))

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """The database within one transaction."""
        file = self.file or cache_folder() / "scores.sqlite3"
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            database = _connected(file)
        except (OSError, sqlite3.OperationalError) as error:
            problem = getattr(error, "strerror", None) or error
            raise ScoringError(f"{file}: scores cannot be kept there ({problem}); set PASSABLE_CACHE to a folder.") from None
        except sqlite3.DatabaseError:
            file.unlink()
            database = _connected(file)
        with contextlib.closing(database):
            try:
                with database:
                    yield database
            except sqlite3.Error as error:
                raise ScoringError(f"{file}: {error}. It holds nothing but computed scores; remove it.") from None


def _connected(file: Path) -> sqlite3.Connection:
    database = sqlite3.connect(file, timeout=_SECONDS_TO_WAIT)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        # The number tells the age, and is never given twice.
        columns = "number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB UNIQUE NOT NULL, value BLOB NOT NULL"
        database.execute(f"CREATE TABLE IF NOT EXISTS scores ({columns})")
    except sqlite3.Error:
        database.close()
        raise
    return database


def _unpacked(value: bytes) -> Values | None:
    if len(value) % 8:
        return None
    values = tuple(array("d", value))
    return values if all(map(isfinite, values)) else None
