"""`manage.py demo [--json] [--out DIR]`"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from annotation.management.command import DomainCommand
from annotation.management.progress import ProgressLines


class Command(DomainCommand):
    help = "Build the sample study, or what is missing of it, without the server. Prints its results and writes a report."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the results as JSON, and nothing else")
        parser.add_argument("--out", type=Path, default=Path("demo_report"), metavar="DIR", help="folder for the report")

    def handle(self, *args: Any, **options: Any) -> None:
        from annotation.demo.plan import Study, StudyPlan
        from annotation.demo.report import as_dict, as_text, write_demo_report
        from annotation.demo.results import results_of
        from annotation.demo.study import build_study

        study = Study(StudyPlan(), settings.DATA_DIR)
        seconds = build_study(study, ProgressLines(self.stderr))
        results = results_of(study, seconds)
        page = write_demo_report(results, options["out"])
        if options["json"]:
            self.stdout.write(json.dumps(as_dict(results), indent=2, ensure_ascii=False, allow_nan=False))
        else:
            self.stdout.write(as_text(results))
            self.stdout.write(f"\nReport: {page}")
