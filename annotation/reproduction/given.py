"""The files that somebody gives: found by their columns, since everybody names files in another way."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from annotation.errors import DomainError
from scoring.table import Table, TableError, read_table

ENDINGS: Final = (".csv", ".tsv")
Regressors = Literal["none", "quick", "full"]
Progress = Callable[[int, int, str], None]


class ReproductionError(DomainError):
    """What is given cannot be used: which file, where, and what to do. Nothing was written."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a report is made of. `data` is a file or a folder; `study` a folder of `python -m attacks study`; `kept` is where long
    computations keep what is finished; `regressors` says how many models are compared."""

    data: Path
    study: Path | None = None
    kept: Path | None = None
    regressors: Regressors = "none"
    progress: Progress | None = None

    def __post_init__(self) -> None:
        for path in (self.data, self.study):
            if path is not None and not path.exists():
                raise ReproductionError(f"{path}: there is no such file or folder.")

    def table(self, columns: Sequence[str], paper: str) -> Table:
        """The one table with these columns, which has rows. Raises ReproductionError if there is none, or several; TableError for
        one that lacks some of them, or is no proper table."""
        found = self.tables(columns)
        if not found:
            raise ReproductionError(
                f"{self.data}: no CSV or TSV file here has the columns {', '.join(columns)}. "
                f"`manage.py fetch {paper} --out DIR` fetches the published one."
            )
        if len(found) > 1:
            names = ", ".join(table.file for table in found)
            raise ReproductionError(
                f"{self.data}: several files have the columns {', '.join(columns)}: {names}. Name the one meant."
            )
        return found[0]

    def tables(self, columns: Sequence[str]) -> list[Table]:
        """All tables meant to have these columns: those that have more than half of them. One that lacks a column is an error
        rather than passed over."""
        found = []
        for path in self.files(*ENDINGS):
            header = _header(path)
            if 2 * len(header.intersection(columns)) > len(columns):
                table = read_table(path, required=columns, name=str(path))
                if not table.rows:
                    raise TableError(str(path), "there are no rows below the header", line=1)
                found.append(table)
        return found

    def files(self, *endings: str) -> Iterator[Path]:
        """The files with one of these endings, in and below the folder, in order of their names; or the file itself."""
        if self.data.is_file():
            yield from [self.data] if self.data.suffix.lower() in endings else []
            return
        yield from (path for path in sorted(self.data.rglob("*")) if path.suffix.lower() in endings and path.is_file())

    def named(self, name: str) -> Iterator[Path]:
        """The files of this name, in and below the folder."""
        yield from (folder / name for folder in self.folders_with(name))

    def folders_with(self, *names: str) -> Iterator[Path]:
        """The folders in and below `data` that hold a file of each of these names."""
        if self.data.is_dir():
            for first in sorted(self.data.rglob(names[0])):
                if all((first.parent / name).is_file() for name in names):
                    yield first.parent


def _header(path: Path) -> set[str]:
    """The names in the first line, as far as they can be read."""
    try:
        with path.open("rb") as file:
            line = file.readline(100_000).decode("utf-8-sig", errors="replace")
    except OSError as error:
        raise TableError(str(path), f"the file cannot be read ({error.strerror})") from None
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    return {name.strip() for row in csv.reader(io.StringIO(line), delimiter=delimiter) for name in row}
