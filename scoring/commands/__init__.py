"""The commands of `python -m scoring`, a module for each family: options in, a result ready for JSON out."""

from __future__ import annotations

import io
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from defusedcsv import csv

from scoring.result import ScoringError
from scoring.table import Table, TableError, as_label, read_table

if TYPE_CHECKING:  # loads what takes long
    from scoring.texts.meaning.evaluation import Progress

Command = Callable[[Namespace], dict[str, Any]]


class Add(Protocol):
    """Makes a command known and returns its parser, which has `--json` and, unless `file` says otherwise, FILE."""

    def __call__(self, name: str, command: Command, about: str, *, file: bool = True) -> ArgumentParser: ...


def columns(text: str) -> list[str]:
    """Names set apart by commas; a name that holds a comma is quoted as in CSV."""
    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]


def label(text: str) -> str:
    """A label as cells are read: 0.0 is 0."""
    return as_label(text.strip())


def labels(text: str) -> list[str]:
    """Labels set apart by commas, none of them empty."""
    found = [as_label(name) for name in columns(text)]
    if found and not all(found):
        raise ArgumentTypeError(f"{text!r} holds an empty label; write one comma between two, such as 0,1,2")
    return found


def check_file(path: Path) -> None:
    """ScoringError, before anything is computed, unless a file can be written there."""
    try:
        new = not path.exists()
        with path.open("a"):
            pass
        if new:
            path.unlink()
    except OSError as error:
        raise ScoringError(f"{path}: cannot be written ({error.strerror}).") from None
    except ValueError:
        raise ScoringError(f"{str(path)!r}: a path holds no NUL.") from None


def write_rows(file: Path, header: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """A CSV file; cells that a spreadsheet would execute begin with an apostrophe. ScoringError if it cannot be written."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([header, *rows])
    try:
        file.write_text(out.getvalue(), encoding="utf-8")
    except OSError as error:
        raise ScoringError(f"{file}: cannot be written ({error.strerror}).") from None


def check_folder(path: Path) -> None:
    """ScoringError, before anything is computed, unless a new folder can be made there."""
    if "\0" in str(path):
        raise ScoringError(f"{str(path)!r}: a path holds no NUL.")
    if path.exists():
        raise ScoringError(f"{path} exists already. Choose another folder with --out.")
    above = next(folder for folder in path.absolute().parents if folder.exists())
    if not (above.is_dir() and os.access(above, os.W_OK)):
        raise ScoringError(f"{path} cannot be made: {above} is no folder that you may write to.")


def progress() -> Progress | None:
    """Tells on standard error how far a long command is, where a person looks at it."""
    if not sys.stderr.isatty():
        return None

    def tell(done: int, total: int, what: str) -> None:
        print(f"{what} ({done} of {total} steps are done)", file=sys.stderr, flush=True)

    return tell


def filled(file: Path | str, *required: str | None) -> Table:
    """The table of the file, with the columns that were asked for, and at least one row."""
    table = read_table(file, required=[column for column in required if column is not None])
    if not table.rows:
        raise TableError(table.file, "there is a header, but no row under it", line=1)
    return table
