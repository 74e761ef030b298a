"""Importing: read and check the whole file, then write all of it in one transaction, or nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from django.db import transaction
from django.utils import timezone

from annotation.errors import DomainError
from annotation.models import Campaign, Team, User
from annotation.services.campaigns import CAMPAIGN_NAME, create_campaign
from annotation.services.recording import record_items, record_judgements
from scoring.table import Table, TableError, parse_table

from . import incrediblae, mturk, pairs, passable
from .sheets import MOST_CHARACTERS, SourceFile, too_long
from .study import Study


class ImportProblem(DomainError):
    """The file cannot be imported; the message names line and column where there are any. Nothing was written."""


class NamedFile(Protocol):
    """An open binary file, such as an upload."""

    name: str | None

    def read(self) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: what pages say of it, its reader, and whether it brings judgements or only texts to be judged."""

    title: str
    about: str
    read: Callable[[SourceFile], Study]
    judged: bool
    compares: bool = False
    """Whether every text is compared with every other, which takes longer than somebody should wait for a page."""


def _table(columns: tuple[str, ...], read: Callable[[Table], Study]) -> Callable[[SourceFile], Study]:
    """The reader of a table that is known by its columns."""

    def study(source: SourceFile) -> Study:
        table = parse_table(source.data, required=columns, name=source.name)
        if not table.rows:
            raise TableError(source.name, "there are no rows below the header", line=1)
        for row in table.rows:
            for column, cell in row.items():
                if len(cell) > MOST_CHARACTERS:
                    raise table.error(row, column, too_long(len(cell)))
        return read(table)

    return study


FORMATS = {
    "incrediblae": Format(
        "Published judgements of meaning (InCrediblAE): pairs with two or three answers",
        f"CSV or TSV with the columns {', '.join(incrediblae.COLUMNS)}",
        _table(incrediblae.COLUMNS, incrediblae.read),
        judged=True,
    ),
    "mturk-suspicion": Format(
        "Published judgements of suspicion (Tonni, Faustini, Dras): one answer from 1 to 5 per row",
        f"CSV or TSV with the columns {', '.join(mturk.COLUMNS)}",
        _table(mturk.COLUMNS, mturk.read),
        judged=True,
        compares=True,
    ),
    "passable": Format(
        "A campaign exported from Passable, with all of its answers",
        "The file items.jsonl of the export, as it is",
        passable.study,
        judged=True,
    ),
    "pairs": Format(
        "Pairs to be judged here",
        "CSV or TSV with the columns original and adversarial, and attacker if it is known",
        _table(pairs.COLUMNS, pairs.read),
        judged=False,
    ),
}


def import_judgements(
    file_or_path: NamedFile | Path | str, *, format: str, name: str, title: str = "", created_by: User | None = None
) -> Campaign:
    """Make a campaign of a file. Without a title it is called by its name.

    A format with judgements makes a closed campaign that is decided already; `pairs` makes a draft to be judged here.
    Raises ImportProblem when the file is not in the format, DomainError when the campaign's name is taken; either way
    nothing is written.
    """
    if format not in FORMATS:
        raise ImportProblem(f"There is no format “{format}”. Choose one of {', '.join(FORMATS)}.")
    if not CAMPAIGN_NAME.fullmatch(name):
        raise ImportProblem(f"“{name}” cannot name a campaign: use 1 to 80 letters, digits, hyphens and underscores.")
    file_name, data = _contents(file_or_path)
    try:
        study = FORMATS[format].read(SourceFile(file_name, data))
    except TableError as wrong:
        raise ImportProblem(f"{wrong}. Nothing was written.") from wrong
    source = {
        "file": file_name,
        "sha256": hashlib.sha256(data).hexdigest(),
        "format": format,
        "rows": study.rows or len(study.items),
    }
    return _write(
        study, source=source | dict(study.notes), name=name, title=title, judged=FORMATS[format].judged, created_by=created_by
    )


def _contents(file_or_path: NamedFile | Path | str) -> tuple[str, bytes]:
    if not isinstance(file_or_path, str | Path):
        return _printable(Path(file_or_path.name or "the file").name), file_or_path.read()
    path = Path(file_or_path)
    try:
        return _printable(path.name), path.read_bytes()
    except OSError as error:
        raise ImportProblem(f"{path} cannot be read: {error.strerror}. Nothing was written.") from error


def _printable(name: str) -> str:
    """A file's name as text: the bytes of one that is not UTF-8 could be stored, but on no page be shown."""
    return name.encode(errors="replace").decode()


@transaction.atomic
def _write(study: Study, *, source: dict[str, object], name: str, title: str, judged: bool, created_by: User | None) -> Campaign:
    campaign = create_campaign(
        name=name,
        title=title or name,
        protocol=study.protocol,
        preset=study.preset,
        created_by=created_by,
        settings=study.settings,
        labels=study.labels or None,
        simulated=study.simulated,
        imported=judged,
        source=source,
    )
    if judged:
        record_judgements(campaign=campaign, task=study.task, items=study.items, annotators=study.annotators)
    else:
        record_items(campaign=campaign, task=study.task, items=study.items)
    # After the decisions, which were made before the teams withdrew.
    Team.objects.bulk_create(Team(campaign=campaign, name=name, withdrawn_at=timezone.now()) for name in study.withdrawn_teams)
    return campaign
