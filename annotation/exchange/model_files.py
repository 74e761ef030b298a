"""Model folders as zip files: taken away, and brought in. Nothing in them is run, and nothing is unpickled."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any

from annotation.errors import DomainError
from annotation.models import LearnedModel
from annotation.services.model_keeping import incoming
from scoring.model_folder import CARD, ModelFolder, ModelFolderError, read_model_folder

from .model_cards import check_meaning, check_plain, check_suspicion
from .zip_folders import unpack

MOST_BYTES = 600_000_000
LARGEST_CARD = 1_000_000
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of every file in a zip: the same model gives the same bytes."""
KINDS = {"suspicion regressor": LearnedModel.Kind.SUSPICION, "meaning model": LearnedModel.Kind.MEANING}
"""What a card calls its model."""
_ELSEWHERE = frozenset("/\\:")


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
        unpack(file, folder, shown_name, what="model", most_bytes=MOST_BYTES, largest={CARD: LARGEST_CARD})
        try:
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


def _check(card: Mapping[str, Any]) -> None:
    check_plain(card)
    kind = kind_of(card)
    if names_elsewhere(card.get("parameters", {})):
        raise ModelFolderError("its model needs files or addresses of the machine that it is from. Such a model stays there.")
    (check_suspicion if kind == LearnedModel.Kind.SUSPICION else check_meaning)(card)


def names_elsewhere(part: Any) -> bool:
    """Whether a parameter names a path or an address, or the folder that a Transformer was trained on from: from a stranger's
    card, none is ever opened."""
    if isinstance(part, Mapping):
        return bool(part.get("base")) or any(names_elsewhere(value) for value in part.values())
    if isinstance(part, list):
        return any(names_elsewhere(value) for value in part)
    return isinstance(part, str) and bool(_ELSEWHERE & set(part))
