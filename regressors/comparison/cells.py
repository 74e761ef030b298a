"""Finished parts of a long computation, each a file: whoever starts it again goes on where it was."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regressors.errors import RegressorError

Array = NDArray[np.float64]
Compute = Callable[[], Array | None]


@dataclass(frozen=True, slots=True)
class Cell:
    """One part: its `name`, what its numbers hang on beside what all parts share (`of`, ready for JSON), and what computes them,
    float64 [n] or None where there are none."""

    name: str
    of: Mapping[str, Any]
    compute: Compute


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
            write_whole(self.folder / f"{_file_name(cell.name)}.json", json.dumps(stored, ensure_ascii=True, allow_nan=False))
            self._finished[cell.name] = stored
        self._check(stored["of"], json.loads(json.dumps(dict(cell.of))))
        return None if stored["values"] is None else np.array(stored["values"], dtype=np.float64)

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
    try:
        stored: dict[str, Any] = json.loads(file.read_bytes())
        if not isinstance(stored["name"], str) or stored.keys() != {"name", "basis", "of", "values"}:
            raise KeyError("name")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RegressorError(f"{file} is not a finished part of a comparison. Remove it.") from error
    return stored
