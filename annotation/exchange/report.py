"""The report: every figure with its method, n and interval, plots with their numbers, as HTML and PDF that need nothing else, and
each table as CSV and LaTeX."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone

from annotation.models import Campaign, Judgement, Label
from annotation.protocols import protocol_of
from annotation.protocols.analysis import Analysis, Bar, Figure, Table
from annotation.protocols.base import Protocol
from annotation.protocols.votes import votes_of
from annotation.queries.analysed import analysed
from annotation.queries.automatic import automatic_tables
from annotation.queries.course import course_tables
from annotation.queries.edits import edits_tables
from annotation.queries.progress import Progress, progress_of
from scoring.wording import shown_cell, shown_circumstances, shown_value

from .drawing import svgs_of
from .export import items_jsonl
from .origin import SIMULATED, origin_of, settings_of, software
from .records import utc
from .report_files import table_csv, table_tex
from .snapshot import snapshot

PLOTS_CSS = "static/css/plots.css"


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
    """One table, all cells as text, and the table itself with its plot."""

    columns: list[str]
    rows: list[list[str]]
    table: Table


@dataclass(frozen=True, slots=True)
class Report:
    """All that a report says, before it is HTML or PDF. It holds no names of annotators."""

    campaign: Campaign
    protocol: Protocol
    simulated: str
    written: datetime
    software: str
    labels: Sequence[Label]
    method: str
    figures: Sequence[ShownFigure]
    tables: Sequence[ShownTable]
    counts: Sequence[tuple[str, str]]
    settings: Sequence[tuple[str, str]]
    origin: Sequence[tuple[str, str]]
    data_sha256: str


def report_analysis(campaign: Campaign) -> Analysis:
    """All figures and tables of the report: the protocol's, and those that every campaign has, with their plots."""
    with snapshot(campaign):
        votes = votes_of(campaign)
        analysis = analysed(campaign, votes)
        every = (automatic_tables(campaign, votes), edits_tables(campaign), course_tables(campaign))
    return Analysis(analysis.method, analysis.figures, [*analysis.tables, *(table for tables in every for table in tables)])


def report_of(campaign: Campaign, *, written: datetime | None = None) -> Report:
    """The report as of now, all of one moment. Of the same data only `written` is another the next time; whoever needs equal
    bytes gives it."""
    with snapshot(campaign):
        protocol, analysis = protocol_of(campaign), report_analysis(campaign)
        return Report(
            campaign=campaign,
            protocol=protocol,
            simulated=SIMULATED if campaign.simulated else "",
            written=written or timezone.now(),
            software=software(),
            labels=protocol.labels_of(campaign),
            method=analysis.method,
            figures=[_figure(figure) for figure in analysis.figures],
            tables=[shown_table(table) for table in analysis.tables],
            counts=list(_counts(campaign, progress_of(campaign))),
            settings=settings_of(campaign),
            origin=origin_of(campaign),
            data_sha256=_sha256(campaign),
        )


def report_html(report: Report) -> str:
    """One file that loads nothing from anywhere."""
    context = {
        "report": report,
        "written": utc(report.written),
        "tables": list(zip(report.tables, (svg for _, svg in with_plots([shown.table for shown in report.tables])), strict=True)),
        "plots_css": (settings.BASE_DIR / PLOTS_CSS).read_text(encoding="utf-8"),
    }
    return render_to_string("report/report.html", context)


def with_plots(tables: Sequence[Table]) -> list[tuple[Table, str]]:
    """Each table with its plot as SVG, empty where it has none."""
    plots = {table.key: table.plot for table in tables if table.plot}
    svgs = dict(zip(plots, svgs_of(list(plots.values())), strict=True))
    return [(table, svgs.get(table.key, "")) for table in tables]


def table_files(table: Table, *, campaign: Campaign) -> dict[str, str]:
    """The table's files by name."""
    simulated = SIMULATED if campaign.simulated else ""
    return {
        f"{table.key}.csv": table_csv(table),
        f"{table.key}.tex": table_tex(table, campaign=campaign.name, simulated=simulated),
    }


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


def shown_table(table: Table) -> ShownTable:
    """The table with all its cells in words."""
    rows = [[shown_cell(cell, style) for cell, style in row] for row in table.cells]
    return ShownTable(list(table.columns), rows, table)


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
