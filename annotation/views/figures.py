"""Agreement figures on pages: live on their own page, and at a glance on the overview."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.core.cache import cache
from django.utils import timezone

from annotation.models import Campaign
from annotation.protocols.analysis import Analysis, Figure
from annotation.protocols.pools import agreement_by_person
from annotation.protocols.votes import votes_of
from annotation.queries.analysed import analysed
from annotation.queries.edits import edits_tables
from scoring.result import Estimate

LIVE_UP_TO = 2_000
"""Answers up to which the overview computes its figures each time."""
KEPT_FOR = 24 * 3600


@dataclass(frozen=True, slots=True)
class Glance:
    """The campaign's figures, and each annotator's agreement with the others, as they were at a time."""

    figures: Sequence[Figure]
    people: Mapping[int, Estimate]
    at: datetime
    live: bool


def agreement_analysis(campaign: Campaign) -> Analysis:
    """What the agreement page shows: the protocol's figures and tables, and what was changed. The overview keeps a glance of the
    figures."""
    analysis = _computed(campaign)[0]
    return replace(analysis, tables=[*analysis.tables, *edits_tables(campaign)])


def agreement_at_a_glance(campaign: Campaign, *, answers: int) -> Glance | None:
    """Computed now where there are few answers; else as they were when somebody last opened the agreement page, if anybody
    has: the overview opens at once however large the campaign is, and says from when its figures are."""
    if answers <= LIVE_UP_TO:
        return _computed(campaign)[1]
    kept: Glance | None = cache.get(_key(campaign))
    return kept


def _computed(campaign: Campaign) -> tuple[Analysis, Glance]:
    votes = votes_of(campaign)
    analysis = analysed(campaign, votes)
    large = sum(len(item.votes) for item in votes) > LIVE_UP_TO
    glance = Glance(analysis.figures, agreement_by_person(votes), timezone.now(), live=not large)
    if large:
        cache.set(_key(campaign), glance, KEPT_FOR)
    return analysis, glance


def _key(campaign: Campaign) -> str:
    return f"agreement:{campaign.pk}:{campaign.created_at.timestamp()}"
