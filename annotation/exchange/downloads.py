"""Exports one file at a time, for whoever downloads: which files there are, what each is, and its bytes piece by piece."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from annotation.errors import DomainError
from annotation.models import Campaign, Judgement

from .archive import PIECE, archive_of
from .export import FILES, WORKBOOK, write_workbook
from .report import report_html, report_of
from .snapshot import in_one_snapshot

REPORT, REPORT_PDF = "report.html", "report.pdf"
EVERYTHING = "everything.zip"
DOWNLOADS = (*FILES, WORKBOOK, EVERYTHING, REPORT, REPORT_PDF)
"""The names of all files."""

TYPES = {
    "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "jsonl": "application/jsonl; charset=utf-8",
    "pdf": "application/pdf",
    "tex": "application/x-tex; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "zip": "application/zip",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
WORKBOOK_AT_MOST = 20_000
"""Judgements in a workbook that is made while somebody waits; it takes about a second for each thousand."""


def media_type(file: str) -> str:
    """What the file is, for the header that says so."""
    return TYPES[file.rpartition(".")[2]]


def pieces_of(campaign: Campaign, file: str, *, at_least: int = 0) -> Iterator[bytes]:
    """The file, made while it is read, of one moment. `at_least`: the least confidence of the answers in it.

    Raises DomainError for a workbook that would take too long to wait for.
    """
    if file == WORKBOOK:
        _check_size(campaign)
        return in_one_snapshot(campaign, _workbook(campaign, at_least))
    if file == EVERYTHING:
        return in_one_snapshot(campaign, archive_of(campaign, at_least))
    if file == REPORT:
        return iter([report_html(report_of(campaign)).encode()])
    if file == REPORT_PDF:
        from .report_pdf import report_pdf

        return iter([report_pdf(report_of(campaign))])
    return in_one_snapshot(campaign, (part.encode() for part in FILES[file](campaign, at_least)))


def _check_size(campaign: Campaign) -> None:
    judgements = Judgement.objects.filter(claim__campaign=campaign).count()
    if judgements > WORKBOOK_AT_MOST:
        raise DomainError(
            f"A workbook of {judgements:,} judgements takes too long to wait for; one may hold {WORKBOOK_AT_MOST:,} here. "
            f"Take the CSV files, or run: manage.py export {campaign.name} --format xlsx --out DIR"
        )


def _workbook(campaign: Campaign, at_least: int) -> Iterator[bytes]:
    """The workbook by way of a temporary file, which is gone when it has been read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / WORKBOOK
        write_workbook(campaign, path, at_least=at_least)
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                yield piece
