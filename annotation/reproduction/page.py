"""A reproduction as files: one page, each table as CSV and LaTeX, and all of it as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone

from annotation.exchange.origin import software
from annotation.exchange.records import utc
from annotation.exchange.report import PLOTS_CSS, with_plots
from annotation.exchange.report_files import table_csv, table_tex
from annotation.protocols.analysis import Table
from scoring.wording import shown_cell

from .given import Given
from .papers import PAPERS, Paper
from .published import Section


@dataclass(frozen=True, slots=True)
class Reproduction:
    """All that could be computed of one paper, part by part, in the order of the paper."""

    name: str
    paper: Paper
    sections: Sequence[Section]

    @property
    def tables(self) -> list[Table]:
        return [table for section in self.sections for table in section.tables]

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON, with every digit."""
        parts = [
            {
                "part": section.part.name,
                "shows": section.part.shows,
                "status": section.part.status.value,
                "lacks": section.lacks,
                "tables": {table.key: table.as_dict() for table in section.tables},
            }
            for section in self.sections
        ]
        return {"paper": self.name, "citation": self.paper.citation, "software": software(), "parts": parts}


def reproduced(name: str, given: Given) -> Reproduction:
    """Compute all parts of a paper. Raises ReproductionError or a ScoringError for files that cannot be used."""
    return Reproduction(name, PAPERS[name], list(PAPERS[name].sections(given)))


def write_reproduction(found: Reproduction, folder: Path) -> Path:
    """Write `index.html`, `summary.json` and `tables/` into the folder, which is made if absent; returns the page.

    All of it is made before anything is written.
    """
    files = {folder / "index.html": _html(found), folder / "summary.json": _json(found)}
    for table in found.tables:
        files[folder / "tables" / f"{table.key}.csv"] = table_csv(table)
        files[folder / "tables" / f"{table.key}.tex"] = table_tex(table, campaign=found.name)
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        path.write_text(content, encoding="utf-8")
    return folder / "index.html"


def as_text(found: Reproduction) -> str:
    """For a terminal: what was computed and what is lacking, a line for each part."""
    return "\n".join(_lines(found))


def _lines(found: Reproduction) -> Iterator[str]:
    for section in found.sections:
        names = ", ".join(table.key for table in section.tables)
        told = "; ".join(part for part in (names, section.lacks and f"lacks: {section.lacks}") if part)
        yield f"{section.part.name}, {section.part.shows}: {told}"


def _json(found: Reproduction) -> str:
    return json.dumps(found.as_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _html(found: Reproduction) -> str:
    drawn = {table.key: svg for table, svg in with_plots(found.tables)}
    context = {
        "paper": found.paper,
        "sections": [
            (section, [(table, _shown(table), drawn[table.key]) for table in section.tables]) for section in found.sections
        ],
        "plots_css": (settings.BASE_DIR / PLOTS_CSS).read_text(encoding="utf-8"),
        "written": utc(timezone.now()),
        "software": software(),
    }
    return render_to_string("reproduction/report.html", context)


def _shown(table: Table) -> list[list[str]]:
    return [[shown_cell(cell, style) for cell, style in row] for row in table.cells]
