"""Outcomes on disk while a run lasts: a file that only grows, so that a killed run loses nothing finished."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from attacks.engine.outcome import Outcome
from attacks.errors import AttackError


class Checkpoint:
    """Append-only lines of JSON, one finished example each, in the order in which they finished.

    Opening reads what an earlier process left; of two lines on one example the later counts. A last line that was torn by
    its death is cut off. A file that another process has open is refused (AttackError). Used as a context.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.finished: dict[int, Outcome] = {}
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Checkpoint:
        self._file = self.path.open("ab+")
        try:
            _lock(self._file, self.path)
            self._read(self._file)
        except BaseException:
            self._file.close()
            raise
        return self

    def _read(self, file: IO[bytes]) -> None:
        file.seek(0)
        whole = 0
        for outcome, length in _lines(file, self.path):
            self.finished[outcome.id] = outcome
            whole += length
        file.truncate(whole)

    def append(self, outcome: Outcome) -> None:
        """Write one outcome through to the operating system, which keeps it even if this process is killed."""
        if self._file is None:
            raise ValueError("the checkpoint is not open")
        self._file.write(json.dumps(outcome.as_dict()).encode("ascii") + b"\n")
        self._file.flush()
        self.finished[outcome.id] = outcome

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()


def read_outcomes(path: Path) -> dict[int, Outcome]:
    """What a checkpoint holds by now, by id, also while another process writes it."""
    with path.open("rb") as file:
        return {outcome.id: outcome for outcome, _ in _lines(file, path)}


def _lines(file: IO[bytes], path: Path) -> Iterator[tuple[Outcome, int]]:
    """The outcome and the length in bytes of each whole line."""
    for number, line in enumerate(file, 1):
        if not line.endswith(b"\n"):
            break
        try:
            outcome = Outcome.from_dict(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise AttackError(f"{path}, line {number}: not an outcome; remove the file to start again") from None
        yield outcome, len(line)


def _lock(file: IO[bytes], path: Path) -> None:
    """The lock goes when the process does, however it ends."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise AttackError(f"{path}: another process is at work on this run; wait for it or stop it") from None
