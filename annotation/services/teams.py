"""Teams, and the groups that judge together: one participant with one of the organisers' team (InCrediblAE, section 3.2)."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.errors import DomainError
from annotation.models import Campaign, Claim, Group, Item, Membership, Role, Team, User
from annotation.protocols import exclusion_of
from scoring.wording import counted

from .activity import log
from .holding import hold, hold_whole
from .settings import change_settings

OTHER = ""
"""Stands for every maker that is no team of the campaign: nobody's texts."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """How many groups there are, how many items were dealt to them now, and who of the organisers' team is left for thirds."""

    groups: int
    items: int
    spare: tuple[str, ...] = ()


@transaction.atomic
def make_team(*, campaign: Campaign, name: str, by: User) -> Team:
    """A team; where its members made texts, its name is the one under which the texts came in."""
    name = " ".join(name.split())
    if not name:
        raise DomainError("A team needs a name.")
    try:
        with transaction.atomic():
            team = Team.objects.create(campaign=campaign, name=name)
    except IntegrityError as taken:
        raise DomainError(f"There is a team “{name}” already.") from taken
    log(campaign=campaign, by=by, verb="team", team=name)
    return team


def name_organisers_team(*, team: Team, by: User) -> None:
    """Say which team third people come from, and one of each group."""
    change_settings(campaign=team.campaign, by=by, changes={"third_from": team.name})


@transaction.atomic
def withdraw_team(*, team: Team, by: User) -> None:
    """Take the team's texts out of every figure and hand them out no more. Their judgements stay, and can be taken in again."""
    hold(team.campaign_id)
    if Team.objects.filter(pk=team.pk, withdrawn_at__isnull=True).update(withdrawn_at=timezone.now()):
        log(campaign=team.campaign, by=by, verb="team_withdrew", team=team.name)


@transaction.atomic
def return_team(*, team: Team, by: User) -> None:
    """Take the texts of a team that had withdrawn into the figures again."""
    hold(team.campaign_id)
    if Team.objects.filter(pk=team.pk, withdrawn_at__isnull=False).update(withdrawn_at=None):
        log(campaign=team.campaign, by=by, verb="team_returned", team=team.name)


@transaction.atomic
def draw_groups(*, campaign: Campaign, by: User, seed: int) -> Drawn:
    """Pair every participant with one of the organisers' team and deal the items to the groups, both at random by `seed`.

    No group gets a text of a team of one of its members, and groups get equally many as far as that allows. Once people have
    begun to answer, the groups stay, and only items without a group are dealt. Raises DomainError naming what is missing.
    """
    campaign = hold_whole(campaign)
    rng = random.Random(f"{campaign.name}/{seed}")
    if exclusion_of(campaign) is not None:
        raise DomainError(
            "In this campaign nobody sees two variants of one original, so a group could not judge all of its items. "
            "Groups are for campaigns about meaning."
        )
    begun = Claim.objects.filter(item__campaign=campaign, item__use=Item.Use.WORK).exclude(state=Claim.State.RELEASED).exists()
    if begun and not campaign.groups.exists():
        raise DomainError("People have begun to answer without groups, so none can be drawn any more.")
    spare = () if begun else _pair_people(campaign, rng)
    dealt = _deal_items(campaign, rng)
    groups = campaign.groups.count()
    log(campaign=campaign, by=by, verb="grouped", groups=groups, items=dealt, seed=seed)
    return Drawn(groups, dealt, spare)


def _pair_people(campaign: Campaign, rng: random.Random) -> tuple[str, ...]:
    """New groups of two; returns who of the organisers' team is in none."""
    organisers, participants = _sides(campaign)
    Item.objects.filter(campaign=campaign, group__isnull=False).update(group=None)
    Membership.objects.filter(campaign=campaign, group__isnull=False).update(group=None)
    campaign.groups.all().delete()
    rng.shuffle(organisers)
    rng.shuffle(participants)
    for number, pair in enumerate(zip(participants, organisers, strict=False), start=1):
        group = Group.objects.create(campaign=campaign, number=number)
        Membership.objects.filter(pk__in=[member.pk for member in pair]).update(group=group)
    return tuple(sorted(member.user.username for member in organisers[len(participants) :]))


def _sides(campaign: Campaign) -> tuple[list[Membership], list[Membership]]:
    """The organisers' team and the participants; raises DomainError when there are not enough people to pair."""
    name = campaign.settings["third_from"]
    if not name:
        raise DomainError("Say first which team is the organisers': third people come from it, and one of each group.")
    active = campaign.memberships.filter(role=Role.ANNOTATOR, state=Membership.State.ACTIVE, team__isnull=False)
    everybody = list(active.select_related("team", "user").order_by("pk"))
    organisers = [member for member in everybody if member.team is not None and member.team.name == name]
    participants = [member for member in everybody if member not in organisers]
    if not participants:
        raise DomainError("No annotator is in a participating team yet. Invite participants with their team.")
    short = len(participants) - len(organisers)
    if short > 0:
        raise DomainError(
            f"There would be groups for {counted(len(participants), 'participant')} and {len(organisers)} of the organisers' "
            f"team “{name}”: {counted(short, 'more is', 'more are')} needed there, so that each participant has a partner."
        )
    if len(organisers) < 2 and campaign.settings["conflicts"] == "third_annotator":
        raise DomainError(f"A third judgement needs somebody else of the team “{name}”: invite at least one more there.")
    return organisers, participants


def _deal_items(campaign: Campaign, rng: random.Random) -> int:
    """Give every item without a group to one that may judge it. Returns how many were dealt."""
    teams = {member.team.name for member in campaign.memberships.select_related("team") if member.team is not None}
    groups = list(campaign.groups.prefetch_related("members__team"))
    barred = {group.pk: {member.team.name for member in group.members.all() if member.team is not None} for group in groups}
    waiting = Item.objects.filter(campaign=campaign, use=Item.Use.WORK, group__isnull=True).order_by("number")
    items: dict[str, list[int]] = defaultdict(list)
    for pk, maker in waiting.values_list("pk", "made_by"):
        items[maker if maker in teams else OTHER].append(pk)
    allowed = {maker: [pk for pk in barred if maker not in barred[pk]] for maker in items}
    nowhere = [maker for maker, places in allowed.items() if not places]
    if nowhere:
        raise DomainError(
            f"No group may judge the texts of {', '.join(f'“{maker}”' for maker in sorted(nowhere))}: every group has one of "
            "that team in it. Invite a participant of another team."
        )
    already = Counter(Item.objects.filter(campaign=campaign, group__isnull=False).values_list("group", flat=True))
    dealt = _balanced({maker: len(rows) for maker, rows in items.items()}, allowed, already, rng)
    for maker, rows in sorted(items.items()):
        rng.shuffle(rows)
        for group, count in sorted(dealt[maker].items()):
            share, rows = rows[:count], rows[count:]
            Item.objects.filter(pk__in=share).update(group=group)
    return sum(sum(counts.values()) for counts in dealt.values())


def _balanced(
    wanted: Mapping[str, int], allowed: Mapping[str, Sequence[int]], already: Mapping[int, int], rng: random.Random
) -> dict[str, Counter[int]]:
    """How many items of each maker go to each group, so that the groups' totals differ as little as can be.

    First each maker's items are spread evenly over the groups that may have them; then, while a group has two more than another
    that its items can reach (directly, or by pushing others along), one item moves.
    """
    dealt: dict[str, Counter[int]] = {}
    load: Counter[int] = Counter(already)
    for maker in sorted(wanted, key=lambda maker: (len(allowed[maker]), maker)):
        dealt[maker] = Counter()
        for _ in range(wanted[maker]):
            group = min(allowed[maker], key=lambda group: (dealt[maker][group], load[group], rng.random()))
            dealt[maker][group] += 1
            load[group] += 1
    for group in sorted({group for places in allowed.values() for group in places}):
        load[group] += 0
    while path := _path_down(dealt, allowed, load):
        for maker, source, target in path:
            dealt[maker][source] -= 1
            dealt[maker][target] += 1
        load[path[0][1]] -= 1
        load[path[-1][2]] += 1
    return dealt


def _path_down(
    dealt: Mapping[str, Counter[int]], allowed: Mapping[str, Sequence[int]], load: Mapping[int, int]
) -> list[tuple[str, int, int]]:
    """Moves (maker, from, to), each making room for the one before, from a full group to one with at least two fewer."""
    for start in sorted(load, key=lambda group: (-load[group], group)):
        came: dict[int, tuple[str, int] | None] = {start: None}
        queue = [start]
        for group in queue:
            if load[group] <= load[start] - 2:
                moves = []
                while (step := came[group]) is not None:
                    moves.append((step[0], step[1], group))
                    group = step[1]
                return moves[::-1]
            for maker, counts in dealt.items():
                for other in allowed[maker] if counts[group] else ():
                    if other not in came:
                        came[other] = (maker, group)
                        queue.append(other)
    return []
