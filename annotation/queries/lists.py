"""What pages list: who may see which campaigns, items, models and runs, each in a fixed number of queries."""

from __future__ import annotations

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import (
    AttackRun,
    Campaign,
    Claim,
    Item,
    LearnedFrom,
    LearnedModel,
    Membership,
    RobustnessMeasurement,
    User,
)
from annotation.protocols import PROTOCOLS

from .people import LEARNING, SUBMITTED, active_role


def organised_by(user: User) -> QuerySet[Campaign]:
    """Campaigns whose results this person may see: those that they organise, and those made at the command line, which are
    every organiser's."""
    visible = Q(active_role(Membership.Role.ORGANISER, user))
    if user.is_organiser:
        visible |= Q(created_by__isnull=True)
    return Campaign.objects.filter(visible)


def answered_in_by(user: User) -> QuerySet[Campaign]:
    """Campaigns in which this person is an annotator, with `given`, the number of their answers (see `SUBMITTED`), `practised`,
    whether they answered in training or the test, `qualified`, whether these are behind them, and `standing`, whether
    they are active, paused or deactivated, or have withdrawn."""
    mine = Membership.objects.filter(campaign=OuterRef("pk"), user=user, role=Membership.Role.ANNOTATOR)
    claims = Claim.objects.filter(campaign=OuterRef("pk"), annotator=user)
    practised = claims.filter(use__in=LEARNING, judgement__isnull=False)
    return Campaign.objects.filter(Exists(mine)).annotate(
        given=_count(claims.filter(SUBMITTED), "campaign"),
        practised=Exists(practised),
        qualified=Exists(mine.filter(qualified_at__isnull=False)),
        standing=Subquery(mine.values("state")),
    )


def adjudicated_by(user: User) -> QuerySet[Campaign]:
    """Campaigns in which this person may rule on conflicts: those that they adjudicate or organise."""
    return Campaign.objects.filter(Q(active_role(Membership.Role.ADJUDICATOR, user)) | Q(pk__in=organised_by(user).values("pk")))


def only_adjudicated_by(user: User) -> QuerySet[Campaign]:
    """Campaigns in which this person is an adjudicator."""
    return Campaign.objects.filter(active_role(Membership.Role.ADJUDICATOR, user))


def joined_by(user: User) -> QuerySet[Campaign]:
    """Campaigns that this person organises, adjudicates or answers in."""
    member = Membership.objects.filter(campaign=OuterRef("pk"), user=user, state=Membership.State.ACTIVE)
    return Campaign.objects.filter(Exists(member) | Q(pk__in=organised_by(user).values("pk")))


def with_progress(campaigns: QuerySet[Campaign]) -> QuerySet[Campaign]:
    """Adds `item_count`, `complete_count` (both of items that are work) and `annotator_count` (without who has withdrawn)."""
    items = Item.objects.filter(campaign=OuterRef("pk"), use=Item.Use.WORK)
    people = Membership.objects.filter(campaign=OuterRef("pk"), role=Membership.Role.ANNOTATOR)
    people = people.exclude(state=Membership.State.WITHDRAWN)
    return campaigns.annotate(
        item_count=_count(items, "campaign"),
        complete_count=_count(items.filter(complete=True), "campaign"),
        annotator_count=_count(people, "campaign"),
    )


def items_of(campaign: Campaign) -> QuerySet[Item]:
    """The campaign's items with their texts and decisions, in order of their numbers."""
    items = Item.objects.filter(campaign=campaign).order_by("number")
    return items.select_related("campaign", "first", "second", "decision__label")


def annotators_of(campaign: Campaign) -> QuerySet[Membership]:
    """The campaign's annotators with `given`, the number of their answers."""
    given = Claim.objects.filter(item__campaign=campaign, annotator=OuterRef("user"), judgement__isnull=False)
    members = Membership.objects.filter(campaign=campaign, role=Membership.Role.ANNOTATOR)
    return members.select_related("user").annotate(given=_count(given, "annotator")).order_by("joined_at", "pk")


def claims_of(user: User, campaign_name: str) -> QuerySet[Claim]:
    """The person's own claims in one campaign, with what the annotate page shows of them."""
    claims = Claim.objects.filter(annotator=user, item__campaign__name=campaign_name)
    return claims.select_related("slot__item__campaign", "slot__item__first", "slot__item__second")


def models_seen_by(user: User) -> QuerySet[LearnedModel]:
    """Models trained on campaigns all of whose results this person may see, and uploaded ones, which are their uploader's and
    every organiser's; the newest first."""
    lessons = LearnedFrom.objects.filter(model=OuterRef("pk"))
    trained = Exists(lessons) & ~Exists(lessons.exclude(campaign__in=organised_by(user)))
    uploaded = Q(uploaded_by__isnull=False) if user.is_organiser else Q(uploaded_by=user)
    models = LearnedModel.objects.filter(trained | uploaded)
    return models.select_related("uploaded_by").prefetch_related("lessons__campaign").order_by("-created_at", "-pk")


def learnable_by(user: User) -> QuerySet[Campaign]:
    """Campaigns that this person organises and from which suspicion models can learn."""
    fitting = [key for key, protocol in PROTOCOLS.items() if protocol.learns == LearnedModel.Kind.SUSPICION]
    return organised_by(user).filter(protocol__in=fitting).order_by("title", "pk")


def runs_seen_by(user: User) -> QuerySet[AttackRun]:
    """Attack runs hold nothing about people: every organiser sees all of them."""
    runs = AttackRun.objects.all() if user.is_organiser else AttackRun.objects.none()
    return runs.select_related("baseline", "model").order_by("-created_at", "-pk")


def compared_runs(user: User) -> QuerySet[AttackRun]:
    """Runs under a constraint whose comparison with the same attack without it is there."""
    return runs_seen_by(user).filter(baseline__isnull=False).exclude(comparison={})


def measurements_seen_by(user: User) -> QuerySet[RobustnessMeasurement]:
    """Measurements hold nothing about people either; the newest first."""
    rows = RobustnessMeasurement.objects.all() if user.is_organiser else RobustnessMeasurement.objects.none()
    return rows.order_by("-created_at", "-pk")


def _count(rows: QuerySet, owner: str) -> Coalesce:
    counted = rows.order_by().values(owner).annotate(counted=Count("pk")).values("counted")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
