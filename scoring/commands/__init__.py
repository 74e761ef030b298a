"""The commands of `python -m scoring`, a module for each family: options in, a result ready for JSON out."""

from __future__ import annotations

import csv
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from typing import Any, Protocol

from scoring.table import Table, TableError, as_label, read_table

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


def filled(file: str, *required: str | None) -> Table:
    """The table of the file, with the columns that were asked for, and at least one row."""
    table = read_table(file, required=[column for column in required if column is not None])
    if not table.rows:
        raise TableError(table.file, "there is a header, but no row under it", line=1)
    return table
