"""Rows out of files: CSV and TSV in several encodings, JSONL, XLSX, and tab-separated lines without quotes. All become one table
of text cells that knows the line of each row, and every limit says so in words."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import islice, zip_longest
from math import isfinite
from typing import Any

from scoring.table import Row, Table, TableError, explained, parse_table

MOST_BYTES = 100_000_000
MOST_ROWS = 200_000
MOST_COLUMNS = 200
MOST_CHARACTERS = 100_000
"""Of one text. What compares texts takes longer than somebody should wait where they are longer."""
MOST_UNPACKED = 200_000_000
"""An XLSX file is a ZIP archive: a small one can unpack to any size."""
LAST_LINE = 1_048_576
"""A spreadsheet has no more lines (ECMA-376 leaves it open; Excel and LibreOffice stop here)."""
MOST_CELLS = MOST_ROWS * MOST_COLUMNS
"""Of a sheet, counting the empty ones to the left of the last in each line."""

ENCODINGS = {
    "": "UTF-8, or UTF-16 with a byte order mark",
    "utf-16-le": "UTF-16, little-endian, without a byte order mark",
    "latin-1": "Latin-1 (ISO 8859-1)",
    "cp1252": "Windows-1252 (Western European)",
}
MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
DELIMITERS = ",\t;"
DEEPEST = 50
"""So many objects and lists may stand in each other."""
ZIP = b"PK\x03\x04"
OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How a workbook begins that a password protects, and one of before 2007."""
SAVE_ANEW = "Open it in a spreadsheet program and save it as XLSX without a password, or as CSV"
CUT_OFF = "Delete the empty rows below it and the empty columns beside it, or save it as CSV"

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it came. `encoding` is a key of ENCODINGS."""

    name: str
    data: bytes
    encoding: str = ""

    @property
    def text(self) -> str:
        """The contents as text, without a byte order mark. Raises TableError naming the line that is not in the encoding."""
        if self.data.startswith(OFFICE):
            raise TableError(self.name, f"this workbook is protected by a password, or of before 2007. {SAVE_ANEW}")
        encoding = self.encoding or MARKS.get(self.data[:2], "utf-8")
        try:
            text = self.data.decode(encoding)
        except UnicodeDecodeError as wrong:
            line = self.data.count(b"\n", 0, wrong.start) + 1
            byte, place = self.data[wrong.start], wrong.start - self.data.rfind(b"\n", 0, wrong.start)
            where = f"byte {place} of this line (0x{byte:02x})"
            problem = f"{where} is not {encoding.upper()}. Choose the file's encoding, or save it as UTF-8"
            raise TableError(self.name, problem, line=line) from None
        except UnicodeError:
            raise TableError(self.name, f"the file is not {encoding.upper()}", line=1) from None
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            raise TableError(self.name, "a NUL character, which no text holds", line=line)
        return text.removeprefix("\ufeff")

    @property
    def is_workbook(self) -> bool:
        return self.data.startswith(ZIP)

    @property
    def is_jsonl(self) -> bool:
        return self.name.lower().endswith((".jsonl", ".ndjson")) or self.data.lstrip(b"\xef\xbb\xbf \r\n").startswith(b'{"')


def table_of(source: SourceFile, *, required: Sequence[str] = ()) -> Table:
    """The file as a table with a header, whichever of the kinds it is. Raises TableError."""
    check_size(source)
    if source.is_workbook:
        table = _workbook(source)
    elif source.is_jsonl:
        table = _jsonl(source)
    else:
        text = source.text
        table = parse_table(text.encode(), required=(), name=source.name, delimiter=_delimiter(text, source.name))
    check_columns(table, required)
    if not table.rows:
        raise TableError(source.name, "there are no rows below the header", line=1)
    _check_rows(source.name, len(table.rows))
    return table


def beginning_of(source: SourceFile, rows: int = 3) -> Table:
    """The columns and the first rows, without a look at the rest. Raises TableError where there is no header."""
    check_size(source)
    if source.is_workbook:
        return _workbook(source, most=rows)
    text = source.text
    if source.is_jsonl:
        lines = "\n".join(text.split("\n", 20)[:20])
        return _first(_jsonl(SourceFile(source.name, lines.encode())), rows)
    reader = csv.reader(io.StringIO(text, newline="\n"), delimiter=_delimiter(text, source.name))
    try:
        header, *body = islice((record for record in reader if record), rows + 1)
    except csv.Error as wrong:
        raise TableError(source.name, explained(str(wrong)), line=max(reader.line_num, 1)) from None
    except ValueError:
        raise TableError(source.name, "there is no header that can be read", line=1) from None
    columns = tuple(cell.strip() for cell in header[:MOST_COLUMNS])
    return Table(
        source.name, columns, tuple(Row(dict(zip_longest(columns, row[: len(columns)], fillvalue="")), 0) for row in body)
    )


def _first(table: Table, rows: int) -> Table:
    return Table(table.file, table.columns, table.rows[:rows])


def lines_of(source: SourceFile, columns: Sequence[str], *, header: bool) -> Table:
    """Lines of cells between tabs, without quotes, as programs write them; one tab too many at the end is dropped."""
    check_size(source)
    cells = [line.removesuffix("\r").removesuffix("\t").split("\t") for line in source.text.split("\n")]
    numbered = [(line, row) for line, row in enumerate(cells, start=1) if row != [""]]
    if header and (not numbered or [cell.strip() for cell in numbered[0][1]] != list(columns)):
        raise TableError(source.name, f"the first line has to be {', '.join(columns)}, between tabs", line=1, column=columns[0])
    rows = []
    for line, row in numbered[header:]:
        if len(row) != len(columns):
            raise TableError(source.name, f"{len(row)} cells between tabs, not {len(columns)}", line=line)
        rows.append(Row(dict(zip(columns, row, strict=True)), line))
    if not rows:
        raise TableError(source.name, "there are no rows", line=1)
    _check_rows(source.name, len(rows))
    return Table(source.name, tuple(columns), tuple(rows))


def check_size(source: SourceFile) -> None:
    """Raises TableError for a file that is too large or empty."""
    if len(source.data) > MOST_BYTES:
        size = f"{len(source.data) / 1e6:,.0f} MB; at most {MOST_BYTES / 1e6:,.0f} MB can be read"
        raise TableError(source.name, f"the file has {size}. Split it and import the parts one after another")
    if not source.data.strip():
        raise TableError(source.name, "the file is empty")


def too_long(length: int) -> str:
    """What is wrong with a text of so many characters."""
    return f"the text has {length:,} characters; at most {MOST_CHARACTERS:,} can be judged. Shorten it, or leave it out"


def check_columns(table: Table, required: Sequence[str]) -> None:
    """Raises TableError naming the first column that is missing."""
    missing = [column for column in required if column not in table.columns]
    if missing:
        found = ", ".join(table.columns[:30]) or "none"
        problem = f"required {'columns are' if len(missing) > 1 else 'column is'} missing: {', '.join(missing)}; found {found}"
        raise TableError(table.file, problem, line=1, column=missing[0])


def _check_rows(name: str, rows: int) -> None:
    if rows > MOST_ROWS:
        raise TableError(name, f"{rows:,} rows; at most {MOST_ROWS:,} can be read. Split the file and import the parts")


def _delimiter(text: str, name: str) -> str:
    """What separates the cells of the first line; where it has one cell, what the file's name says."""
    first = re.sub(r'"[^"]*"', "", text.split("\n", 1)[0])
    counts = {delimiter: first.count(delimiter) for delimiter in DELIMITERS}
    if any(counts.values()):
        return max(counts, key=lambda delimiter: counts[delimiter])
    return "\t" if name.lower().endswith((".tsv", ".tab")) else ","


def _jsonl(source: SourceFile) -> Table:
    columns: dict[str, None] = {}
    rows = []
    for number, line in enumerate(source.text.split("\n"), start=1):
        if not line.strip():
            continue
        cells = {key: _cell(value) for key, value in json_object(line, source.name, number).items()}
        columns.update(dict.fromkeys(cells))
        if len(columns) > MOST_COLUMNS:
            raise TableError(source.name, f"more than {MOST_COLUMNS} different fields", line=number)
        rows.append(Row(cells, number))
    empty = dict.fromkeys(columns, "")
    return Table(source.name, tuple(columns), tuple(Row(empty | row, row.line) for row in rows))


def json_object(line: str, name: str, number: int) -> dict[str, Any]:
    """One line of JSONL. Raises TableError for anything but an object whose texts can be stored."""
    try:
        found = json.loads(line, parse_constant=_no_number, parse_float=_finite)
    except RecursionError:
        raise TableError(name, "the object is nested too deeply", line=number) from None
    except ValueError as wrong:
        raise TableError(name, f"this is no JSON: {wrong}", line=number) from None
    if not isinstance(found, dict):
        raise TableError(name, "a line has to be a JSON object, {…}", line=number)
    for field, value in found.items():
        for text in _texts_in({field: value}, name, number):
            _check_storable(text, name, number, field)
    return found


def _texts_in(value: Any, name: str, line: int) -> Iterator[str]:
    """Every text in a value, the keys of objects among them."""
    level = [value]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for each in level:
            if isinstance(each, str):
                yield each
            elif isinstance(each, dict):
                yield from each
                below += each.values()
            elif isinstance(each, list):
                below += each
        if not below:
            return
        level = below
    raise TableError(name, "the object is nested too deeply", line=line)


def _finite(digits: str) -> float:
    number = float(digits)
    return number if isfinite(number) else _no_number(digits)


def _no_number(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON number")


def _check_storable(text: str, name: str, line: int, column: str) -> None:
    if "\0" in text:
        raise TableError(name, "a NUL character, which no text holds", line=line, column=column)
    try:
        text.encode()
    except UnicodeEncodeError as wrong:
        problem = f"half of a surrogate pair (U+{ord(text[wrong.start]):04X}), which is no character"
        raise TableError(name, problem, line=line, column=column) from None


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False)


def _workbook(source: SourceFile, *, most: int = MOST_ROWS + 1) -> Table:
    """The first sheet of an XLSX file, as far as its first rows."""
    records = list(islice(_records(source.name, _sheet(source)), most + 1))
    if not records:
        raise TableError(source.name, "the first sheet is empty")
    (line, header), *body = records
    columns = tuple(cell.strip() for cell in header)
    for number, column in enumerate(columns, start=1):
        _check_storable(column, source.name, line, str(number))
    while columns and not columns[-1]:
        columns = columns[:-1]
    twice = next((column for column in columns if columns.count(column) > 1), None)
    if twice is not None:
        raise TableError(source.name, "this column stands twice in the header", line=line, column=twice or "without a name")
    return Table(source.name, columns, tuple(_row(source.name, columns, line, cells) for line, cells in body))


def _sheet(source: SourceFile) -> Iterator[tuple[Any, ...]]:
    """The rows of the first sheet, at most one beyond LAST_LINE. Raises TableError for whatever cannot be unpacked or read."""
    import openpyxl

    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
        if unpacked > MOST_UNPACKED:
            problem = f"the workbook unpacks to {unpacked / 1e6:,.0f} MB; at most {MOST_UNPACKED / 1e6:,.0f} MB can be read"
            raise TableError(source.name, problem)
        book = openpyxl.load_workbook(io.BytesIO(source.data), read_only=True, data_only=True, keep_links=False)
        sheet = book.worksheets[0]
        sheet.reset_dimensions()
        yield from sheet.iter_rows(max_row=LAST_LINE + 1, values_only=True)
        book.close()
    except TableError:
        raise
    except Exception as wrong:  # what is damaged makes the parsers raise anything: zlib.error, SyntaxError, TypeError, …
        problem = f"this is no XLSX workbook that can be read ({type(wrong).__name__})"
        raise TableError(source.name, f"{problem}. {SAVE_ANEW}") from None


def _records(name: str, rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, by line. The empty ones are limited too: a few bytes can say that there are millions."""
    found = width = 0
    for line, row in enumerate(rows, start=1):
        width += len(row)
        if line > LAST_LINE or width > MOST_CELLS:
            raise TableError(name, f"the sheet goes on far below or beside its table. {CUT_OFF}", line=line)
        if len(row) > MOST_COLUMNS and any(cell is not None for cell in row[MOST_COLUMNS:]):
            raise TableError(name, f"more than {MOST_COLUMNS} columns", line=line)
        cells = [_excel_cell(cell) for cell in row[:MOST_COLUMNS]]
        if not any(cells):
            continue
        found += 1
        if found > MOST_ROWS + 1 or line > 2 * MOST_ROWS:
            raise TableError(name, f"at most {MOST_ROWS:,} rows can be read. Split the file and import the parts", line=line)
        yield line, cells


def _row(name: str, columns: Sequence[str], line: int, cells: Sequence[str]) -> Row:
    if any(cells[len(columns) :]):
        raise TableError(name, f"this row has more cells than the header has columns ({len(columns)})", line=line)
    filled = [*cells[: len(columns)], *[""] * (len(columns) - len(cells))]
    for column, cell in zip(columns, filled, strict=True):
        _check_storable(cell, name, line, column)
    return Row(dict(zip(columns, filled, strict=True)), line)


def _excel_cell(value: Any) -> str:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, str):
        return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), value)
    return _cell(value)
