"""What a parameter of an address can name, in the campaign that is visited."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from annotation.models import (
    ApiToken,
    Campaign,
    Claim,
    Flag,
    Item,
    Job,
    JudgedSample,
    Judgement,
    LearnedModel,
    Membership,
    Role,
    Series,
)

from .marks import mark

TOKEN = "a-token-that-everybody-in-these-tests-knows"


def _own(campaign: Campaign, state: Claim.State) -> Claim:
    """The annotator's."""
    return Claim.objects.get(campaign=campaign, annotator__username__endswith="annotator", state=state)


def _person(campaign: Campaign) -> Membership:
    return campaign.memberships.filter(user__username__contains=mark(campaign.name, "person")).latest("pk")


def _given(campaign: Campaign) -> Judgement:
    """Somebody else's answer."""
    return Judgement.objects.filter(claim__campaign=campaign, claim__annotator=_person(campaign).user).earliest("pk")


def _item(campaign: Campaign, batch: str) -> Item:
    return campaign.items.filter(first__text__contains=f", {batch} ").earliest("number")


def _other_model(campaign: Campaign) -> LearnedModel:
    """Of another campaign of the same owner."""
    models = LearnedModel.objects.filter(campaigns__created_by=campaign.created_by)
    return models.exclude(campaigns=campaign).latest("pk")


THINGS: Mapping[str, Callable[[Campaign], object]] = {
    "campaign": lambda campaign: campaign.name,
    "token": lambda campaign: f"{TOKEN}-{campaign.name}",
    "token id": lambda campaign: ApiToken.objects.get(user=_own(campaign, Claim.State.LIVE).annotator).public_id,
    "live claim": lambda campaign: _own(campaign, Claim.State.LIVE).pk,
    "answered claim": lambda campaign: _own(campaign, Claim.State.ANSWERED).pk,
    "judgement": lambda campaign: _given(campaign).pk,
    "conflicting number": lambda campaign: _item(campaign, "conflicting").number,
    "ruled number": lambda campaign: _item(campaign, "ruled").number,
    "untouched number": lambda campaign: campaign.items.filter(claims=None, use=Item.Use.WORK).latest("number").number,
    "training number": lambda campaign: _item(campaign, "training").number,
    "flag": lambda campaign: Flag.objects.filter(item__campaign=campaign, resolved_at=None).earliest("pk").pk,
    "organiser member": lambda campaign: campaign.memberships.filter(role=Role.ORGANISER).latest("pk").pk,
    "member": lambda campaign: _person(campaign).pk,
    "team": lambda campaign: campaign.teams.latest("pk").pk,
    "invitation": lambda campaign: campaign.invitations.latest("pk").pk,
    "upload": lambda campaign: campaign.uploads.latest("pk").pk,
    "job": lambda campaign: Job.objects.filter(arguments__campaign=campaign.name).latest("pk").pk,
    "model": lambda campaign: campaign.models.latest("pk").pk,
    "other model": lambda campaign: _other_model(campaign).pk,
    "prediction": lambda campaign: Job.objects.filter(kind="predict", arguments__model=campaign.models.latest("pk").pk).get().pk,
    "measurement": lambda campaign: JudgedSample.objects.get(campaign=campaign).measurement_id,
    "series": lambda campaign: Series.objects.filter(rounds__campaigns=campaign).latest("pk").pk,
    "trained series": lambda campaign: Series.objects.filter(rounds__campaigns=campaign).earliest("pk").pk,
    "run": lambda campaign: campaign.models.latest("pk").runs.latest("pk").pk,
    "study": lambda campaign: campaign.models.earliest("pk").studies.latest("pk").pk,
    "other run": lambda campaign: campaign.models.latest("pk").runs.latest("pk").baseline_id,
}
