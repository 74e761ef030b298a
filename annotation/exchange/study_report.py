"""A constraint study as files: one page that needs nothing else, JSON, the pairs as CSV, each table as CSV and LaTeX."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from defusedcsv import csv as defused
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone

from annotation.models import ConstraintStudy, User
from annotation.protocols.analysis import Table
from annotation.queries.studied import Asked, PairVotes, asked_people, example_table, pairs_at, study_tables, vote_table

from .export import BOM
from .origin import SIMULATED, SIMULATED_MODEL, software
from .records import utc
from .report import PLOTS_CSS, ShownTable, shown_table, with_plots
from .report_files import table_files

PAGE, NUMBERS, PAIRS = "study.html", "study.json", "pairs.csv"


@dataclass(frozen=True)
class StudyReport:
    """A study with the votes that the person may see; of no person: all."""

    study: ConstraintStudy
    user: User | None = None

    @cached_property
    def asked(self) -> list[Asked]:
        return asked_people(self.study, self.user)

    @cached_property
    def pairs(self) -> list[PairVotes]:
        return pairs_at(self.study, self.asked) if self.study.result else []

    @cached_property
    def tables(self) -> list[Table]:
        """Of the figures that rest on the model alone, of the votes, and of examples."""
        votes = [vote_table(self.asked)] if self.asked else []
        return [*votes, *study_tables(self.study), *([example_table(self.pairs)] if self.pairs else [])]

    @property
    def notices(self) -> list[str]:
        """What has to be said before anything else: that readers or the model's teachers were simulated."""
        simulated = any(each.campaign.simulated for each in self.asked)
        return [*([SIMULATED] if simulated else []), *([SIMULATED_MODEL] if self.study.simulated else [])]


def facts_of(study: ConstraintStudy) -> list[tuple[str, str]]:
    """What was attacked and how."""
    asked = study.asked
    return [
        ("task", asked["task"]),
        ("victim", asked["victim"]),
        ("attacker", ", ".join([asked["attacker"], *(f"{name}={value}" for name, value in asked["parameters"].items())])),
        ("scenario", "targeted" if asked["targeted"] else "untargeted"),
        ("texts", "all" if asked["texts"] is None else f"the first {asked['texts']:,}"),
        ("budget", "none" if asked["budget"] is None else f"{asked['budget']:,} queries per text"),
        ("seed", str(asked["seed"])),
        ("suspicion model", f"{study.model.name}, SHA-256 {study.model.sha256}"),
        ("limits", ", ".join(f"{tau:g}" for tau in study.taus)),
        ("other constraints", ", ".join(f"{name}={value}" for name, value in asked["constraints"].items()) or "none"),
    ]


def study_files(report: StudyReport) -> dict[str, str]:
    """All files of the study but its page, by name."""
    tables = table_files(report.tables, name=report.study.name, simulated=" ".join(report.notices))
    return {NUMBERS: study_json(report), PAIRS: pairs_csv(report)} | tables


def study_summary(report: StudyReport) -> dict[str, Any]:
    """Every figure with all its digits; no texts, which are in the pairs."""
    study = report.study
    return {
        "study": study.name,
        "simulated": report.notices,
        "asked": study.asked,
        "limits": study.result or [],
        "model": {"name": study.model.name, "sha256": study.model.sha256, "simulated": study.simulated},
        "runs": [{"name": link.run.name, "tau": link.tau} for link in study.links.select_related("run")],
        "votes": [each.as_dict() for each in report.asked],
        "software": software(),
    }


def study_json(report: StudyReport) -> str:
    """The summary as a file."""
    return json.dumps(study_summary(report), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def pairs_csv(report: StudyReport) -> str:
    """The pairs, one a line, with the votes of each campaign that asked about them."""
    out = io.StringIO()
    out.write(BOM)
    writer = defused.writer(out)
    suspicion = [f"suspicion {of}" for of in ("of the original", "without", "with")]
    writer.writerow(["limit", "text", "original", "without", "with", *suspicion, "campaign", "votes for with", "votes"])
    for pair in report.pairs:
        texts = [pair.original, pair.free, pair.held]
        writer.writerow([pair.tau, pair.number, *texts, *pair.suspicion, pair.campaign, pair.for_held, pair.votes])
    return out.getvalue()


def study_html(report: StudyReport, *, written: datetime | None = None) -> str:
    """One file that loads nothing from anywhere."""
    context = {
        "study": report.study,
        "notices": report.notices,
        "asked": report.asked,
        "facts": facts_of(report.study),
        "tables": list(_shown(report.tables)),
        "written": utc(written or timezone.now()),
        "software": software(),
        "plots_css": (settings.BASE_DIR / PLOTS_CSS).read_text(encoding="utf-8"),
    }
    return render_to_string("report/study.html", context)


def _shown(tables: list[Table]) -> Iterator[tuple[ShownTable, str]]:
    for table, svg in with_plots(tables):
        yield shown_table(table), svg


def write_study(report: StudyReport, folder: Path) -> Path:
    """Write the page and all files into the folder, which is made if absent. Returns the page."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in study_files(report).items():
        (folder / name).write_text(content, encoding="utf-8")
    page = folder / PAGE
    page.write_text(study_html(report), encoding="utf-8")
    return page
