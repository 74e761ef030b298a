"""`manage.py export NAME --out DIR [--format csv|jsonl|xlsx] [--confidence-at-least N]`"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.exchange.export import FORMATS, write_export
from annotation.management.command import CampaignCommand, campaign_named


class Command(CampaignCommand):
    help = "Write a campaign's judgements and decisions, without names, with a codebook and an exact file that can be imported."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder to write to, made if absent")
        parser.add_argument("--format", default="csv", choices=list(FORMATS), help="of the tables")
        parser.add_argument(
            "--confidence-at-least", type=int, default=0, choices=range(1, 6), metavar="N", help="leave out less sure answers"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        how = {"format": options["format"], "at_least": options["confidence_at_least"]}
        for path in write_export(campaign_named(options["name"]), options["out"], **how):
            self.stdout.write(str(path))
