"""`manage.py add_victim FOLDER [--name NAME]`"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.jobs.victims import brought_victim
from annotation.management.command import DomainCommand


class Command(DomainCommand):
    help = "Keep a victim folder as the page “Upload a victim” does, after it was tried on a text. The folder stays where it is."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="folder that `python -m attacks train-victim` wrote")
        parser.add_argument("--name", default="", help="what it is to be called; the folder's name if not given")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = options["folder"].resolve()
        victim = brought_victim(folder, options["name"] or folder.name)
        self.stdout.write(f"Kept as “{victim.name}” in {victim.folder}, SHA-256 {victim.sha256}.")
