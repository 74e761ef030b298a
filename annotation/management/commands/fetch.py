"""`manage.py fetch PAPER --out DIR [--from PATH]`"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.management.command import DomainCommand
from annotation.reproduction.public_files import PUBLIC_FILES, fetch


class Command(DomainCommand):
    help = "Fetch the files that a paper released, and check that they are those."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paper", choices=sorted(PUBLIC_FILES))
        parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder to write to, made if absent")
        parser.add_argument(
            "--from", dest="source", type=Path, metavar="PATH", help="a file or folder here, in place of the address"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        for path, sha256 in fetch(PUBLIC_FILES[options["paper"]], options["out"], source=options["source"]):
            self.stdout.write(f"{path}  SHA-256 {sha256}")
