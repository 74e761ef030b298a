"""Forms that stand on a page only after something has happened: where, and what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from annotation.models import Campaign, Claim, Consent, Job, Membership, Role, Slot, Team, User


def _closed(campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(state=Campaign.State.CLOSED)


def _before_consent(campaign: Campaign) -> None:
    Consent.objects.filter(sheet__campaign=campaign).delete()


def _everything_skipped(campaign: Campaign) -> None:
    Claim.objects.filter(campaign=campaign, state=Claim.State.LIVE).update(state=Claim.State.SKIPPED)
    Slot.objects.filter(campaign=campaign, state__in=("open", "held")).update(state=Slot.State.FILLED)


def _linked(campaign: Campaign) -> None:
    Campaign.objects.filter(created_by=campaign.created_by).update(link_group="together")


def _paused(campaign: Campaign) -> None:
    Membership.objects.filter(campaign=campaign, role=Role.ANNOTATOR).update(state=Membership.State.PAUSED)


def _second_organiser(campaign: Campaign) -> None:
    user = User.objects.get(username="other_organiser")
    Membership.objects.create(campaign=campaign, user=user, role=Role.ORGANISER)


def _tied(campaign: Campaign) -> None:
    campaign.settings |= {"conflicts": "third_annotator", "confidence": False}
    campaign.save()
    campaign.items.filter(how="conflict").update(how="unresolved", complete=True)


def _team_withdrawn(campaign: Campaign) -> None:
    Team.objects.filter(campaign=campaign).update(withdrawn_at=campaign.created_at)


def _training_cancelled(campaign: Campaign) -> None:
    Job.objects.filter(kind="train", arguments__campaign=campaign.name).update(state=Job.State.CANCELLED)


def _nothing(campaign: Campaign) -> None:
    """The page is another one by what its address names."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """Whose page it is, its name, what happened before, and what the address names where that is not what its row says."""

    role: str
    page: str
    happened: Callable[[Campaign], None] = _nothing
    protocol: str = "meaning"
    args: Mapping[str, str] | None = None


OCCASIONS = (
    Occasion("annotator", "sheet", _before_consent),
    Occasion("annotator", "work", _everything_skipped),
    Occasion("organiser", "campaign", _closed),
    Occasion("organiser", "campaign", protocol="suspicion"),
    Occasion("organiser", "campaign", _training_cancelled, protocol="suspicion"),
    Occasion("organiser", "settings", _linked),
    Occasion("organiser", "member", _paused),
    Occasion(
        "organiser",
        "ask_about_member",
        _second_organiser,
        args={"name": "campaign", "pk": "organiser member", "verb": "hand-over"},
    ),
    Occasion("organiser", "people", _team_withdrawn),
    Occasion("organiser", "item", _tied),
    Occasion("organiser", "item", args={"name": "campaign", "number": "untouched number"}),
)
