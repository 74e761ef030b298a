"""`manage.py import_examples FILE --format pairs --campaign NAME`"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.exchange.importing import FORMATS, import_judgements
from annotation.management.command import DomainCommand


class Command(DomainCommand):
    help = "Make a campaign, still to be judged, of a file of examples. A file with any mistake is refused as a whole."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="CSV or TSV in UTF-8")
        parser.add_argument("--format", default="pairs", choices=[name for name, form in FORMATS.items() if not form.judged])
        parser.add_argument("--campaign", required=True, metavar="NAME", help="name of the new campaign")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = import_judgements(options["file"], format=options["format"], name=options["campaign"])
        self.stdout.write(f"Imported {campaign.items.count():,} items as “{campaign.name}”. Open it to have them judged.")
