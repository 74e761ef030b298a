"""Trained models on disk: a folder of plain files beside a `card.json` that says what they are and what they hash to.

Weights are safetensors, scikit-learn parts are skops. Nothing is ever unpickled: a skops file may name only the types
of a fixed list, and is refused before anything in it is built.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import secrets
import shutil
import zipfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scoring.result import ScoringError

CARD: Final = "card.json"
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
MOST_UNPACKED: Final = 500_000_000
"""Bytes of all arrays of a skops file: the largest models here have a tenth. A few packed ones can hold any number."""
_HASHES: Final = ("files", "sha256")


class ModelFolderError(ScoringError):
    """A model folder that cannot be written, or must not be loaded."""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model folder whose hashes were checked. `card` is as written, without the hashes."""

    card: dict[str, Any]
    files: dict[str, bytes]
    sha256: str


def write_model_folder(path: Path, *, card: Mapping[str, Any], files: Mapping[str, bytes], replace: bool = False) -> str:
    """Writes the folder whole or not at all, and returns its SHA-256.

    `card` must be JSON-ready and finite; `files` maps plain names to contents. An existing folder is refused unless it
    is empty, or `replace` is set and it is a model folder itself.
    """
    path = Path(path)
    for name in files:
        if not _is_file_name(name):
            raise ModelFolderError(f"{name!r} cannot be a file of a model folder: letters, digits, '.', '_', '-' only.")
    if reserved := [key for key in _HASHES if key in card]:
        raise ModelFolderError(f"The card must not hold {reserved[0]!r}: it is written here.")
    _check_target(path, replace)
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    sha256 = _sha256_of(card, hashes)
    written = {**card, "files": hashes, "sha256": sha256}
    staged = path.parent / f".{path.name}.{secrets.token_hex(6)}"
    try:
        staged.mkdir(parents=True)
        for name, content in files.items():
            (staged / name).write_bytes(content)
        (staged / CARD).write_text(json.dumps(written, indent=2, ensure_ascii=True) + "\n", encoding="ascii")
        _move_into_place(staged, path)
    except OSError as error:
        raise ModelFolderError(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    return sha256


def read_model_folder(path: Path) -> ModelFolder:
    """Reads and checks a model folder. ModelFolderError for a missing or broken card, and for any file that is
    missing, changed or not listed."""
    path = Path(path)
    card, hashes, sha256 = _read_card(path)
    present = {entry.name for entry in path.iterdir()} - {CARD}
    if extra := sorted(present - hashes.keys()):
        raise ModelFolderError(f"{path}: {extra[0]!r} is not listed in {CARD}. The folder was changed; do not use it.")
    if missing := sorted(hashes.keys() - present):
        raise ModelFolderError(f"{path}: {missing[0]!r} is listed in {CARD} but missing. Copy the folder again.")
    files = {name: _read_file(path / name) for name in hashes}
    for name, content in files.items():
        if hashlib.sha256(content).hexdigest() != hashes[name]:
            raise ModelFolderError(f"{path}: {name!r} does not match its hash in {CARD}. The file was changed; do not use it.")
    return ModelFolder(card=card, files=files, sha256=sha256)


def dump_tensors(tensors: Mapping[str, NDArray[Any]]) -> bytes:
    """Named numeric arrays as a safetensors file."""
    from safetensors.numpy import save

    return save({name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()})


def load_tensors(data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of a safetensors file; ModelFolderError if it is not one."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return load(data)
    except (SafetensorError, KeyError, ValueError) as error:
        raise ModelFolderError(f"Not a readable safetensors file: {error}") from error


def dump_skops(obj: object) -> bytes:
    """A scikit-learn object as a skops file (a zip of JSON and NumPy arrays)."""
    import skops.io

    return skops.io.dumps(obj)


def load_skops(data: bytes, allowed: Collection[str]) -> Any:
    """The object of a skops file that names no type but those of `allowed` (full names, "sklearn.tree._tree.Tree").

    The names are checked in the file's schema, before any of its objects is built.
    """
    import skops.io

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(member.file_size for member in archive.infolist())
            schema = json.loads(archive.read("schema.json")) if size <= MOST_UNPACKED else None
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise ModelFolderError("Not a skops file. Models in other formats (pickle, joblib) are never loaded.") from error
    if schema is None:
        raise ModelFolderError(f"The skops file unpacks to more than {MOST_UNPACKED / 1e6:,.0f} MB. It was not loaded.")
    if refused := sorted(set(_types_named(schema)) - set(allowed)):
        raise ModelFolderError(f"The skops file names a type that is not allowed here: {refused[0]}. It was not loaded.")
    try:
        return skops.io.loads(data, trusted=sorted(set(allowed) & set(skops.io.get_untrusted_types(data=data))))
    except Exception as error:  # skops lets through whatever a broken file provokes in NumPy or scikit-learn
        raise ModelFolderError(f"The skops file cannot be read: {error}") from error


def _types_named(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if "__class__" in node:
            yield f"{node.get('__module__')}.{node['__class__']}"
        for value in node.values():
            yield from _types_named(value)
    elif isinstance(node, list):
        for value in node:
            yield from _types_named(value)


def _is_file_name(name: object) -> bool:
    return isinstance(name, str) and name != CARD and _FILE_NAME.fullmatch(name) is not None


def _sha256_of(card: Mapping[str, Any], hashes: Mapping[str, str]) -> str:
    try:
        whole = json.dumps({"card": card, "files": hashes}, sort_keys=True, ensure_ascii=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ModelFolderError(f"The card is not plain, finite JSON: {error}") from error
    return hashlib.sha256(whole.encode("ascii")).hexdigest()


def _check_target(path: Path, replace: bool) -> None:
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return
    if not path.is_dir() or not (path / CARD).is_file():
        raise ModelFolderError(f"{path} exists and is not a model folder. Choose another name.")
    if not replace:
        raise ModelFolderError(f"{path} holds a model already. Choose another folder, or remove it first.")


def _move_into_place(staged: Path, path: Path) -> None:
    if not path.exists():
        staged.rename(path)
        return
    former = path.parent / f".{path.name}.{secrets.token_hex(6)}"
    path.rename(former)
    staged.rename(path)
    shutil.rmtree(former)


def _read_card(path: Path) -> tuple[dict[str, Any], dict[str, str], str]:
    if not (path / CARD).is_file():
        raise ModelFolderError(f"{path} has no {CARD}, so it is not a model folder.")
    try:
        card = json.loads((path / CARD).read_bytes())
        hashes, sha256 = card.pop("files"), card.pop("sha256")
        listed_well = all(_is_file_name(name) and isinstance(value, str) for name, value in hashes.items())
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise ModelFolderError(f"{path / CARD} is not a readable card ({type(error).__name__}: {error}).") from error
    if not listed_well:
        raise ModelFolderError(f"{path / CARD} lists a file name that is not allowed.")
    if _sha256_of(card, hashes) != sha256:
        raise ModelFolderError(f"{path / CARD} does not match its own hash. The card was changed; do not use the model.")
    return card, hashes, sha256


def _read_file(file: Path) -> bytes:
    if file.is_symlink() or not file.is_file():
        raise ModelFolderError(f"{file} is not a plain file.")
    return file.read_bytes()
