"""Writing a file that comes in parts, and of which nobody knows beforehand how long it is."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from pathlib import Path

from annotation.errors import DomainError


def store(chunks: Iterable[bytes], folder: Path, *, most: int, refusal: str, ending: str = "") -> str:
    """Write the file into the folder, called by the SHA-256 of what it holds, and return that. Raises DomainError with the
    refusal, and keeps nothing, when it has more than `most` bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    fresh, digest, size = folder / f"{secrets.token_hex(8)}.part", hashlib.sha256(), 0
    try:
        with fresh.open("wb") as file:
            for chunk in chunks:
                size += len(chunk)
                if size > most:
                    raise DomainError(refusal)
                digest.update(chunk)
                file.write(chunk)
        fresh.replace(folder / f"{digest.hexdigest()}{ending}")
    finally:
        fresh.unlink(missing_ok=True)
    return digest.hexdigest()
