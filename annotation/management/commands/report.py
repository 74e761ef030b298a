"""`manage.py report NAME --out DIR`"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.exchange.report import write_report
from annotation.management.command import CampaignCommand, campaign_named


class Command(CampaignCommand):
    help = "Write a campaign's report as one HTML file."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder to write to, made if absent")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(str(write_report(campaign_named(options["name"]), options["out"])))
