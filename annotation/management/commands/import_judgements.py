"""`manage.py import_judgements FILE --format FORMAT --campaign NAME`"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.exchange.importing import FORMATS, import_judgements
from annotation.management.command import DomainCommand
from annotation.models import Judgement
from scoring.wording import counted


class Command(DomainCommand):
    help = "Make a campaign of a published file of judgements. A file with any mistake is refused as a whole."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="CSV or TSV in UTF-8")
        parser.add_argument("--format", required=True, choices=[name for name, form in FORMATS.items() if form.judged])
        parser.add_argument("--campaign", required=True, metavar="NAME", help="name of the new campaign")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = import_judgements(options["file"], format=options["format"], name=options["campaign"])
        judgements = Judgement.objects.filter(claim__item__campaign=campaign).count()
        items = counted(campaign.items.count(), "item")
        self.stdout.write(f"Imported {counted(judgements, 'judgement')} of {items} as “{campaign.name}”.")
