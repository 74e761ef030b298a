"""A campaign's people: who they are, how they stand, what they may judge, what they earn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from statistics import median
from typing import TYPE_CHECKING, cast

from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.models import (
    Campaign,
    Claim,
    Consent,
    EarlierAnswer,
    Entrance,
    Flag,
    Invitation,
    Item,
    Judgement,
    Membership,
    Role,
    Slot,
    Team,
    User,
)

from .gathered import Gathered

PACE_OVER = 20
"""A person's pace is the median of so many last answers."""
LEARNING = (Item.Use.TRAINING, Item.Use.TEST)
PRACTICE = (*LEARNING, Item.Use.ATTENTION)
SUBMITTED = Q(use__in=(Item.Use.WORK, Item.Use.ATTENTION), state__in=Claim.GIVEN)
"""Somebody's answers as they themselves are told of them, on every page: with attention checks, for nothing may tell them from
others, and without training and test."""
MEASURED = Coalesce("active_seconds", "seconds")
"""Time that an answer took: in front of the page where the browser measured it, else by the server's clock."""


def allowed_slots(slots: QuerySet[Slot], *, campaign: int, team: str | None, group: int | None, thirds: bool) -> QuerySet[Slot]:
    """Those of the slots that a person of this team and group may take; `thirds`: also as a further person (see `judges_thirds`).

    Never their own team's texts, nor those of a team that withdrew. An item that was dealt to a group is judged by that group in
    the slots that it had from the start.
    """
    withdrawn = Team.objects.filter(campaign=campaign, withdrawn_at__isnull=False).values("name")
    slots = slots.exclude(item__made_by__in=withdrawn)
    if team is not None:
        slots = slots.exclude(item__made_by=team)
    first = Q(extra=False)
    mine = Q(item__group__isnull=True) | Q(item__group=group) if group is not None else Q(item__group__isnull=True)
    return slots.filter(~first | mine if thirds else first & mine)


def judges_thirds(member: Membership) -> bool:
    """Whether this person may be the further one of an item on which the first ones differ: anybody, or those of one team."""
    third_from = member.campaign.settings["third_from"]
    return not third_from or (member.team is not None and member.team.name == third_from)


@dataclass(frozen=True, slots=True)
class Pace:
    """Median seconds of somebody's last answers, and over how many."""

    seconds: float
    answers: int


if TYPE_CHECKING:

    class Listed(Membership):
        """A membership as the list of people has it."""

        given: int
        """Answers to items that are work."""
        practised: int
        """Answers to items with a known answer."""
        times: Sequence[float | None] | None
        """How long their last answers took, the latest first."""
        last_at_work: datetime | None
        """When they answered the item that they were given last; while it waits for their answer, when its page was last open."""
else:
    Listed = Membership


def members_of(campaign: Campaign) -> QuerySet[Listed]:
    """Everybody in the campaign, organisers first, with what they did. All of it is read from one index of claims."""
    own = Claim.objects.filter(campaign=campaign, annotator=OuterRef("user"))
    answered = own.filter(state__in=Claim.GIVEN)
    last = own.order_by("-pk").values(at=Coalesce("judgement__submitted_at", "seen_at", "claimed_at"))[:1]
    times = (
        answered.filter(use=Item.Use.WORK)
        .order_by("-pk")
        .values(value=Coalesce("judgement__active_seconds", "judgement__seconds"))
    )
    members = Membership.objects.filter(campaign=campaign).select_related("user", "team", "group")
    listed = members.annotate(
        given=_count(answered.filter(use=Item.Use.WORK)),
        practised=_count(answered.filter(use__in=PRACTICE)),
        times=Gathered(times[:PACE_OVER]),
        last_at_work=Subquery(last),
    )
    return cast("QuerySet[Listed]", listed.order_by(F("role").desc(), "joined_at", "pk"))


def checks_skipped_by(member: Membership) -> int:
    """How many attention checks somebody left out."""
    met = Claim.objects.filter(campaign=member.campaign_id, annotator=member.user_id, use=Item.Use.ATTENTION)
    return met.filter(state=Claim.State.SKIPPED).count()


def pace_of(times: Sequence[float | None] | None) -> Pace | None:
    """The pace of a member with these `times`; None before the first answer that was measured."""
    measured = [time for time in times or () if time is not None]
    return Pace(median(measured), len(measured)) if measured else None


def invitations_of(campaign: Campaign) -> QuerySet[Invitation]:
    """Invitation links of the campaign that still let somebody in, the newest first."""
    usable = campaign.invitations.filter(uses_left__gt=0, expires_at__gt=timezone.now(), revoked_at__isnull=True)
    return usable.select_related("team").order_by("-created_at", "-pk")


def teams_of(campaign: Campaign) -> QuerySet[Team]:
    """The campaign's teams with `people` and `texts`, the number of items that they made."""
    people = Membership.objects.filter(team=OuterRef("pk")).order_by().values("team").annotate(n=Count("pk")).values("n")
    texts = Item.objects.filter(campaign=campaign, made_by=OuterRef("name")).order_by().values("made_by")
    return campaign.teams.annotate(
        people=Coalesce(Subquery(people, output_field=IntegerField()), 0),
        texts=Coalesce(Subquery(texts.annotate(n=Count("pk")).values("n"), output_field=IntegerField()), 0),
    )


@dataclass(frozen=True, slots=True)
class Holdings:
    """What a campaign holds about one annotator, in numbers."""

    judgements: int
    """See `SUBMITTED`."""
    practised: int
    """Answers in training and tests."""
    earlier: int
    drafts: int
    claims: int
    flags: int
    crowd_ids: bool
    joined_at: datetime


def holdings_of(member: Membership) -> Holdings:
    """What withdrawing would erase or pseudonymise."""
    campaign, user = member.campaign_id, member.user_id
    claims = Claim.objects.filter(item__campaign=campaign, annotator=user)
    counts = claims.aggregate(
        all=Count("pk"),
        drafts=Count("pk", filter=~Q(draft={}) & Q(judgement__isnull=True)),
        answered=Count("pk", filter=SUBMITTED),
        practised=Count("judgement", filter=Q(use__in=LEARNING)),
    )
    return Holdings(
        judgements=counts["answered"],
        practised=counts["practised"],
        earlier=EarlierAnswer.objects.filter(judgement__claim__in=claims).count(),
        drafts=counts["drafts"],
        claims=counts["all"],
        flags=Flag.objects.filter(item__campaign=campaign, user=user).count(),
        crowd_ids=member.campaign.crowd_visits.filter(user=user).exists(),
        joined_at=member.joined_at,
    )


@dataclass(frozen=True, slots=True)
class HourlyPay:
    """What people earned per hour of measured time: the median over people, and that of all time together."""

    median: Decimal
    total: Decimal
    people: int
    answers: int
    left_out: int
    """Answers without a measured time."""
    minimum: Decimal | None
    currency: str

    @property
    def too_little(self) -> bool:
        """Whether the median person earned less than the stated minimum."""
        return self.minimum is not None and self.median < self.minimum


def hourly_pay(campaign: Campaign) -> HourlyPay | None:
    """What work in the campaign came to per hour; None without pay per item or without a measured answer.

    Every answer to an item that is work is paid, whether it counted or not; time in training and tests counts as time. An answer
    without a measured time is left out altogether.
    """
    entrance = Entrance.objects.filter(campaign=campaign, pay_per_item__isnull=False).first()
    if entrance is None or entrance.pay_per_item is None:
        return None
    answers = Judgement.objects.filter(claim__item__campaign=campaign)
    rows = (
        answers.order_by()
        .values("claim__annotator")
        .annotate(
            time=Sum(MEASURED),
            paid=Count(MEASURED, filter=Q(claim__item__use__in=(Item.Use.WORK, Item.Use.ATTENTION))),
            unmeasured=Count("pk", filter=Q(active_seconds__isnull=True, seconds__isnull=True)),
        )
    )
    people = [(row["paid"], row["time"]) for row in rows if row["time"] and row["paid"]]
    if not people:
        return None
    rate = entrance.pay_per_item
    each = [rate * paid * 3600 / Decimal(str(time)) for paid, time in people]
    paid_total, time_total = sum(paid for paid, _ in people), sum(Decimal(str(time)) for _, time in people)
    return HourlyPay(
        median=median(each),
        total=rate * paid_total * 3600 / time_total,
        people=len(people),
        answers=paid_total,
        left_out=sum(row["unmeasured"] for row in rows),
        minimum=entrance.minimum_hourly_pay,
        currency=entrance.currency,
    )


def consents_of(member: Membership) -> QuerySet[Consent]:
    """What the person agreed to, the latest sheet first."""
    agreed = Consent.objects.filter(sheet__campaign=member.campaign_id, user=member.user_id)
    return agreed.select_related("sheet").order_by("-sheet__version")


def active_role(role: str, user: User) -> Exists:
    """Whether the person is active in that role in the campaign of the outer query."""
    return Exists(Membership.objects.filter(campaign=OuterRef("pk"), user=user, role=Role(role), state=Membership.State.ACTIVE))


def _count(claims: QuerySet[Claim]) -> Coalesce:
    counted = claims.order_by().values("annotator").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def held_by(member: Membership) -> int:
    """How many items the person holds."""
    return Claim.objects.filter(annotator=member.user_id, campaign=member.campaign_id, state=Claim.State.LIVE).count()
