"""Files about a campaign's people, for its organisers and nobody else: they are no part of the export, which names nobody."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from defusedcsv import csv as defused

from annotation.models import Campaign, Consent
from annotation.queries.crowd import crowd_of
from annotation.services.pseudonyms import pseudonyms_of

from .export import BOM, Line
from .records import utc

CROWD_COLUMNS = (
    "participant", "study", "session", "account", "answers", "finished", "code_given", "code_given_at", "entered_at",
)  # fmt: skip
CONSENT_COLUMNS = ("annotator", "sheet_version", "sheet_sha256", "given_at", "language", "withdrawn_at")

Rows = Iterator[tuple[Any, ...]]


def _crowd(campaign: Campaign) -> Rows:
    """One row per participant of the platform. Whoever withdrew is in it no more: their ids are erased."""
    for sent in crowd_of(campaign):
        visit, member = sent.visit, sent.member
        ids = (visit.participant, visit.study, visit.session, member.user.username)
        code = (_yes(visit.completed_at is not None), _at(visit.completed_at))
        yield (*ids, member.given, _yes(sent.finished), *code, _at(visit.entered_at))


def _consents(campaign: Campaign) -> Rows:
    """One row per consent, under the annotator's number; without one for whoever has not answered or has withdrawn."""
    numbers = pseudonyms_of(campaign)
    for given in Consent.objects.filter(sheet__campaign=campaign).select_related("sheet").order_by("given_at", "pk"):
        sheet = (given.sheet.version, given.sheet_sha256)
        yield (numbers.get(given.user_id, ""), *sheet, _at(given.given_at), given.language, _at(given.withdrawn_at))


PEOPLE_FILES: dict[str, tuple[tuple[str, ...], Callable[[Campaign], Rows]]] = {
    "crowd.csv": (CROWD_COLUMNS, _crowd),
    "consents.csv": (CONSENT_COLUMNS, _consents),
}


def people_csv(campaign: Campaign, file: str) -> Iterator[str]:
    """One of the files, line by line; cells that a spreadsheet would execute begin with an apostrophe."""
    columns, rows = PEOPLE_FILES[file]
    writer = defused.writer(Line(), quoting=csv.QUOTE_MINIMAL)
    yield BOM + writer.writerow(columns)
    for row in rows(campaign):
        yield writer.writerow(row)


def _yes(whether: bool) -> str:
    return "yes" if whether else "no"


def _at(moment: datetime | None) -> str:
    return utc(moment) if moment else ""
