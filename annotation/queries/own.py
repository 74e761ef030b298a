"""What one annotator has to do with a campaign: how they stand, what there is for them, what they gave.

Everything here is asked for each item that somebody answers, so nothing reads more rows than the person's own or, of open slots,
more than `LOOK_AHEAD`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast

from django.db.models import Count, Exists, F, IntegerField, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import Campaign, Claim, Consent, InformationSheet, Item, Membership, Ruling, Slot, Team, User
from annotation.prepared import prepared
from annotation.protocols import exclusion_of

from .gathered import Gathered
from .people import SUBMITTED, allowed_slots, judges_thirds

Use = Item.Use

LOOK_AHEAD = 256
"""So many open slots are looked at to say how much is left; of more than that, only that there are more."""
PACE_OVER = 20
"""The time left is estimated from the median of so many last answers."""
PACE_FROM = 3
LAST = 10
MET = (Claim.State.LIVE, Claim.State.ANSWERED, Claim.State.LATE, Claim.State.SKIPPED)
"""An item with such a claim by somebody is not offered to them again."""


if TYPE_CHECKING:

    class Standing(Membership):
        """A membership with all that handing out work has to know of it."""

        given: int
        """Answers to items that are work: of these so many are wanted at most."""
        submitted: int
        """All answers that the person is told of; see `SUBMITTED`."""
        checks: int
        checks_met: int
        """Attention checks that there are, and that this person answered or skipped."""
        has_practice: bool
        held: int | None
        """The claim that the person holds."""
        sheet: int | None
        agreed: bool
        """To the current sheet."""
        has_teams: bool
else:
    Standing = Membership


class _Reach(TypedDict):
    """What decides which slots somebody may be given, as plain values."""

    campaign: int
    annotator: int
    exclusion: str | None
    team: str | None
    group: int | None
    thirds: bool
    teams: bool


def standings(user: User | int) -> QuerySet[Standing]:
    """The person's memberships as annotator, each with how they stand there."""
    mine = Claim.objects.filter(annotator=user, campaign=OuterRef("campaign"))
    items = Item.objects.filter(campaign=OuterRef("campaign"))
    newest = InformationSheet.objects.filter(campaign=OuterRef("campaign")).order_by("-version")
    consents = Consent.objects.filter(user=user, sheet=OuterRef("sheet"), withdrawn_at__isnull=True)
    members = Membership.objects.filter(user=user, role=Membership.Role.ANNOTATOR).select_related("campaign", "team", "user")
    asked = members.annotate(
        given=_count(mine.filter(use=Use.WORK, state__in=Claim.GIVEN), "annotator"),
        submitted=_count(mine.filter(SUBMITTED), "annotator"),
        checks_met=_count(mine.filter(use=Use.ATTENTION, state__in=(*Claim.GIVEN, Claim.State.SKIPPED)), "annotator"),
        checks=_count(items.filter(use=Use.ATTENTION), "campaign"),
        has_practice=Exists(items.filter(use__in=(Use.TRAINING, Use.TEST))),
        held=Subquery(mine.filter(state=Claim.State.LIVE).order_by("pk").values("pk")[:1]),
        sheet=Subquery(newest.values("pk")[:1]),
        has_teams=Exists(Team.objects.filter(campaign=OuterRef("campaign"))),
    ).annotate(agreed=Q(sheet__isnull=True) | Exists(consents))
    return cast("QuerySet[Standing]", asked)


@prepared(share=Campaign)
def standing_in(*, campaign: str, user: int, lock: bool) -> QuerySet[Standing, Standing]:
    """How the person stands in the campaign of that name, if they do. For whoever hands out work the membership is locked and
    the campaign shared: its links and settings stay what they are until the claim that follows from them is stored."""
    members = standings(user).filter(campaign__name=campaign)
    return members.select_for_update(of=("self",), no_key=True) if lock else members


def limit_of(member: Membership) -> int | None:
    """How many answers are wanted of this person at most; None: no limit."""
    limit: int = member.campaign.settings["quota"] if member.quota is None else member.quota
    return limit or None


def slots_for(member: Membership) -> QuerySet[Slot]:
    """Slots that this person may be given when they are open: of items that they have not met, where variants exclude each other
    of originals that they have not met in another item, and as teams and groups allow."""
    return _slots_within(**_reach(member))


def _reach(member: Membership) -> _Reach:
    campaign = member.campaign
    return {
        "campaign": campaign.pk,
        "annotator": member.user_id,
        "exclusion": exclusion_of(campaign),
        "team": member.team.name if member.team is not None else None,
        "group": member.group_id,
        "thirds": judges_thirds(member),
        "teams": getattr(member, "has_teams", True),
    }


def _slots_within(**reach: Unpack[_Reach]) -> QuerySet[Slot, Slot]:
    campaign, annotator, exclusion = reach["campaign"], reach["annotator"], reach["exclusion"]
    # NOT IN, for then what the person met is read once and looked up for each slot. As NOT EXISTS, PostgreSQL compares every slot
    # with every claim where it has not counted the claims yet.
    mine = Claim.objects.filter(annotator=annotator, campaign=campaign)
    slots = Slot.objects.filter(campaign=campaign).exclude(item__in=mine.filter(state__in=MET).values("item"))
    if exclusion is not None:
        seen = met_in(campaign, annotator, exclusion)
        # An anchor is the same text again: what blocks it is another text of its original.
        others = seen.filter(original=OuterRef("item__original")).exclude(item__content_sha256=OuterRef("item__content_sha256"))
        slots = slots.filter(
            ~Q(item__original__in=seen.values("original"))
            | Q(item__in=mine.values("item"))
            | (Q(item__repeated=True) & ~Exists(others))
        )
    if not reach["teams"]:
        # Without teams there are no groups and nobody's texts: then the slots tell all, and no item has to be looked up.
        return slots if reach["thirds"] else slots.filter(extra=False)
    return allowed_slots(slots, campaign=campaign, team=reach["team"], group=reach["group"], thirds=reach["thirds"])


def with_more_to_do(campaign: Campaign) -> QuerySet[Membership]:
    """Annotators who hold an item, or may be given one, now or when others give it back: what `slots_for` and `back_at` say of
    one person, for any number of them in one query."""
    one: Any = OuterRef(OuterRef("user"))  # in place of the id of one person
    slots = _slots_within(
        campaign=campaign.pk, annotator=one, exclusion=exclusion_of(campaign), team=None, group=None, thirds=True, teams=False
    )
    own_text = Team.objects.filter(pk=OuterRef(OuterRef("team")), name=OuterRef("item__made_by"))
    withdrawn = Team.objects.filter(campaign=campaign, withdrawn_at__isnull=False).values("name")
    slots = slots.exclude(item__made_by__in=withdrawn).exclude(Exists(own_text))
    theirs = Q(extra=False) & (Q(item__group__isnull=True) | Q(item__group=OuterRef("group")))
    thirds = Q(extra=True)
    if third_from := campaign.settings["third_from"]:
        thirds &= Q(Exists(Team.objects.filter(pk=OuterRef(OuterRef("team")), name=third_from)))
    waiting = slots.filter(theirs | thirds).filter(Q(state=Slot.State.OPEN) | Q(state=Slot.State.HELD, item__use=Use.WORK))
    holding = Claim.objects.filter(campaign=campaign, annotator=OuterRef("user"), state=Claim.State.LIVE)
    members = Membership.objects.filter(campaign=campaign, role=Membership.Role.ANNOTATOR)
    return members.filter(Exists(holding) | (Exists(waiting) if campaign.state != Campaign.State.CLOSED else Q(pk__in=[])))


def met_in(campaign: int, annotator: int | OuterRef, exclusion: str) -> QuerySet[Claim]:
    """Where the person saw texts, here or in linked campaigns. Whoever gave an item back, or let it run out, has seen its texts
    all the same, and may be given this one again; whoever met them in practice has seen them too."""
    anchors = Q(item__repeated=True, campaign__link_group=exclusion)
    return Claim.objects.filter(Q(exclusion=exclusion) | Q(campaign=campaign) | anchors, annotator=annotator)


def met_twice(campaigns: Sequence[Campaign]) -> list[tuple[int, int]]:
    """Person and original, wherever one person has seen more than one item of one original in these campaigns, other than the
    same text again as an anchor. As above, an item was seen by whoever ever had it, however that ended. Practice is met by
    everybody, whatever they saw before."""
    had = Claim.objects.filter(campaign__in=campaigns, use=Use.WORK).values("annotator", "original")
    had = had.annotate(
        first=Count("item", filter=Q(item__repeated=False), distinct=True), texts=Count("item__content_sha256", distinct=True)
    )
    return list(had.filter(Q(first__gt=1) | Q(texts__gt=1)).values_list("annotator", "original"))


def open_to(member: Membership) -> QuerySet[Slot]:
    """Slots that this person may take now, in the order in which they are handed out."""
    return _open_within(**_reach(member))


# Only items for work have open slots: one for practice is made when it is handed out, and never opens.
def _open_within(**reach: Unpack[_Reach]) -> QuerySet[Slot, Slot]:
    return _slots_within(**reach).filter(state=Slot.State.OPEN).order_by("rank", "position")


def first_open(member: Membership, *, wait: bool) -> Slot | None:
    """The slot that is handed out next, locked, with its texts. Rows that others hold this very moment are waited for, or passed
    over."""
    return next(iter(_first_open(wait=wait, **_reach(member))), None)


@prepared()
def _first_open(*, wait: bool, **reach: Unpack[_Reach]) -> QuerySet[Slot, Slot]:
    free = _open_within(**reach).select_for_update(skip_locked=not wait, of=("self",), no_key=True)
    return free.select_related("item__first", "item__second")[:1]


@dataclass(frozen=True, slots=True)
class OwnProgress:
    """How far one annotator is. `total` is what they answered and what there is for them now; it moves as others answer. Where
    there is `more`, it is only the part that was looked at."""

    done: int
    total: int
    more: bool
    minutes_left: int | None


def progress_for(member: Standing, *, holding: str | None) -> OwnProgress:
    """The person's progress, in one query; an item that they are `holding` (what it is used for) counts as still to do. Attention
    checks count as items here, so the numbers go on alike whichever is held; training and test do not."""
    limit, slots, working = limit_of(member), member.campaign.settings["slots"], holding == Use.WORK
    wanted = None if limit is None else max(limit - member.given - working, 0)
    look = LOOK_AHEAD if wanted is None else min(_power_of_two(wanted * slots), LOOK_AHEAD)
    [(units, times)] = _ahead_and_behind(member=member.pk, look=(look,), **_reach(member))
    all_seen = len(units or ()) < look
    left = len(set(units or ()))
    if wanted is not None:
        left = min(left, wanted) if all_seen else wanted
    left += working
    left += max(_checks_until(member, member.given + left) - member.checks_met, holding == Use.ATTENTION)
    more = wanted is None and not all_seen
    return OwnProgress(member.submitted, member.submitted + left, more, None if more else _minutes(times or (), left))


def own_progress(campaign: Campaign, annotator: User) -> OwnProgress:
    """The annotator's progress, counting the item that they hold as still to do."""
    member = standings(annotator).get(campaign=campaign)
    held = Claim.objects.filter(pk=member.held).values_list("use", flat=True).first() if member.held else None
    return progress_for(member, holding=held)


@prepared()
def _ahead_and_behind(
    *, member: int, look: tuple[int], **reach: Unpack[_Reach]
) -> QuerySet[Membership, tuple[list[int], list[float]]]:
    """What the first open slots are of, and the times of the last answers: one row with two lists."""
    once_per = "item" if reach["exclusion"] is None else "item__original"
    ahead = _open_within(**reach)[: look[0]].values(value=F(once_per))
    behind = _last_times(reach["campaign"], reach["annotator"])
    return Membership.objects.filter(pk=member).values_list(Gathered(ahead), Gathered(behind))


def _power_of_two(number: int) -> int:
    """The next power of two: so that queries for many different numbers have few shapes."""
    return 1 << max(number - 1, 0).bit_length()


def _last_times(campaign: int, annotator: int) -> QuerySet[Claim, Any]:
    mine = Claim.objects.filter(annotator=annotator, campaign=campaign, use=Use.WORK, state=Claim.State.ANSWERED)
    return mine.order_by("-pk").values(value=Coalesce("judgement__active_seconds", "judgement__seconds"))[:PACE_OVER]


def _checks_until(member: Standing, answers: int) -> int:
    """How many attention checks come with so many answers; none comes after the last one that is wanted."""
    every, limit = member.campaign.settings["attention_every"], limit_of(member)
    before = answers if limit is None or answers < limit else limit - 1
    return min(before // every, member.checks) if every else 0


def _minutes(times: Sequence[float | None], left: int) -> int | None:
    pace = [seconds for seconds in times if seconds is not None]
    return max(1, round(median(pace) * left / 60)) if len(pace) >= PACE_FROM and left else None


def last_answers(member: Membership) -> QuerySet[Claim]:
    """The person's last answers, the newest first, with what the page of one shows."""
    claims = Claim.objects.filter(SUBMITTED, annotator=member.user_id, campaign=member.campaign_id)
    return with_finality(with_texts(claims)).order_by("-judgement__pk")[:LAST]


def with_texts(claims: QuerySet[Claim]) -> QuerySet[Claim]:
    """The claims with all that a page about one of them shows."""
    return claims.select_related(
        "slot__item__campaign", "slot__item__first", "slot__item__second", "slot__item__gold", "judgement__label"
    )


def with_finality(claims: QuerySet[Claim]) -> QuerySet[Claim]:
    """The claims with what `why_final` has to know: `ruled` (an adjudicator has decided the item) and `further` (a further person
    has answered it because the first ones differed)."""
    rulings = Ruling.objects.filter(item=OuterRef("item"), superseded=False)
    others = Claim.objects.filter(item=OuterRef("item"), slot__extra=True, state=Claim.State.ANSWERED).exclude(pk=OuterRef("pk"))
    return claims.annotate(ruled=Exists(rulings), further=Exists(others))


def why_final(claim: Claim, member: Membership) -> str:
    """Why the answer to this claim (see `with_finality`) can no longer be changed by its author; empty while it can."""
    if claim.use in (Use.TRAINING, Use.TEST):
        return "Answers in training and in the test stand as they were given."
    if member.campaign.state != Campaign.State.OPEN:
        return "The campaign is not open now, so answers cannot be changed."
    if member.state != Membership.State.ACTIVE:
        return "You are not active in this campaign now, so your answers cannot be changed."
    if claim.state != Claim.State.ANSWERED or claim.judgement.uncounted:
        return "This answer does not count, so there is nothing to change."
    if getattr(claim, "ruled"):  # noqa: B009 - an annotation, which the type checker does not know
        return "An adjudicator has decided this item, so its answers stand."
    if getattr(claim, "further"):  # noqa: B009
        return "A further person has judged this item because the first ones differed, so its answers stand."
    return ""


def back_at(member: Membership) -> datetime | None:
    """When the first of the items that others hold, and that this person might do, comes back at the latest; None when there is
    none such."""
    held = slots_for(member).filter(state=Slot.State.HELD, claims__state=Claim.State.LIVE, claims__use=Use.WORK)
    at: datetime | None = held.aggregate(at=Min("claims__expires_at"))["at"]
    return at


def claims_of(member: Membership) -> QuerySet[Claim]:
    """The person's own claims in the campaign, with what a page about one of them shows."""
    return with_finality(with_texts(Claim.objects.filter(annotator=member.user_id, campaign=member.campaign_id)))


@dataclass(frozen=True, slots=True)
class Stage:
    """Where in training or the test somebody is."""

    number: int
    of: int


def stage_of(claim: Claim) -> Stage:
    """Which of the items for training, or for the test, the claim is for this person; in one query."""
    items = Item.objects.filter(campaign=claim.campaign_id, use=claim.use)
    met = Claim.objects.filter(annotator=claim.annotator_id, item=OuterRef("pk"), state__in=MET)
    counts = items.aggregate(of=Count("pk"), number=Count("pk", filter=Exists(met)))
    return Stage(counts["number"], counts["of"])


def may_come_back(member: Standing) -> int:
    """How many of the items that the person skipped they can still ask for: none where nothing is handed out to them any more."""
    limit = limit_of(member)
    over = member.campaign.state != Campaign.State.OPEN or member.state != Membership.State.ACTIVE
    return 0 if over or (limit is not None and member.given >= limit) else skipped_by(member)


def skipped_by(member: Membership) -> int:
    """How many items the person skipped and was not offered again."""
    return Claim.objects.filter(
        annotator=member.user_id, campaign=member.campaign_id, state=Claim.State.SKIPPED, use=Use.WORK
    ).count()


def _count(rows: QuerySet[Any], owner: str) -> Coalesce:
    counted = rows.order_by().values(owner).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
