"""Finished parts of a long computation, each a file: whoever starts it again goes on where it was."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from types import NoneType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from regressors.errors import RegressorError

Array = NDArray[np.float64]
Compute = Callable[[], Array | None]
_KINDS: Final[Mapping[str, Any]] = {"name": str, "basis": dict, "of": dict, "values": list | NoneType}


@dataclass(frozen=True, slots=True)
class Cell:
    """One part: its `name`, what its numbers hang on beside what all parts share (`of`, ready for JSON), and what computes them,
    float64 [n]. With `may_lack`, there may be none, which is None."""

    name: str
    of: Mapping[str, Any]
    n: int
    compute: Compute
    may_lack: bool = False


class Cells:
    """The finished cells of a folder. `basis` is what all of them hang on, such as the data's SHA-256, ready for JSON.

    RegressorError if a cell there is of another basis, or is none.
    """

    def __init__(self, folder: Path, basis: Mapping[str, Any]) -> None:
        self.folder = folder
        self._basis = dict(basis)
        self._finished = {stored["name"]: stored for stored in map(_read, sorted(folder.glob("*.json")))}
        for stored in self._finished.values():
            self._check(stored["basis"], self._basis)

    def __contains__(self, cell: Cell) -> bool:
        return cell.name in self._finished

    def values(self, cell: Cell) -> Array | None:
        """The cell's numbers: read, or computed and kept. RegressorError if those that are there hang on something else."""
        stored = self._finished.get(cell.name)
        if stored is None:
            computed = cell.compute()
            values = None if computed is None else computed.tolist()
            stored = {"name": cell.name, "basis": self._basis, "of": dict(cell.of), "values": values}
            write_whole(self._file(cell), json.dumps(stored, ensure_ascii=True, allow_nan=False))
            self._finished[cell.name] = stored
        self._check(stored["of"], json.loads(json.dumps(dict(cell.of))))
        values = stored["values"]
        if not (cell.may_lack if values is None else len(values) == cell.n):
            raise _no_part(self._file(cell))
        return None if values is None else np.array(values, dtype=np.float64)

    def _file(self, cell: Cell) -> Path:
        return self.folder / f"{_file_name(cell.name)}.json"

    def _check(self, then: Mapping[str, Any], now: Mapping[str, Any]) -> None:
        if changed := sorted(key for key in then.keys() | now.keys() if then.get(key) != now.get(key)):
            raise RegressorError(
                f"{self.folder} holds results of something else: changed since is {', '.join(changed)}. Choose another folder, "
                "or remove this one to begin anew."
            )


def write_whole(path: Path, text: str) -> None:
    """Writes the file whole or not at all. RegressorError if it cannot be written."""
    part = path.parent / f".{secrets.token_hex(6)}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    except OSError as error:
        raise RegressorError(f"{path} cannot be written ({error.strerror}).") from error


def _file_name(name: str) -> str:
    """Names of models and variants may hold anything."""
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name)[:60]
    return f"{plain}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def _read(file: Path) -> dict[str, Any]:
    """RegressorError unless it is what `Cells` writes, under the name that it has there."""
    try:
        stored = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise _no_part(file) from error
    if not (isinstance(stored, dict) and stored.keys() == _KINDS.keys()):
        raise _no_part(file)
    if not all(isinstance(stored[key], kind) for key, kind in _KINDS.items()) or file.stem != _file_name(stored["name"]):
        raise _no_part(file)
    if not all(isinstance(value, float) and isfinite(value) for value in stored["values"] or ()):
        raise _no_part(file)
    return stored


def _no_part(file: Path) -> RegressorError:
    return RegressorError(f"{file} is not a finished part of a comparison. Remove it.")
