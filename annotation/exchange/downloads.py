"""Exports one file at a time, for whoever downloads: which files there are, what each is, and its bytes piece by piece."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from annotation.models import Campaign

from .export import FILES, WORKBOOK, write_workbook
from .report import report_html

REPORT = "report.html"
DOWNLOADS = (*FILES, WORKBOOK, REPORT)
"""The names of all files."""

TYPES = {
    "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
PIECE = 64 * 1024


def media_type(file: str) -> str:
    """What the file is, for the header that says so."""
    return TYPES[file.rpartition(".")[2]]


def pieces_of(campaign: Campaign, file: str, *, at_least: int = 0) -> Iterator[bytes]:
    """The file, made while it is read. `at_least`: the least confidence of the answers in it."""
    if file == WORKBOOK:
        yield from _workbook(campaign, at_least)
    elif file == REPORT:
        yield report_html(campaign).encode()
    else:
        yield from (part.encode() for part in FILES[file](campaign, at_least))


def _workbook(campaign: Campaign, at_least: int) -> Iterator[bytes]:
    """The workbook by way of a temporary file, which is gone when it has been read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / WORKBOOK
        write_workbook(campaign, path, at_least=at_least)
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                yield piece
