"""`manage.py report NAME --out DIR`"""

from __future__ import annotations

from argparse import ArgumentTypeError
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.exchange.report_folder import write_report
from annotation.management.command import CampaignCommand, campaign_named


class Command(CampaignCommand):
    help = "Write a campaign's report as HTML and PDF, and each of its tables as CSV and LaTeX."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder to write to, made if absent")
        about = "what the report says of when it was written: the same data and the same time give the same bytes"
        parser.add_argument("--written", type=_time, metavar="TIME", help=about)

    def handle(self, *args: Any, **options: Any) -> None:
        for path in write_report(campaign_named(options["name"]), options["out"], written=options["written"]):
            self.stdout.write(str(path))


def _time(given: str) -> datetime:
    try:
        moment = datetime.fromisoformat(given)
    except ValueError:
        raise ArgumentTypeError(f"{given!r} is no time; give one such as 2026-01-31T12:00:00Z.") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
