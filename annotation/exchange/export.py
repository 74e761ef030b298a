"""Writers: tables for spreadsheets and for programs, the exact file from which the campaign can be made again, a workbook."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from defusedcsv import csv as defused

from annotation.models import Campaign, Team
from annotation.protocols import protocol_of

from .codebook import codebook_of
from .passable import VERSION
from .records import erased_from, records_of
from .snapshot import snapshot
from .tables import TABLES

BOM = "\ufeff"
"""Without it, spreadsheets guess the encoding, and texts with homoglyphs come out as something else."""

ALSO_RUN = ("\t", "\r", "\n", *"\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b")
"""What some spreadsheets skip before they look for a formula, or take for the sign of one: the full-width and the small forms of
= + - @. defusedcsv leaves them alone."""

MOST_IN_A_CELL = 32_000
TAKEN_FOR_SOMETHING_ELSE = ("=", "#")
"""The library takes a text that begins with = for a formula, and one such as #N/A for an error, unless it is told."""
CUT = " … [cut here: the whole text is in items.jsonl]"
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_LIKE_AN_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")

Parts = Iterator[str]


def csv_of(name: str, campaign: Campaign, at_least: int = 0) -> Parts:
    """A table for spreadsheets: cells that they would execute begin with an apostrophe."""
    table = TABLES[name](campaign, at_least)
    writer = defused.writer(Line(), quoting=csv.QUOTE_MINIMAL)
    yield BOM + writer.writerow(table.columns)
    for row in table.rows:
        yield writer.writerow([_csv_cell(cell) for cell in row])


def jsonl_of(name: str, campaign: Campaign, at_least: int = 0) -> Parts:
    """A table for programs: one object per row, texts exactly as they are."""
    table = TABLES[name](campaign, at_least)
    return (_line(dict(zip(table.columns, row, strict=True))) for row in table.rows)


def items_jsonl(campaign: Campaign, at_least: int = 0) -> Parts:
    """The whole campaign: a line about it, then one line per item, with texts exactly as they are, answers and decision."""
    yield _line(_about(campaign))
    for item in records_of(campaign, at_least=at_least):
        entry = {"record": "item", "campaign": campaign.name, "simulated": campaign.simulated, **_fields(item)}
        entry["judgements"] = [_fields(given) for given in item.judgements]
        entry["decision"] = _fields(item.decision) if item.decision else None
        yield _line(entry)


def codebook_md(campaign: Campaign, at_least: int = 0) -> Parts:
    """What the files hold, in Markdown."""
    yield codebook_of(campaign, at_least=at_least)


ITEMS, CODEBOOK, WORKBOOK = "items.jsonl", "codebook.md", "tables.xlsx"

FILES: dict[str, Callable[..., Parts]] = {
    **{f"{name}.csv": partial(csv_of, name) for name in TABLES},
    **{f"{name}.jsonl": partial(jsonl_of, name) for name in TABLES},
    ITEMS: items_jsonl,
    CODEBOOK: codebook_md,
}
"""The text files that a campaign is exported as, by name: each takes the campaign and the least confidence. The workbook is
apart: it is no text."""

FORMATS = {
    "csv": (*(f"{name}.csv" for name in TABLES), ITEMS, CODEBOOK),
    "jsonl": (*(f"{name}.jsonl" for name in TABLES), ITEMS, CODEBOOK),
    "xlsx": (WORKBOOK, ITEMS, CODEBOOK),
}
"""What is written in each format. The exact file and the codebook come with all of them."""


def write_export(campaign: Campaign, folder: Path, *, format: str = "csv", at_least: int = 0) -> list[Path]:
    """Write every file of the format, all of one moment, into the folder, which is made if absent. Returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with snapshot(campaign):
        for name in FORMATS[format]:
            path = folder / name
            if name == WORKBOOK:
                write_workbook(campaign, path, at_least=at_least)
            else:
                with path.open("w", encoding="utf-8", newline="") as file:
                    file.writelines(FILES[name](campaign, at_least))
            written.append(path)
    return written


def write_workbook(campaign: Campaign, path: Path, *, at_least: int = 0) -> None:
    """All tables as sheets of one XLSX file, row by row. Every text is a text cell: nothing in it is a formula."""
    import openpyxl
    from openpyxl.cell import WriteOnlyCell

    book = openpyxl.Workbook(write_only=True)
    for name, made in TABLES.items():
        sheet = book.create_sheet(name)
        table = made(campaign, at_least)
        sheet.append(list(table.columns))
        for row in table.rows:
            sheet.append([_excel_cell(WriteOnlyCell, sheet, cell) for cell in row])
    sheet = book.create_sheet("codebook")
    for line in codebook_of(campaign, at_least=at_least).splitlines():
        sheet.append([_excel_cell(WriteOnlyCell, sheet, line)])
    book.save(path)


def _about(campaign: Campaign) -> dict[str, Any]:
    labels = [
        {"value": label.value, "key": label.key, "name": label.name, "definition": label.definition, "hotkey": label.hotkey}
        for label in protocol_of(campaign).labels_of(campaign)
    ]
    gone = Team.objects.filter(campaign=campaign, withdrawn_at__isnull=False).order_by("name")
    return {
        "record": "campaign",
        "version": VERSION,
        "campaign": campaign.name,
        "title": campaign.title,
        "protocol": campaign.protocol,
        "preset": campaign.preset,
        "simulated": campaign.simulated,
        "labels": labels,
        "settings": campaign.settings,
        "withdrawn_teams": list(gone.values_list("name", flat=True)),
        "erased": asdict(erased_from(campaign)),
    }


def _fields(record: Any) -> dict[str, Any]:
    """A record's fields by name. `asdict` would copy every value of every answer, which takes twice as long."""
    return {field: getattr(record, field) for field in record.__slots__}


def _line(entry: dict[str, Any]) -> str:
    return json.dumps(entry, ensure_ascii=False, allow_nan=False) + "\n"


class Line:
    """A file that gives back what is written: `writerow` then returns the line."""

    def write(self, line: str) -> str:
        return line


def _csv_cell(cell: Any) -> Any:
    if isinstance(cell, str):
        return f"'{cell}" if cell.startswith(ALSO_RUN) else cell
    return _plain(cell)


def _plain(cell: Any) -> Any:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return " ".join(map(str, cell)) if isinstance(cell, list) else cell


def _excel_cell(cell_class: Any, sheet: Any, value: Any) -> Any:
    value = _plain(value)
    if not isinstance(value, str):
        return value
    shown = value if len(value) <= MOST_IN_A_CELL else value[:MOST_IN_A_CELL] + CUT
    escaped = _NO_XML.sub(lambda match: f"_x{ord(match[0]):04X}_", _LIKE_AN_ESCAPE.sub("_x005F_", shown))
    if not escaped.startswith(TAKEN_FOR_SOMETHING_ELSE):
        return escaped
    cell = cell_class(sheet, escaped)
    cell.data_type = "s"
    return cell
