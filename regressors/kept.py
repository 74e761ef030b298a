"""Steps of a training that are kept, so that one that was stopped goes on where it was. The result is the same as in one go: a
step hangs on nothing but the data and the settings, and these name its folder."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Once = Callable[[str, Callable[[], Array]], Array]
"""Gives what the function computes; a name stands for the same numbers always."""


def afresh(name: str, compute: Callable[[], Array]) -> Array:
    """Keeps nothing."""
    return compute()


class Kept:
    """Keeps arrays below `folder`, in one of its own for each data and settings."""

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode("ascii")).hexdigest()
        self.folder = folder / digest

    def __call__(self, name: str, compute: Callable[[], Array]) -> Array:
        path = self.folder / f"{name}.npy"
        # A file that is not there, or was damaged since, is computed anew.
        with contextlib.suppress(OSError, ValueError, EOFError):
            known: Array = np.load(path, allow_pickle=False)
            return known
        result = compute()
        self.folder.mkdir(parents=True, exist_ok=True)
        # Under another name until it is whole: a killed process leaves no half of it behind.
        part = self.folder / f".{secrets.token_hex(6)}"
        with part.open("wb") as file:
            np.save(file, result, allow_pickle=False)
        os.replace(part, path)
        return result

    def forget(self) -> None:
        """Removes them, once there is a model."""
        shutil.rmtree(self.folder, ignore_errors=True)
