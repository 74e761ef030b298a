"""The sample study's results for people and programs: text, JSON, and one page beside the campaigns' exports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone

from annotation.exchange.export import write_export
from annotation.exchange.origin import software
from annotation.exchange.records import utc
from annotation.exchange.report import PLOTS_CSS, with_plots
from annotation.exchange.report_files import table_text
from annotation.exchange.report_folder import write_report
from annotation.exchange.study_report import write_study
from annotation.protocols.analysis import Table
from scoring.wording import shown_cell

from .results import STUDY_NOTE, Results

CONSTRAINT = "constraint-study"
"""The folder of the constraint study's own report."""


def as_dict(results: Results) -> dict[str, Any]:
    """Ready for JSON, with every digit; parts that rest on simulated readers say so."""
    parts = {
        part.key: {
            "title": part.title,
            "simulated": bool(part.warning),
            "note": part.warning,
            "tables": {table.key: table.as_dict() for table in part.tables},
        }
        for part in results.parts
    }
    return {"study": results.name, "note": STUDY_NOTE, "software": software(), "seconds": dict(results.seconds), **parts}


def as_text(results: Results) -> str:
    """For a terminal."""
    return "\n".join(_lines(results))


def _lines(results: Results) -> Iterator[str]:
    for part in results.parts:
        yield f"\n{part.title}\n{'=' * len(part.title)}"
        if part.warning:
            yield part.warning
        for table in part.tables:
            yield f"\n{table_text(table)}"
    if results.seconds:
        took = ", ".join(f"{title.lower()} {seconds:.0f} s" for title, seconds in results.seconds.items())
        yield f"\nTime: {took}; in all {sum(results.seconds.values()):.0f} s"


def write_demo_report(results: Results, folder: Path) -> Path:
    """Write `index.html`, `summary.json`, each campaign's report and export, and the constraint study's report into the folder,
    which is made if absent."""
    folder.mkdir(parents=True, exist_ok=True)
    for campaign in results.campaigns:
        write_report(campaign, folder)
        write_export(campaign, folder / campaign.name)
    write_study(results.constraint, folder / CONSTRAINT)
    (folder / "summary.json").write_text(json.dumps(as_dict(results), indent=2, ensure_ascii=False, allow_nan=False))
    page = folder / "index.html"
    page.write_text(render_to_string("demo/report.html", _context(results)), encoding="utf-8")
    return page


def _context(results: Results) -> dict[str, Any]:
    return {
        "name": results.name,
        "simulated": STUDY_NOTE,
        "parts": [(part, [(table, _shown(table), svg) for table, svg in with_plots(part.tables)]) for part in results.parts],
        "plots_css": (settings.BASE_DIR / PLOTS_CSS).read_text(encoding="utf-8"),
        "campaigns": results.campaigns,
        "constraint": CONSTRAINT,
        "seconds": [(title, f"{seconds:.1f} s") for title, seconds in results.seconds.items()],
        "written": utc(timezone.now()),
        "software": software(),
    }


def _shown(table: Table) -> list[list[str]]:
    return [[shown_cell(cell, style) for cell, style in row] for row in table.cells]
