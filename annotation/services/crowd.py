"""People whom a crowd platform sends: in by its ids, out by a code or an address."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.errors import DomainError
from annotation.models import Campaign, CrowdVisit, Entrance, InformationSheet, Membership, User
from annotation.queries.crowd import crowd_visit_of
from annotation.queries.own import limit_of, open_to, standings

from .activity import log
from .fingerprints import has_withdrawn
from .holding import hold
from .people import admit
from .sheets import publish_sheet

LONGEST_ID = 120
LET_IN_FOR = timedelta(minutes=30)
"""How long a place that an organiser opened again waits for its visit."""
NOT_ACCEPTED_YET = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""What MTurk says in place of an assignment while somebody only looks."""

UNFILLED = re.compile(r"[$#]?\{.*\}|\[.*\]|<.*>|%.*%|…+|\.{3,}")
"""A placeholder that the platform did not replace by an id, as every visitor would then bring it."""


@dataclass(frozen=True, slots=True)
class Platform:
    """The names of a platform's parameters, and how its page for coming back is addressed."""

    title: str
    participant: str
    study: str
    session: str
    back: str = ""
    placeholder: str = "…"
    """What the platform replaces by an id, {name} being its own name for it."""
    paste: str = "{page}?{ids}"
    """What organisers paste there."""
    note: str = "Put your platform's placeholders in place of the dots."


PLATFORMS: Mapping[str, Platform] = {
    "prolific": Platform(
        "Prolific",
        "PROLIFIC_PID",
        "STUDY_ID",
        "SESSION_ID",
        back="https://app.prolific.com/submissions/complete?cc={code}",
        placeholder="{{{{%{name}%}}}}",
        note="Paste it as the study's link: Prolific replaces what stands between the braces by the ids.",
    ),
    "mturk": Platform(
        "Mechanical Turk",
        "workerId",
        "hitId",
        "assignmentId",
        paste=(
            '<a id="study" target="_blank" href="{page}">Open the study</a>\n'
            '<script>document.getElementById("study").href += location.search</script>'
        ),
        note=(
            "Paste it into the task's HTML: Mechanical Turk gives workerId, assignmentId and hitId to the task's own page, and "
            "the link carries them on. It opens in a tab, since Passable does not open inside another site's frame."
        ),
    ),
    "other": Platform("Another platform", "participant", "study", "session"),
}


@dataclass(frozen=True, slots=True)
class Ids:
    """What a platform's address says about who comes."""

    participant: str
    study: str = ""
    session: str = ""

    @property
    def only_looks(self) -> bool:
        """Whether the person has not accepted the task yet."""
        return NOT_ACCEPTED_YET in (self.session, self.participant)


@dataclass(frozen=True, slots=True)
class Completion:
    """How somebody whose share is done tells the platform so."""

    code: str
    address: str


def platform_of(entrance: Entrance) -> Platform:
    """The platform that sends people through the entrance."""
    return PLATFORMS.get(entrance.platform, PLATFORMS["other"])


def pasted_at_platform(entrance: Entrance, page: str) -> str:
    """What is entered on the platform to send people to the crowd's page, with its placeholders where the ids go."""
    platform = platform_of(entrance)
    named = {
        entrance.participant_parameter: platform.participant,
        entrance.study_parameter: platform.study,
        entrance.session_parameter: platform.session,
    }
    ids = [f"{ours}={platform.placeholder.format(name=theirs)}" for ours, theirs in named.items() if ours]
    return platform.paste.format(page=page, ids="&".join(ids))


def gives_no_way_back(entrance: Entrance | None) -> bool:
    """Whether a crowd platform sends people who cannot tell it afterwards that they are done."""
    return (
        entrance is not None
        and entrance.kind == Entrance.Kind.CROWD
        and not (entrance.completion_code or entrance.completion_url)
    )


@transaction.atomic
def set_entrance(*, campaign: Campaign, kind: str | None, by: User, **fields: Any) -> InformationSheet | None:
    """How people come in besides by invitation; None closes that way. Where it changes what the sheet says about who is asked
    and what is paid, a new version is published and returned."""
    hold(campaign)
    if kind is None:
        Entrance.objects.filter(campaign=campaign).delete()
    else:
        if kind == Entrance.Kind.CROWD and not fields.get("participant_parameter"):
            raise DomainError("Say under which name the platform sends the participant's id.")
        Entrance.objects.update_or_create(campaign=campaign, defaults={"kind": kind, **fields})
    log(campaign=campaign, by=by, verb="entrance")
    before = campaign.sheets.first()
    after = publish_sheet(campaign=campaign, by=by)
    return after if before != after else None


def ids_from(entrance: Entrance, parameters: Mapping[str, str]) -> Ids:
    """The platform's ids by the names that the entrance gives. Raises DomainError when it does not say who comes."""
    names = (entrance.participant_parameter, entrance.study_parameter, entrance.session_parameter)
    participant, study, session = (_id_in(parameters, name) for name in names)
    ids = Ids(participant, study, session)
    if ids.only_looks:
        return ids
    if not participant:
        raise DomainError(f"The address does not say who you are: {_missing(entrance.participant_parameter)}")
    if entrance.session_parameter and not session:
        raise DomainError(f"The address does not say in which session you come: {_missing(entrance.session_parameter)}")
    if max(len(participant), len(study), len(session)) > LONGEST_ID:
        raise DomainError("The address holds an id that is too long. Open the study again from the platform's page.")
    return ids


def _missing(parameter: str) -> str:
    return f"“{parameter}” is missing, or the platform did not fill it in. Open the study again from the platform's page."


def _id_in(parameters: Mapping[str, str], name: str) -> str:
    given = parameters.get(name, "").strip() if name else ""
    return "" if UNFILLED.fullmatch(given) else given


def coming_back(*, campaign: Campaign, ids: Ids, user: User | None) -> CrowdVisit | None:
    """The visit whose account these ids would open for whoever is signed in as `user`."""
    visit = crowd_visit_of(campaign, participant=ids.participant)
    return visit if visit is not None and _opens(visit, ids, user) else None


@transaction.atomic
def enter(*, campaign: Campaign, ids: Ids, user: User | None) -> User:
    """The account of the participant: made at the first visit, the same at every later one. `user` is who is signed in.

    An id can be guessed, so it opens an existing account only together with the session that the platform gave at the first
    visit, or in the browser that is signed in as that account; where there was no session, in that browser only. An organiser can
    let somebody in again (`let_in_again`). Whoever withdrew is not asked to take part a second time. Whoever was given the
    completion code finds it again, even where the study has ended since.
    """
    if ids.only_looks:
        raise DomainError("Accept the task on the platform first; then open this page from there.")
    # One after the other, so that two tabs of a new participant make one account.
    Entrance.objects.select_for_update(no_key=True).get(campaign=campaign)
    if has_withdrawn(campaign=campaign, participant=ids.participant):
        raise DomainError("You withdrew from this study, so you cannot take part in it again. Return your place on the platform.")
    visit = crowd_visit_of(campaign, participant=ids.participant)
    if visit is None or visit.completed_at is None:
        _check_open(campaign)
    if visit is None:
        return _first_visit(campaign, ids)
    if not _opens(visit, ids, user):
        raise DomainError(
            "This participant id has been used in another session. Go on in the browser in which you began, or write to the "
            "organisers on the platform; they can let you in again."
        )
    # Whoever comes first uses up what an organiser allowed; from then on their session counts.
    visit.let_in_until = None
    visit.session = ids.session or visit.session
    visit.study = ids.study or visit.study
    visit.save(update_fields=["session", "study", "let_in_until"])
    return visit.user


def _check_open(campaign: Campaign) -> None:
    if campaign.state == Campaign.State.CLOSED:
        raise DomainError("This study is closed. Please return your place on the platform.")
    if campaign.state != Campaign.State.OPEN:
        raise DomainError("This study is not open at present. Try again later, or return your place on the platform.")


def _opens(visit: CrowdVisit, ids: Ids, user: User | None) -> bool:
    return visit.user == user or _same_session(visit.session, ids.session) or _is_let_in(visit)


def _same_session(known: str, given: str) -> bool:
    return bool(known) and hmac.compare_digest(known.encode(), given.encode())


def _is_let_in(visit: CrowdVisit) -> bool:
    return visit.let_in_until is not None and timezone.now() < visit.let_in_until


def _first_visit(campaign: Campaign, ids: Ids) -> User:
    # The name says nothing about the platform's id, which only the visit holds and withdrawing deletes.
    user = User(username=f"crowd-{secrets.token_hex(5)}")
    user.set_unusable_password()
    user.save()
    admit(campaign=campaign, user=user)
    CrowdVisit.objects.create(campaign=campaign, user=user, participant=ids.participant, study=ids.study, session=ids.session)
    return user


@transaction.atomic
def let_in_again(*, member: Membership, by: User) -> None:
    """Let the participant's next visit in whatever session it comes in, once and soon; from then on that session counts."""
    until = timezone.now() + LET_IN_FOR
    hold(member.campaign_id)
    if CrowdVisit.objects.filter(campaign=member.campaign, user=member.user).update(let_in_until=until):
        log(campaign=member.campaign, by=by, verb="let_in", person=member.user.username)


def completion_for(*, campaign: Campaign, user: User) -> Completion | None:
    """The code and the way back to the platform, for somebody of the crowd whose share is done; None for everybody else.

    The share is the person's quota, else the campaign's. It is done too when there is nothing more for them now: nobody is
    asked to wait, unpaid, for texts that others may give back.
    """
    visit = crowd_visit_of(campaign, user=user)
    entrance = Entrance.objects.filter(campaign=campaign, kind=Entrance.Kind.CROWD).first()
    if visit is None or entrance is None or not share_is_done(campaign=campaign, user=user):
        return None
    if gives_no_way_back(entrance):
        return None
    if visit.completed_at is None:
        CrowdVisit.objects.filter(pk=visit.pk).update(completed_at=timezone.now())
    made = platform_of(entrance).back.format(code=entrance.completion_code) if entrance.completion_code else ""
    return Completion(entrance.completion_code, entrance.completion_url or made)


def share_is_done(*, campaign: Campaign, user: User) -> bool:
    """Whether the person has answered something, and as much as was asked of them or could be given to them."""
    member = standings(user).filter(campaign=campaign).first()
    if member is None or not member.given:
        return False
    limit = limit_of(member)
    if limit is not None and member.given >= limit:
        return True
    return member.held is None and not open_to(member).exists()
