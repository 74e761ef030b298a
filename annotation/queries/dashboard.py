"""What an organiser wants to see at once: who holds what, how fast it goes, how each person does, what was flagged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

from django.db.models import Count, F, IntegerField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.models import Campaign, Claim, Flag, Item, Membership, Slot

from .items import Counts
from .own import MET

DAYS = 14
RECENT = 1000
"""People's pace is the median over their answers among so many newest ones of the campaign."""
CLAIMS_SHOWN = 10
FLAGS_SHOWN = 10
LOOKED_AT = 500


@dataclass(frozen=True, slots=True)
class Claims:
    """Claims that are held: how many, how many of them ran out, and those that run out first."""

    live: int
    expired: int
    first: Sequence[Claim]


def claims_held(campaign: Campaign) -> Claims:
    live = Claim.objects.filter(campaign=campaign, state=Claim.State.LIVE)
    expired = live.filter(expires_at__lte=timezone.now()).count()
    first = live.select_related("item", "annotator").order_by("expires_at", "pk")[:CLAIMS_SHOWN]
    return Claims(live.count(), expired, list(first))


@dataclass(frozen=True, slots=True)
class Pace:
    """Answers by the day on which their items were taken, the oldest day first, none before the campaign was made; and when all
    will be there at this pace."""

    days: Sequence[tuple[datetime, int]]
    last_hour: int
    last_day: int
    ends: datetime | None


def pace_of(campaign: Campaign, counts: Counts) -> Pace:
    """One query. Its parts count stretches of time that do not overlap, so that no entry of the index is read twice."""
    now = timezone.now()
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    days = [today - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    hour_ago, day_ago, end = now - timedelta(hours=1), now - timedelta(days=1), today + timedelta(days=2)
    cuts = sorted({*days, hour_ago, day_ago, end})
    given = Claim.objects.filter(campaign=campaign, state__in=Claim.GIVEN, use=Item.Use.WORK).order_by()
    parts = [
        given.filter(claimed_at__gte=start, claimed_at__lt=until).values("campaign").annotate(
            stretch=Value(number, IntegerField()), n=Count("*")
        ).values_list("stretch", "n")
        for number, (start, until) in enumerate(pairwise(cuts))
    ]  # fmt: skip
    found = {cuts[number]: n for number, n in parts[0].union(*parts[1:], all=True)}

    def between(start: datetime, until: datetime = end) -> int:
        return sum(n for at, n in found.items() if start <= at < until)

    per_second = between(day_ago) / 86_400 or between(today - timedelta(days=6)) / (7 * 86_400)
    left = counts.wanted - counts.answered
    ends = now + timedelta(seconds=left / per_second) if left > 0 and per_second else None
    by_day = [(day, between(day, day + timedelta(days=1))) for day in days]
    begun = next((number for number, (day, n) in enumerate(by_day) if n or day + timedelta(days=1) > campaign.created_at), 0)
    return Pace(by_day[begun:], between(hour_ago), between(day_ago), ends)


@dataclass(frozen=True, slots=True)
class Person:
    """How one annotator does. `seconds` is their median time; `right` of `checked` answers to test and attention checks were
    right: training is there to be got wrong. `skipped` counts the checks that they left out."""

    member: Membership
    given: int
    seconds: float | None
    checked: int
    right: int
    skipped: int

    @property
    def gold_score(self) -> float | None:
        return self.right / self.checked if self.checked else None


def people_at_work(campaign: Campaign) -> list[Person]:
    """The campaign's annotators, without those who have withdrawn, in the order in which they joined; two queries."""
    met = Claim.objects.filter(annotator=OuterRef("user"), campaign=campaign).order_by()
    own = met.filter(state__in=Claim.GIVEN)
    known = own.filter(use__in=[Item.Use.TEST, Item.Use.ATTENTION])
    members = campaign.memberships.filter(role=Membership.Role.ANNOTATOR).exclude(state=Membership.State.WITHDRAWN)
    members = (
        members.select_related("user")
        .order_by("joined_at", "pk")
        .annotate(
            given=_count(own.filter(use=Item.Use.WORK)),
            checked=_count(known),
            right=_count(known.filter(judgement__label=F("item__gold"))),
            skipped=_count(met.filter(state=Claim.State.SKIPPED, use=Item.Use.ATTENTION)),
        )
    )
    times = _recent_times(campaign)
    return [
        Person(
            member=member,
            given=member.given,
            seconds=median(times[member.user_id]) if times[member.user_id] else None,
            checked=member.checked,
            right=member.right,
            skipped=member.skipped,
        )
        for member in members
    ]


def needing_somebody_new(campaign: Campaign, people: Sequence[Person]) -> int:
    """How many of the items that wait for an answer everybody at work has met already: answered, skipped or hold. Of very many
    open items only the first `LOOKED_AT` are looked at; then there are at least so many. `people` are all at work; one query."""
    active = campaign.memberships.filter(role=Membership.Role.ANNOTATOR, state=Membership.State.ACTIVE)
    waiting = Slot.objects.filter(campaign=campaign, state=Slot.State.OPEN).order_by("rank", "position").values("item")
    met = Claim.objects.filter(item__in=waiting[:LOOKED_AT], annotator__in=active.values("user"), state__in=MET).order_by()
    here = sum(person.member.state == Membership.State.ACTIVE for person in people)
    return sum(n == here for _, n in met.values_list("item").annotate(n=Count("annotator", distinct=True)))


def _recent_times(campaign: Campaign) -> Mapping[int, list[float]]:
    """Seconds per answer of the newest ones, by annotator. Claims are in an index by time, so none but these are read."""
    measured = Coalesce("judgement__active_seconds", "judgement__seconds")
    given = Claim.objects.filter(campaign=campaign, state__in=Claim.GIVEN, use=Item.Use.WORK).order_by("-claimed_at")
    times: dict[int, list[float]] = defaultdict(list)
    for annotator, seconds in given.values_list("annotator", measured)[:RECENT]:
        if seconds is not None:
            times[annotator].append(seconds)
    return times


def open_flags(campaign: Campaign) -> QuerySet[Flag]:
    """Flags that nobody has resolved, the oldest first."""
    flags = Flag.objects.filter(item__campaign=campaign, resolved_at__isnull=True)
    return flags.select_related("item", "user").order_by("made_at", "pk")[:FLAGS_SHOWN]


def _count(claims: QuerySet[Claim]) -> Coalesce:
    counted = claims.values("annotator").annotate(n=Count("*")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
