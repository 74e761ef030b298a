"""`manage.py add_task FOLDER [--name NAME]`"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.management.command import DomainCommand
from annotation.services.attacking import SPLITS, keep_task


class Command(DomainCommand):
    help = "Keep a task folder as the page “Upload a task” does: every organiser may then attack its texts."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="folder with train.tsv, dev.tsv and attack.tsv")
        parser.add_argument("--name", default="", help="what it is to be called; the folder's name if not given")

    def handle(self, *args: Any, **options: Any) -> None:
        task = keep_task(folder=options["folder"], name=options["name"] or options["folder"].resolve().name)
        sizes = ", ".join(f"{sum(task.counts[split]):,} to {split}" for split in SPLITS)
        self.stdout.write(f"Kept as “{task.name}” in {task.folder}: {sizes}.")
