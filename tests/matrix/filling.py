"""Fills one campaign with `size` rows of everything that a page may list. Written row by row, not by the verbs: the same rows
stand in every world, whatever the verbs' rules, and thirty of each are there at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import timedelta
from string import Formatter

from django.utils import timezone

from annotation.models import (
    Campaign,
    Consent,
    CrowdVisit,
    Entrance,
    Event,
    Group,
    Invitation,
    Job,
    Membership,
    Role,
    Team,
    Upload,
    User,
)
from annotation.services.activity import VERBS

from .answers import give_answers
from .marks import mark


def fill(campaign: Campaign, size: int, *, by: User) -> None:
    """`size` people, groups, teams, invitations, uploads, jobs, events of each verb, and `size` items of each kind."""
    people = list(_people(campaign, size))
    give_answers(campaign, size, people, by=by)
    _open_entrance(campaign)
    for number in range(1, size + 1):
        _paperwork(campaign, number, by)


def _people(campaign: Campaign, size: int) -> Iterator[User]:
    """Two at least, so that there are two answers to an item; each with a team, a group, a consent, a platform's visit."""
    sheet, marked = campaign.sheets.get(), mark(campaign.name, "person")
    for number in range(1, max(2, size) + 1):
        name = f"{marked}-{campaign.pk}-{number}"
        user = User.objects.create(username=name, email=f"{name}@example.org", first_name=name, password="!")
        Membership.objects.create(
            campaign=campaign,
            user=user,
            role=Role.ANNOTATOR,
            team=Team.objects.create(campaign=campaign, name=f"{marked} team {number}"),
            group=Group.objects.create(campaign=campaign, number=number),
            qualified_at=timezone.now(),
            quota=100,
        )
        Consent.objects.create(sheet=sheet, user=user, sheet_sha256=sheet.sha256)
        CrowdVisit.objects.create(campaign=campaign, user=user, participant=name, study=marked, session=name)
        yield user


def _open_entrance(campaign: Campaign) -> None:
    Entrance.objects.create(
        campaign=campaign,
        kind=Entrance.Kind.OPEN if campaign.protocol == "question" else Entrance.Kind.CROWD,
        platform="prolific",
        participant_parameter="PROLIFIC_PID",
        study_parameter="STUDY_ID",
        session_parameter="SESSION_ID",
        completion_code=mark(campaign.name, "code"),
        criteria=f"{mark(campaign.name, 'inside')}: readers of news",
        pay_per_item="0.2000",
        minimum_hourly_pay="9.00",
        currency="GBP",
    )


def _paperwork(campaign: Campaign, number: int, by: User) -> None:
    marked, now = mark(campaign.name, "person"), timezone.now()
    digest = hashlib.sha256(f"{campaign.name} {number}".encode()).hexdigest()
    team = campaign.teams.first()
    Invitation.objects.create(
        campaign=campaign, token_sha256=digest, uses_left=5, expires_at=now + timedelta(days=20), created_by=by, team=team
    )
    Upload.objects.create(
        campaign=campaign, name=f"{marked}-{number}.csv", stored="nowhere.csv", sha256=digest, created_by=by, format="csv"
    )
    state = Job.State.DONE
    Job.objects.create(kind="train", arguments={"campaign": campaign.name}, created_by=by, state=state, done=1, total=1)
    for verb, words in ((key, verb.says) for key, verb in VERBS.items()):
        detail = {name: number if counts else f"{marked} {number}" for _, name, counts, _ in Formatter().parse(words) if name}
        Event.objects.create(campaign=campaign, actor=by, verb=verb, detail=detail)
