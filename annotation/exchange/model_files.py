"""Model folders as zip files: taken away, and brought in. Nothing in them is run, and nothing is unpickled."""

from __future__ import annotations

import shutil
import stat
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any

from annotation.errors import DomainError
from annotation.models import LearnedModel
from annotation.services.model_keeping import incoming
from scoring.model_folder import CARD, ModelFolder, ModelFolderError, read_model_folder

from .model_cards import check_meaning, check_plain, check_suspicion

MOST_BYTES = 600_000_000
MOST_FILES = 100
LARGEST_CARD = 1_000_000
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of every file in a zip: the same model gives the same bytes."""
KINDS = {"suspicion regressor": LearnedModel.Kind.SUSPICION, "meaning model": LearnedModel.Kind.MEANING}
"""What a card calls its model."""
_ELSEWHERE = frozenset("/\\:")
_LONGEST_FILE_NAME = 100
"""Bytes of it; a model folder has no longer ones."""


def zipped(model: LearnedModel) -> IO[bytes]:
    """The model's folder as an open zip file; the same bytes each time. Raises DomainError where it is not what was kept."""
    folder = Path(model.folder)
    try:
        stored = read_model_folder(folder)
    except (ModelFolderError, OSError) as broken:
        raise DomainError(f"The folder of “{model.name}” is gone or was changed, so it cannot be downloaded.") from broken
    if stored.sha256 != model.sha256:
        raise DomainError(f"The folder of “{model.name}” holds another model now, so it cannot be downloaded.")
    file: IO[bytes] = TemporaryFile()  # noqa: SIM115 (whoever gets it closes it)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted({**stored.files, CARD: (folder / CARD).read_bytes()}.items()):
            entry = zipfile.ZipInfo(f"{model.name}/{name}", LONG_AGO)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    file.seek(0)
    return file


@contextmanager
def unpacked(file: Path, shown_name: str) -> Iterator[tuple[Path, ModelFolder]]:
    """A folder with what the zip file holds, gone afterwards, and what its checked hashes and card say. `shown_name` is what
    the file was called. Raises DomainError for anything that is no model folder, or not wholly one."""
    with TemporaryDirectory(dir=incoming()) as parent:
        folder = Path(parent) / "model"
        folder.mkdir()
        if not file.exists():
            raise DomainError(f"“{shown_name}” is no longer in the data folder. Upload it again.")
        try:
            try:
                _unpack(file, folder)
            except ModelFolderError:
                raise
            except Exception as broken:  # what is damaged makes the decompressors raise anything: OSError, LZMAError, …
                said = str(broken).replace(f"{folder}", "the folder") or type(broken).__name__
                raise DomainError(f"“{shown_name}” cannot be read as a zip file: {said}.") from broken
            stored = read_model_folder(folder)
            _check(stored.card)
        except ModelFolderError as refused:
            raise DomainError(f"“{shown_name}”: {str(refused).replace(f'{folder}', 'the folder')}") from refused
        yield folder, stored


def kind_of(card: Mapping[str, Any]) -> LearnedModel.Kind:
    """Raises ModelFolderError for a model that cannot be kept here."""
    said = card.get("kind")
    if not isinstance(said, str) or said not in KINDS:
        raise ModelFolderError(f"its card says “{str(said)[:60]}”. Only models of suspicion and of meaning are kept here.")
    return KINDS[said]


def _unpack(file: Path, folder: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > MOST_BYTES:
            raise ModelFolderError(f"it holds more than {MOST_FILES} files or {MOST_BYTES / 1e6:,.0f} MB.")
        paths = [_plain(entry) for entry in entries]
        if len({path.parent for path in paths}) > 1 or len({path.name for path in paths}) < len(paths):
            raise ModelFolderError("its files are not all in one folder. Zip the model's folder itself.")
        for entry, path in zip(entries, paths, strict=True):
            if path.name == CARD and entry.file_size > LARGEST_CARD:
                raise ModelFolderError(f"its {CARD} is larger than {LARGEST_CARD / 1e6:.0f} MB.")
            # No more than was declared is ever read: what comes beyond it ends in an error of the zip file's checksum.
            with archive.open(entry) as packed, (folder / path.name).open("xb") as target:
                shutil.copyfileobj(packed, target)


def _plain(entry: zipfile.ZipInfo) -> PurePosixPath:
    """Where the file lies: at the top, or in one folder. Links, and ways out of the folder, are refused."""
    path = PurePosixPath(entry.filename)
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG) or entry.flag_bits & 1:
        raise ModelFolderError(f"“{entry.filename[:80]}” in it is a link, encrypted, or no plain file.")
    if path.is_absolute() or len(path.parts) > 2 or ".." in path.parts or "\\" in entry.filename or not path.name:
        raise ModelFolderError(f"“{entry.filename[:80]}” in it would lie outside of the model's folder.")
    if len(path.name.encode()) > _LONGEST_FILE_NAME:
        raise ModelFolderError(f"“{entry.filename[:80]}…” in it has a longer name than any file of a model.")
    return path


def _check(card: Mapping[str, Any]) -> None:
    check_plain(card)
    kind = kind_of(card)
    if _names_elsewhere(card.get("parameters", {})):
        raise ModelFolderError("its model needs files or addresses of the machine that it is from. Such a model stays there.")
    (check_suspicion if kind == LearnedModel.Kind.SUSPICION else check_meaning)(card)


def _names_elsewhere(part: Any) -> bool:
    """Whether a parameter names a path or an address, or the folder that a Transformer was trained on from: from a stranger's
    card, none is ever opened."""
    if isinstance(part, Mapping):
        return bool(part.get("base")) or any(_names_elsewhere(value) for value in part.values())
    if isinstance(part, list):
        return any(_names_elsewhere(value) for value in part)
    return isinstance(part, str) and bool(_ELSEWHERE & set(part))
