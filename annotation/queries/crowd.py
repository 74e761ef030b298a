"""Whom a crowd platform sent, by the platform's own ids: for organisers, who tell the platform whose work they accept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from annotation.models import Campaign, CrowdVisit, Entrance

from .own import limit_of, with_more_to_do
from .people import Listed, members_of


@dataclass(frozen=True, slots=True)
class CrowdStanding:
    """One whom the platform sent, and how far they are."""

    visit: CrowdVisit
    member: Listed
    more: bool
    """Whether they hold an item, or may still be given one."""

    @property
    def finished(self) -> bool:
        """Whether they were given the completion code, or gave as many answers as were asked of them: where nobody said how
        many, all that there are for them."""
        limit = limit_of(self.member)
        all_given = self.member.given > 0 and not self.more if limit is None else self.member.given >= limit
        return self.visit.completed_at is not None or all_given


def by_crowd(campaign: Campaign) -> bool:
    """Whether a crowd platform sends people."""
    return Entrance.objects.filter(campaign=campaign, kind=Entrance.Kind.CROWD).exists()


def crowd_visit_of(campaign: Campaign, **who: object) -> CrowdVisit | None:
    """The visit of the `participant` or of the `user`."""
    return CrowdVisit.objects.select_related("user").filter(campaign=campaign, **who).first()


def crowd_of(campaign: Campaign) -> Iterator[CrowdStanding]:
    """Everybody whom the platform sent and who has not withdrawn, in the order in which they came."""
    people = members_of(campaign).filter(user__crowd_visits__campaign=campaign).order_by("joined_at", "pk")
    return iter(crowd_standings(campaign, people).values())


def crowd_standings(campaign: Campaign, members: Iterable[Listed]) -> dict[int, CrowdStanding]:
    """Membership → standing, of those of the members whom the platform sent."""
    listed = {member.user_id: member for member in members}
    visits = {visit.user_id: visit for visit in CrowdVisit.objects.filter(campaign=campaign, user__in=listed)}
    for member in listed.values():
        member.campaign = campaign  # whose settings say how much is wanted of them
    more = set(with_more_to_do(campaign).filter(user__in=visits).values_list("user", flat=True)) if visits else set()
    return {member.pk: CrowdStanding(visits[user], member, user in more) for user, member in listed.items() if user in visits}
