"""`manage.py export NAME --out DIR`"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.exchange.export import write_export
from annotation.management.command import CampaignCommand, campaign_named


class Command(CampaignCommand):
    help = "Write a campaign's judgements and decisions, without names, as CSV and JSONL with a codebook."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder to write to, made if absent")

    def handle(self, *args: Any, **options: Any) -> None:
        for path in write_export(campaign_named(options["name"]), options["out"]):
            self.stdout.write(str(path))
