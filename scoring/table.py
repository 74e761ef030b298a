"""Tables from CSV and TSV files, with errors that name the file, the line and the column."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Final, Literal, overload

from scoring.result import ScoringError

_WHOLE_NUMBER: Final = re.compile(r"([+-]?[0-9]{1,18})(?:\.0*)?")
"""Digits of other scripts look like a number to Python, and to nobody who wrote a label."""
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
LARGEST: Final = 1e100
"""Of a number in a cell, on either side of 0: what is larger cannot be squared and added up."""
_TRUE, _FALSE = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})
_LISTED_AT_MOST: Final = 8
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

MOST_LISTED = 30
"""So many columns are named in a message."""


class TableError(ScoringError):
    """A file that is no proper table, or a cell with a wrong value. `line` and `column` where they are known."""

    def __init__(self, file: str, problem: str, *, line: int | None = None, column: str | None = None) -> None:
        self.file = file
        self.line = line
        self.column = column
        places = [f"line {line}" if line is not None else "", f"column {column}" if column is not None else ""]
        where = ", ".join(place for place in places if place)
        message = ": ".join(part for part in (file, where, problem) if part)
        super().__init__(one_line(message))


def one_line(message: str) -> str:
    """The message on one line, with what a terminal would obey or nobody could see written out: files choose their own names."""
    plain = re.sub(r"[\r\n]+", " ", message)
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in plain)


class Row(dict[str, str]):
    """One row by column name; `line` is the physical line of the file on which it starts, counted from 1."""

    __slots__ = ("line",)

    def __init__(self, cells: dict[str, str], line: int) -> None:
        super().__init__(cells)
        self.line = line


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text cells as they stand in the file. The methods read one cell and raise TableError if it is wrong.

    A cell of nothing but spaces is empty: the methods then give None where `empty_ok` is set.
    """

    file: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def error(self, row: Row, column: str, problem: str) -> TableError:
        """An error about one cell, to be raised by the caller."""
        return TableError(self.file, problem, line=row.line, column=column)

    @overload
    def text(self, row: Row, column: str, *, empty_ok: Literal[False] = False) -> str: ...
    @overload
    def text(self, row: Row, column: str, *, empty_ok: bool) -> str | None: ...
    def text(self, row: Row, column: str, *, empty_ok: bool = False) -> str | None:
        """The cell, unchanged."""
        return row[column] if self._filled(row, column, empty_ok) else None

    @overload
    def integer(self, row: Row, column: str, low: int, high: int, empty_ok: Literal[False] = False) -> int: ...
    @overload
    def integer(self, row: Row, column: str, low: int, high: int, empty_ok: bool) -> int | None: ...
    def integer(self, row: Row, column: str, low: int, high: int, empty_ok: bool = False) -> int | None:
        """A whole number from `low` to `high`; "2.0" counts as 2."""
        if not self._filled(row, column, empty_ok):
            return None
        match = _WHOLE_NUMBER.fullmatch(row[column].strip())
        if match and low <= int(match[1]) <= high:
            return int(match[1])
        if high - low < _LISTED_AT_MOST:
            expected = "one of " + ", ".join(str(number) for number in range(low, high + 1))
        else:
            expected = f"a whole number from {low} to {high}"
        raise self.error(row, column, f"{_quoted(row[column])} is not {expected}")

    @overload
    def choice(self, row: Row, column: str, options: Sequence[str], *, empty_ok: Literal[False] = False) -> str: ...
    @overload
    def choice(self, row: Row, column: str, options: Sequence[str], *, empty_ok: bool) -> str | None: ...
    def choice(self, row: Row, column: str, options: Sequence[str], *, empty_ok: bool = False) -> str | None:
        """One of the options; a cell "2.0" also means the option "2"."""
        if not self._filled(row, column, empty_ok):
            return None
        cell = row[column].strip()
        for name in (cell, as_label(cell)):
            if name in options:
                return name
        raise self.error(row, column, f"{_quoted(row[column])} is not one of {', '.join(options)}")

    @overload
    def boolean(self, row: Row, column: str, *, empty_ok: Literal[False] = False) -> bool: ...
    @overload
    def boolean(self, row: Row, column: str, *, empty_ok: bool) -> bool | None: ...
    def boolean(self, row: Row, column: str, *, empty_ok: bool = False) -> bool | None:
        """True for true, yes, 1, 1.0; False for false, no, 0, 0.0; in any case."""
        if not self._filled(row, column, empty_ok):
            return None
        cell = as_label(row[column].strip().lower())
        if cell in _TRUE or cell in _FALSE:
            return cell in _TRUE
        raise self.error(row, column, f"{_quoted(row[column])} is not one of true, false, yes, no, 1, 0")

    @overload
    def number(self, row: Row, column: str, *, empty_ok: Literal[False] = False) -> float: ...
    @overload
    def number(self, row: Row, column: str, *, empty_ok: bool) -> float | None: ...
    def number(self, row: Row, column: str, *, empty_ok: bool = False) -> float | None:
        """A number in digits, from -1e100 to 1e100."""
        if not self._filled(row, column, empty_ok):
            return None
        number = as_number(row[column])
        if number is None:
            raise self.error(row, column, f"{_quoted(row[column])} is not a number")
        if abs(number) > LARGEST:
            raise self.error(row, column, f"{_quoted(row[column])} is too large to compute with; numbers reach to {LARGEST:g}")
        return number

    def _filled(self, row: Row, column: str, empty_ok: bool) -> bool:
        if column not in row:
            raise TableError(self.file, f"there is no such column; found {_listed(self.columns)}", column=column)
        if row[column].strip():
            return True
        if empty_ok:
            return False
        raise self.error(row, column, "the cell is empty")


def as_label(cell: str) -> str:
    """The cell as a label: a whole number without its decimals ("0.0" is "0"), anything else as it is."""
    match = _WHOLE_NUMBER.fullmatch(cell)
    return str(int(match[1])) if match else cell


def as_number(cell: str) -> float | None:
    """The finite number that the cell's ASCII digits say, if they do. Python would take `1_000` and digits of any script, too."""
    match = _NUMBER.fullmatch(cell.strip())
    number = float(match[0]) if match else inf
    return number if isfinite(number) else None


def read_table(path: Path | str, *, required: Sequence[str], name: str | None = None, delimiter: str | None = None) -> Table:
    """Reads a file in UTF-8 (a byte-order mark is ignored) with a header line.

    `required` columns must be there. `delimiter` is a tab for names ending in .tsv or .tab, else a comma, unless given.
    Fields may be quoted as in RFC 4180; blank lines are skipped. `name` stands for the path in messages, as for an
    uploaded file. Raises TableError if the file cannot be read, is empty, is not UTF-8, holds a NUL byte, has no
    proper header, lacks a column, has a row of another length, or an unbalanced quote.
    """
    path = Path(path)
    name = name or path.name
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise TableError(str(path), "there is no such file") from None
    except OSError as error:
        raise TableError(str(path), f"the file cannot be read ({error.strerror})") from None
    except ValueError:
        raise TableError(str(path), "a path holds no NUL") from None
    return parse_table(data, required=required, name=name, delimiter=delimiter)


def parse_table(data: bytes, *, required: Sequence[str], name: str, delimiter: str | None = None) -> Table:
    """`read_table` for a file's contents; the delimiter goes by `name` unless given."""
    if delimiter is None:
        delimiter = "\t" if name.lower().endswith((".tsv", ".tab")) else ","
    records = _records(_decoded(data, name), name, delimiter)
    first = next(records, None)
    if first is None:
        raise TableError(name, "the file is empty")
    header_line, header = first
    columns = tuple(column.strip() for column in header)
    # Before the body is read: a wrong file is told by its columns, not by where its body happens to hold an odd quote.
    _check_header(name, header_line, columns, required)
    body = list(records)
    for line, record in body:
        if len(record) != len(columns):
            raise TableError(name, f"{_cells(len(record))}, but the header has {len(columns)} columns", line=line)
    rows = tuple(Row(dict(zip(columns, record, strict=True)), line) for line, record in body)
    return Table(name, columns, rows)


def _decoded(data: bytes, name: str) -> str:
    data = data.removeprefix(_BYTE_ORDER_MARK)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TableError(name, "the file is in UTF-16; save it as UTF-8", line=1)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line, column = _position(data, error.start)
        problem = f"byte {column} of this line (0x{data[error.start]:02x}) is not UTF-8; save the file as UTF-8"
        raise TableError(name, problem, line=line) from None
    if "\0" in text:
        line, column = _position(data, data.index(b"\0"))
        raise TableError(name, f"byte {column} of this line is NUL, which no text holds", line=line)
    return text


def _position(data: bytes, offset: int) -> tuple[int, int]:
    """Line and byte within the line, both counted from 1."""
    return data.count(b"\n", 0, offset) + 1, offset - data.rfind(b"\n", 0, offset)


def _records(text: str, name: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Records that are not blank, each with the physical line on which it starts."""
    # Only a line feed ends a line here, so that counted lines are those that an editor shows.
    reader = csv.reader(io.StringIO(text, newline="\n"), delimiter=delimiter, strict=True)
    line = 1
    try:
        for record in reader:
            if record:
                yield line, record
            line = reader.line_num + 1
    except csv.Error as error:
        raise TableError(name, explained(str(error)), line=line) from None


def explained(error: str) -> str:
    """What the csv module means."""
    if "unexpected end" in error:
        return "a quote that opens in the row starting here is never closed"
    if "field limit" in error:
        return f"a field of the row starting here is longer than {csv.field_size_limit()} characters; is a quote never closed?"
    if "expected after" in error:
        return "a quote stands inside a quoted field; write it twice"
    if "new-line" in error:
        return "a carriage return stands outside quotes; end lines with a line feed: save the file with Windows or Unix line ends"
    return error


def _check_header(name: str, line: int, columns: Sequence[str], required: Sequence[str]) -> None:
    twice = [column for column, times in Counter(columns).items() if times > 1]
    if twice:
        raise TableError(name, "this column stands twice in the header", line=line, column=twice[0] or "without a name")
    missing = [column for column in required if column not in columns]
    if missing:
        plural = "columns are" if len(missing) > 1 else "column is"
        found = _listed(columns)
        raise TableError(name, f"required {plural} missing: {', '.join(missing)}; found {found}", line=line, column=missing[0])


def _listed(columns: Sequence[str]) -> str:
    """The columns' names for a message of one line."""
    named = [_quoted(column)[1:-1] for column in columns if column]
    more = f" and {len(named) - MOST_LISTED} more" if len(named) > MOST_LISTED else ""
    return (", ".join(named[:MOST_LISTED]) or "none") + more


def _cells(count: int) -> str:
    return f"this row has {count} {'cell' if count == 1 else 'cells'}"


def _quoted(cell: str) -> str:
    """The cell for a message of one line."""
    shown = repr(cell)
    return shown if len(shown) <= 60 else shown[:56] + "…'"
