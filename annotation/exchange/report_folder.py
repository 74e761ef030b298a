"""A campaign's report as files in a folder: the page, the PDF, and each table as CSV and LaTeX."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from annotation.models import Campaign

from .report import report_html, report_of, table_files
from .report_pdf import report_pdf


def write_report(campaign: Campaign, folder: Path, *, written: datetime | None = None) -> list[Path]:
    """Write the report and its tables into the folder, which is made if absent. Returns the paths."""
    report = report_of(campaign, written=written)
    tables = folder / f"{campaign.name}-tables"
    files = {folder / f"{campaign.name}.html": report_html(report).encode(), folder / f"{campaign.name}.pdf": report_pdf(report)}
    for shown in report.tables:
        files |= {tables / name: text.encode() for name, text in table_files(shown.table, campaign=campaign).items()}
    tables.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        path.write_bytes(content)
    return list(files)
