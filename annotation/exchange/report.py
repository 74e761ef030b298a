"""The report: one HTML file that needs nothing else, with every figure's method, n and interval."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.template.loader import render_to_string
from django.utils import timezone

from annotation.models import Campaign, Judgement
from annotation.protocols import protocol_of
from annotation.protocols.analysis import Bar, Figure, Table
from annotation.protocols.votes import votes_of
from annotation.queries.edits import edits_tables
from annotation.queries.progress import Progress, progress_of
from scoring.wording import shown_cell, shown_circumstances, shown_value

from .export import items_jsonl
from .origin import SIMULATED, origin_of, settings_of, software
from .records import utc


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """One figure in words. `bar` is there when it has an interval and a scale to draw it on."""

    title: str
    value: str
    detail: str
    circumstances: str
    method: str
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class ShownTable:
    """One table, all cells as text."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    note: str


def report_html(campaign: Campaign) -> str:
    """The whole report. It holds no names of annotators, and loads nothing from anywhere."""
    protocol = protocol_of(campaign)
    analysis = protocol.analyse(campaign, votes_of(campaign))
    context = {
        "campaign": campaign,
        "protocol": protocol,
        "simulated": SIMULATED if campaign.simulated else "",
        "written": utc(timezone.now()),
        "software": software(),
        "labels": protocol.labels_of(campaign),
        "method": analysis.method,
        "figures": [_figure(figure) for figure in analysis.figures],
        "tables": [_table(table) for table in (*analysis.tables, *edits_tables(campaign))],
        "counts": list(_counts(campaign, progress_of(campaign))),
        "settings": settings_of(campaign),
        "origin": origin_of(campaign),
        "data_sha256": _sha256(campaign),
    }
    return render_to_string("report/report.html", context)


def write_report(campaign: Campaign, folder: Path) -> Path:
    """Write the report into the folder, which is made if absent."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{campaign.name}.html"
    path.write_text(report_html(campaign), encoding="utf-8")
    return path


def _figure(figure: Figure) -> ShownFigure:
    estimate = figure.estimate
    return ShownFigure(
        title=figure.title,
        value=shown_value(estimate, figure.style),
        detail=figure.detail,
        circumstances=shown_circumstances(estimate, figure.style),
        method=figure.method,
        bar=figure.bar,
    )


def _table(table: Table) -> ShownTable:
    rows = [[shown_cell(cell, style) for cell, style in row] for row in table.cells]
    return ShownTable(table.title, list(table.columns), rows, table.note)


def _counts(campaign: Campaign, progress: Progress) -> Iterator[tuple[str, str]]:
    uncounted = Judgement.objects.filter(claim__item__campaign=campaign).exclude(uncounted="").count()
    yield "state", campaign.get_state_display()
    yield "items", f"{progress.items:,}, of them {progress.complete:,} with all answers"
    yield "answers that count", f"{progress.answered:,} of {progress.wanted:,} wanted"
    yield "answers that came too late to count", f"{uncounted:,}"


def _sha256(campaign: Campaign) -> str:
    """SHA-256 of the exported items.jsonl, so that the report can be matched with the data behind it."""
    digest = hashlib.sha256()
    for line in items_jsonl(campaign):
        digest.update(line.encode())
    return digest.hexdigest()
