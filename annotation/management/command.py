"""What the commands share: rules that were broken become one line on standard error, and a campaign is found by its name."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.errors import DomainError
from annotation.models import Campaign


class DomainCommand(BaseCommand):
    """A command whose DomainErrors are messages for the person who typed it."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except DomainError as refused:
            raise CommandError(" ".join(str(refused).split())) from refused


class CampaignCommand(DomainCommand):
    """A command about one campaign, named by its first argument."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the campaign's name")


def campaign_named(name: str) -> Campaign:
    """The campaign. Raises CommandError with the names that there are."""
    campaign = Campaign.objects.filter(name=name).first()
    if campaign is None:
        names = ", ".join(Campaign.objects.order_by("name").values_list("name", flat=True)[:20]) or "none yet"
        raise CommandError(f"There is no campaign named “{name}”. Campaigns: {names}.")
    return campaign
