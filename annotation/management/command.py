"""What the commands share: whatever a person can mend becomes one line on standard error, and a campaign is found by its name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from errno import EDQUOT, ENOSPC
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.errors import DomainError
from annotation.models import Campaign


class DomainCommand(BaseCommand):
    """A command for people: DomainErrors, arguments that are no text, and a folder `--out` that cannot be written to are messages
    to whoever typed it. Every other error is a fault of ours and stays one."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        for text in _texts(options.values()):
            if any("\ud800" <= character <= "\udfff" for character in text):
                shown = os.fsencode(text).decode("utf-8", "backslashreplace")
                raise CommandError(
                    _one_line(f"“{shown}” is not in UTF-8. Type it in a terminal that uses UTF-8, or rename the file.")
                )
        try:
            return super().execute(*args, **options)
        except DomainError as refused:
            raise CommandError(_one_line(str(refused))) from refused
        except OSError as refused:
            out = options.get("out")
            if out is None or not _is_about(out, refused):
                raise
            where = f"{refused.filename or out} cannot be written: {refused.strerror}."
            raise CommandError(
                _one_line(f"{where} Give --out a folder with room that you may write to, or a new one.")
            ) from refused


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


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, list):
            yield from _texts(value)
        elif isinstance(value, str | Path):
            yield str(value)


def _is_about(folder: Path, error: OSError) -> bool:
    """Whether it tells of the folder, what it lies in or what lies in it. A full disk does not say where."""
    if error.filename is None:
        return error.errno in (ENOSPC, EDQUOT)
    path = Path(os.fsdecode(error.filename))
    return path.is_relative_to(folder) or folder.is_relative_to(path)


def _one_line(text: str) -> str:
    return " ".join(text.split())
