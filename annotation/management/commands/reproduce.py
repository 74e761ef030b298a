"""`manage.py reproduce PAPER --data DIR --out DIR`"""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

from django.core.management.base import CommandError, CommandParser

from annotation.management.command import DomainCommand
from annotation.management.progress import ProgressLines
from annotation.reproduction.given import Given, Regressors
from annotation.reproduction.papers import PAPERS
from attacks.errors import AttackError
from regressors.errors import RegressorError
from scoring.result import ScoringError


class Command(DomainCommand):
    help = "Compute the tables and figures of a paper from public files and from runs, beside what the paper prints."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paper", choices=sorted(PAPERS))
        parser.add_argument("--data", required=True, type=Path, metavar="PATH", help="the file, or a folder of files and runs")
        parser.add_argument("--study", type=Path, metavar="DIR", help="of `python -m attacks study`: Tables 14 and 15, Figure 3")
        parser.add_argument(
            "--regressors",
            choices=get_args(Regressors),
            default="quick",
            help="Tables 11 to 13: quick takes about a minute, full hours; none leaves them out",
        )
        parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder to write to, made if absent")

    def handle(self, *args: Any, **options: Any) -> None:
        from annotation.reproduction.page import as_text, reproduced, write_reproduction

        given = Given(
            options["data"],
            study=options["study"],
            kept=options["out"] / "regressors",
            regressors=options["regressors"],
            progress=ProgressLines(self.stderr),
        )
        try:
            found = reproduced(options["paper"], given)
        except (ScoringError, AttackError, RegressorError) as refused:
            raise CommandError(str(refused)) from refused
        page = write_reproduction(found, options["out"])
        self.stdout.write(as_text(found))
        self.stdout.write(f"\nReport: {page}")
