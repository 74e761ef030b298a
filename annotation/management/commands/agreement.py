"""`manage.py agreement NAME [--json]`"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import CommandParser

from annotation.exchange.origin import SIMULATED
from annotation.management.command import CampaignCommand, campaign_named
from annotation.models import Campaign
from annotation.protocols import protocol_of
from annotation.protocols.analysis import Analysis, Figure
from annotation.protocols.votes import votes_of
from scoring.wording import shown_cell, shown_circumstances, shown_value


class Command(CampaignCommand):
    help = "Show a campaign's agreement and decisions."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--json", action="store_true", help="as JSON, with every digit")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = campaign_named(options["name"])
        analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
        self.stdout.write(_as_json(campaign, analysis) if options["json"] else "\n".join(_as_text(campaign, analysis)))


def _as_json(campaign: Campaign, analysis: Analysis) -> str:
    about = {
        "campaign": campaign.name,
        "protocol": campaign.protocol,
        "simulated": campaign.simulated,
        "settings": campaign.settings,
        "source": campaign.source,
    }
    return json.dumps(about | analysis.as_dict(), indent=2, ensure_ascii=False, allow_nan=False)


def _as_text(campaign: Campaign, analysis: Analysis) -> Iterator[str]:
    yield f"{campaign.title} ({protocol_of(campaign).title})"
    if campaign.simulated:
        yield SIMULATED
    yield ""
    values = [[figure.title, shown_value(figure.estimate, figure.style)] for figure in analysis.figures]
    yield from _aligned(values, [_remark(figure) for figure in analysis.figures])
    for table in analysis.tables:
        yield f"\n{table.title}"
        rows = [list(table.columns), *([shown_cell(cell, style) for cell, style in row] for row in table.cells)]
        yield from _aligned(rows, [""] * len(rows))
        if table.note:
            yield f"  {table.note}"
    yield f"\n{analysis.method}"


def _remark(figure: Figure) -> str:
    parts = (figure.detail, shown_circumstances(figure.estimate, figure.style))
    return "; ".join(part for part in parts if part)


def _aligned(rows: Sequence[Sequence[str]], remarks: Sequence[str]) -> Iterator[str]:
    """The first column to the left, the others to the right, a remark behind each row."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, remark in zip(rows, remarks, strict=True):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        yield f"  {'  '.join(cells)}  {remark}".rstrip()
