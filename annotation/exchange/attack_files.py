"""Tasks and victims as zip files. Nothing in them is run, and nothing is unpickled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from annotation.errors import DomainError
from annotation.services.attacking import SPLITS
from annotation.services.model_keeping import incoming, incoming_file
from scoring.model_folder import CARD, ModelFolder, ModelFolderError, read_model_folder

from .model_cards import check_plain
from .model_files import LARGEST_CARD, names_elsewhere
from .zip_folders import unpack

MOST_BYTES_OF_A_TASK = 200_000_000
MOST_BYTES_OF_A_VICTIM = 2_000_000_000
KINDS = ("linear", "bilstm", "sklearn", "transformer")
"""Kinds of victims whose folder holds all that they need. Others name an address or a program, which no upload may."""


@contextmanager
def unpacked_task(stored: str, shown_name: str) -> Iterator[Path]:
    """A folder with the three files of the task, gone afterwards. `stored` is the hash of the uploaded zip file. Raises
    DomainError for anything else."""
    with _unpacked(stored, shown_name, what="task", most=MOST_BYTES_OF_A_TASK) as folder:
        if missing := [f"{split}.tsv" for split in SPLITS if not (folder / f"{split}.tsv").is_file()]:
            raise DomainError(f"“{shown_name}” holds no {', no '.join(missing)}. A task is train.tsv, dev.tsv and attack.tsv.")
        yield folder


@contextmanager
def unpacked_victim(stored: str, shown_name: str) -> Iterator[tuple[Path, ModelFolder]]:
    """A folder with the victim, gone afterwards, and what its checked hashes and card say. Raises DomainError for anything that
    is no victim, or not wholly one."""
    with _unpacked(stored, shown_name, what="victim", most=MOST_BYTES_OF_A_VICTIM) as folder:
        try:
            found = read_model_folder(folder)
            check_plain(found.card)
            if found.card.get("kind") not in KINDS:
                raise ModelFolderError(f"its card says “{str(found.card.get('kind'))[:60]}”. Victims are {', '.join(KINDS)}.")
            if names_elsewhere(found.card.get("parameters", {})):
                raise ModelFolderError(
                    "its model needs files or addresses of the machine that it is from. Such a victim stays there."
                )
        except ModelFolderError as refused:
            raise DomainError(f"“{shown_name}”: {str(refused).replace(f'{folder}', 'the folder')}") from refused
        yield folder, found


@contextmanager
def _unpacked(stored: str, shown_name: str, *, what: str, most: int) -> Iterator[Path]:
    file = incoming_file(stored)
    if not file.exists():
        raise DomainError(f"“{shown_name}” is no longer in the data folder. Upload it again.")
    with TemporaryDirectory(dir=incoming()) as parent:
        folder = Path(parent) / what
        folder.mkdir()
        unpack(file, folder, shown_name, what=what, most_bytes=most, largest={CARD: LARGEST_CARD})
        yield folder
