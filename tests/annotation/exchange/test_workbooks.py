"""Workbooks that are damaged, locked, or say that they are larger than anybody could wait for."""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Iterator
from datetime import date
from itertools import cycle
from time import monotonic

import openpyxl
import pytest

from annotation.exchange.sheets import LAST_LINE, MOST_COLUMNS, SourceFile, beginning_of, table_of
from scoring.table import TableError

SHEET = "xl/worksheets/sheet1.xml"


def workbook() -> bytes:
    """A workbook as a program writes it: texts, a number, a date with its style."""
    book = openpyxl.Workbook()
    for row in [("original", "adversarial", "queries", "day"), ("a good day", "a go0d day", 3, date(2026, 1, 2))]:
        book.worksheets[0].append(row)
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


def parts() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(workbook())) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def refusal(data: bytes) -> str:
    """Why the workbook cannot be read; empty where it can. Anything but a TableError fails the test."""
    source = SourceFile("x.xlsx", data)
    try:
        beginning_of(source)
        table_of(source)
    except TableError as wrong:
        return str(wrong)
    return ""


def flipped() -> Iterator[bytes]:
    """The archive with one byte changed, at every 7th place."""
    whole = workbook()
    for place in range(4, len(whole), 7):
        yield whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :]


def cut() -> Iterator[bytes]:
    """Each part missing, empty, and half of it."""
    for name, data in parts().items():
        rest = {other: text for other, text in parts().items() if other != name}
        yield packed(rest)
        yield packed(rest | {name: b""})
        yield packed(rest | {name: data[: len(data) // 2]})


WRONG = (b"", b' bogus="1"', b' %b="x"', b' %b="-1"', b' %b="99999999999"')


def misspelled() -> Iterator[bytes]:
    """In each part that is read, each attribute in turn missing, with a name that nobody knows, or with a value out of place."""
    wrong = cycle(WRONG)
    for name, data in parts().items():
        for found in re.finditer(rb' (?:\w+:)?(\w+)="[^"]*"', data if "theme" not in name else b""):
            instead = next(wrong).replace(b"%b", found[1])
            yield packed(parts() | {name: data[: found.start()] + instead + data[found.end() :]})


@pytest.mark.filterwarnings("ignore::UserWarning:openpyxl")
@pytest.mark.parametrize("damaged", [flipped, cut, misspelled], ids=lambda how: how.__name__)
def test_a_workbook_with_any_damage_is_read_or_refused_in_one_sentence(damaged: object) -> None:
    found = [refusal(data) for data in damaged()]  # type: ignore[operator]
    assert len(found) > 20
    told = {re.sub(r"\(\w+\)", "", problem) for problem in found if "no XLSX workbook" in problem}
    assert told == {
        "x.xlsx: this is no XLSX workbook that can be read . Open it in a spreadsheet program and save it as XLSX without a"
        " password, or as CSV"
    }


def header_changed(offset: int, value: int) -> bytes:
    """The archive with a 16-bit field changed in the local and in the central header of every part (APPNOTE.TXT, 4.3)."""
    data = bytearray(workbook())
    for mark, shift in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 2)):
        for found in re.finditer(re.escape(mark), bytes(data)):
            struct.pack_into("<H", data, found.start() + offset + shift, value)
    return bytes(data)


LOCKED = {
    "encrypted": (header_changed(6, 1), "(RuntimeError)"),
    "packed in a way that nobody knows": (header_changed(8, 97), "(NotImplementedError)"),
    "an attribute that styles do not have": (
        packed(parts() | {"xl/styles.xml": parts()["xl/styles.xml"].replace(b"<font>", b'<font bogus="1">', 1)}),
        "(TypeError)",
    ),
    "half a list of sheets": (packed(parts() | {"xl/workbook.xml": parts()["xl/workbook.xml"][:200]}), "(XMLSyntaxError)"),
    "protected by a password, or of before 2007": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512),
        "a password, or of before 2007",
    ),
}


@pytest.mark.parametrize(("data", "why"), LOCKED.values(), ids=LOCKED)
def test_a_locked_or_broken_workbook_says_what_to_do(data: bytes, why: str) -> None:
    said = refusal(data)
    assert why in said
    assert said.startswith("x.xlsx: ") and said.endswith("save it as XLSX without a password, or as CSV")


def sheet_of(rows: str) -> bytes:
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    return packed(parts() | {SHEET: f"<worksheet {space}><sheetData>{rows}</sheetData></worksheet>".encode()})


def cells(row: int, *columns: str, text: str = "x") -> str:
    inside = "".join(f'<c r="{column}{row}" t="inlineStr"><is><t>{text}</t></is></c>' for column in columns)
    return f'<row r="{row}">{inside}</row>'


HEADER = cells(1, "A").replace(">x<", ">adversarial<")
FAR = {
    "a row far below": (HEADER + cells(300_000_000, "A"), f"x.xlsx: line {LAST_LINE + 1}: the sheet goes on far below"),
    "a row below the last that can be read": (HEADER + cells(900_000, "A"), "x.xlsx: line 900000: at most 200,000 rows can"),
    "a column far to the right": (HEADER + cells(2, "A", "XFD"), f"x.xlsx: line 2: more than {MOST_COLUMNS} columns"),
    "empty cells far to the right in every row": (
        HEADER + "".join(f'<row r="{row}"><c r="XFD{row}"/></row>' for row in range(2, 20_000)),
        "x.xlsx: line 2443: the sheet goes on far below or beside its table. Delete the empty rows below it and",
    ),
}


@pytest.mark.parametrize(("rows", "why"), FAR.values(), ids=FAR)
def test_a_small_workbook_that_says_it_is_huge_is_refused_soon(rows: str, why: str) -> None:
    begun = monotonic()
    assert refusal(sheet_of(rows)).startswith(why)
    assert monotonic() - begun < 15


def test_empty_cells_beside_and_below_a_table_do_no_harm() -> None:
    far = '<row r="3"><c r="AMJ3"/></row><row r="1048576"><c r="A1048576"/></row>'
    table = table_of(SourceFile("x.xlsx", sheet_of(HEADER + cells(2, "A") + far)))
    assert [(row.line, dict(row)) for row in table.rows] == [(2, {"adversarial": "x"})]
