"""`manage.py study NAME --task TASK --victim VICTIM --attacker ATTACKER --model MODEL --tau T [T …] --out DIR`"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.errors import DomainError
from annotation.management.command import DomainCommand
from annotation.management.progress import ProgressLines
from annotation.models import ConstraintStudy, LearnedModel, Task, Victim
from annotation.services.attacking import AttackWanted
from annotation.services.studies import StudyWanted, asked_of, carry_out, make_study
from scoring.arguments import MANY, SEED, Number


class Command(DomainCommand):
    help = "Attack without and under limits on predicted suspicion, compare, keep all of it as a study, and write its report."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the study's; one that was stopped goes on")
        for name, what in (("task", Task), ("victim", Victim), ("model", LearnedModel)):
            parser.add_argument(f"--{name}", required=True, help=f"the name of a {what._meta.verbose_name} of this database")
        parser.add_argument("--attacker", required=True, help="a name that `python -m attacks list` shows")
        parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the attacker")
        parser.add_argument("--tau", type=Number(), nargs="+", required=True, help="the limits, a run each")
        parser.add_argument("--targeted", action="store_true", help="only non-credible texts that the victim recognises")
        parser.add_argument("--budget", type=MANY, help="texts that may be asked per example (default: no limit)")
        parser.add_argument("--texts", type=MANY, help="attack only the first so many texts")
        parser.add_argument("--seed", type=SEED, default=0)
        parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the report")

    def handle(self, *args: Any, **options: Any) -> None:
        from annotation.exchange.report_files import table_text
        from annotation.exchange.study_report import StudyReport, write_study
        from attacks.errors import AttackError

        for name, rows in (("task", Task.objects), ("victim", Victim.objects), ("model", LearnedModel.objects)):
            if not rows.filter(name=options[name]).exists():
                names = ", ".join(rows.order_by("name").values_list("name", flat=True)[:20]) or "none yet"
                raise CommandError(f"There is no {name} named “{options[name]}”. There are: {names}.")
        try:
            study = _study(_wanted(options))
            carry_out(study, ProgressLines(self.stderr))
        except AttackError as refused:
            raise CommandError(str(refused)) from refused
        report = StudyReport(study)
        page = write_study(report, options["out"])
        for table in report.tables:
            if table.key != "examples":
                self.stdout.write(f"{table_text(table)}\n")
        self.stdout.write(f"Report: {page}")


def _wanted(options: dict[str, Any]) -> StudyWanted:
    from attacks.attackers import ATTACKERS
    from attacks.commands import settings_of

    known = dict(ATTACKERS[options["attacker"]].parameters()) if options["attacker"] in ATTACKERS else {}
    same = ("name", "task", "victim", "attacker", "model", "targeted", "budget", "seed", "texts")
    attack = AttackWanted(**{name: options[name] for name in same}, parameters=settings_of(options["set"], known))
    return StudyWanted(attack=attack, taus=sorted(options["tau"]))


def _study(wanted: StudyWanted) -> ConstraintStudy:
    """The one that is there already, if it is the same, else a new one."""
    there = ConstraintStudy.objects.filter(name=wanted.attack.name).first()
    if there is None:
        return make_study(wanted=wanted)
    if asked_of(there) != wanted.attack or there.taus != wanted.taus:
        raise DomainError(f"The study “{there.name}” is another one: it was asked for otherwise. Choose another name.")
    return there
