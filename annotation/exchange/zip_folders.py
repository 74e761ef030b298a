"""Folders that come as zip files: unpacked without a way out of their folder, and without taking more room than they say."""

from __future__ import annotations

import shutil
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from annotation.errors import DomainError

MOST_FILES = 100
_LONGEST_FILE_NAME = 100
"""Bytes of it; neither a model nor a task has longer ones."""


class _Unfit(Exception):
    """Why the zip file is not taken."""


def unpack(
    file: Path, folder: Path, shown_name: str, *, what: str, most_bytes: int, largest: Mapping[str, int] | None = None
) -> None:
    """Write what the zip file holds into the folder. All of it lies at the top, or in one folder, of which nothing is kept.

    `shown_name` is what the file was called, `what` is "model" or "task"; `largest` limits single files by name. Raises
    DomainError for what is damaged, too large, a link, encrypted, or would lie elsewhere.
    """
    try:
        _unpack(file, folder, what, most_bytes, largest or {})
    except _Unfit as refused:
        raise DomainError(f"“{shown_name}”: {refused}") from refused
    except Exception as broken:  # what is damaged makes the decompressors raise anything: OSError, LZMAError, …
        said = str(broken).replace(f"{folder}", "the folder") or type(broken).__name__
        raise DomainError(f"“{shown_name}” cannot be read as a zip file: {said}.") from broken


def _unpack(file: Path, folder: Path, what: str, most_bytes: int, largest: Mapping[str, int]) -> None:
    with zipfile.ZipFile(file) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > most_bytes:
            raise _Unfit(f"it holds more than {MOST_FILES} files or {most_bytes / 1e6:,.0f} MB.")
        paths = [_plain(entry, what) for entry in entries]
        if len({path.parent for path in paths}) > 1 or len({path.name for path in paths}) < len(paths):
            raise _Unfit(f"its files are not all in one folder. Zip the {what}'s folder itself.")
        for entry, path in zip(entries, paths, strict=True):
            if entry.file_size > (most := largest.get(path.name, most_bytes)):
                raise _Unfit(f"its {path.name} is larger than {most / 1e6:.0f} MB.")
            # No more than was declared is ever read: what comes beyond it ends in an error of the zip file's checksum.
            with archive.open(entry) as packed, (folder / path.name).open("xb") as target:
                shutil.copyfileobj(packed, target)


def _plain(entry: zipfile.ZipInfo, what: str) -> PurePosixPath:
    """Where the file lies: at the top, or in one folder. Links, and ways out of the folder, are refused."""
    path = PurePosixPath(entry.filename)
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG) or entry.flag_bits & 1:
        raise _Unfit(f"“{entry.filename[:80]}” in it is a link, encrypted, or no plain file.")
    if path.is_absolute() or len(path.parts) > 2 or ".." in path.parts or "\\" in entry.filename or not path.name:
        raise _Unfit(f"“{entry.filename[:80]}” in it would lie outside of the {what}'s folder.")
    if len(path.name.encode()) > _LONGEST_FILE_NAME:
        raise _Unfit(f"“{entry.filename[:80]}…” in it has a longer name than any file of a {what}.")
    return path
