"""One populated world: two organisers whose campaigns hold something on every page, and everybody who may knock at a door."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from string import Formatter

from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Campaign, Claim, Consent, Invitation, Judgement, LearnedModel, Membership, Role, Slot, User
from annotation.protocols import PROTOCOLS, protocol_of
from annotation.services.campaigns import create_campaign
from annotation.services.tokens import make_token

from .artefacts import learn_and_attack, retrain, sample_study, upload_file
from .filling import fill
from .marks import mark
from .things import THINGS, TOKEN

ROLES = ("anonymous", "annotator", "other_annotator", "adjudicator", "organiser", "other_organiser", "superuser")
"""The annotator, the adjudicator and the organiser are those of the campaigns that are visited; the others are not."""

ELSEWHERE = "elsewhere"
PASSWORD = "harbour-bridge-7"


@dataclass(frozen=True, slots=True)
class World:
    """Everybody by role, and the organiser's campaigns by protocol."""

    people: Mapping[str, User]
    campaigns: Mapping[str, Campaign]

    def client(self, role: str) -> Client:
        client = Client()
        if role in self.people:
            client.force_login(self.people[role])
        return client

    def address(self, name: str, parameters: Mapping[str, str], protocol: str = "meaning", query: str = "") -> str:
        """The address of that name for the organiser's campaign of that protocol. `parameters`: parameter → what it names;
        in `query` things stand in braces."""
        things = self.values({thing: thing for _, thing, _, _ in Formatter().parse(query) if thing}, protocol)
        return reverse(name, kwargs=self.values(parameters, protocol)) + query.format(**things)

    def values(self, named: Mapping[str, str], protocol: str) -> dict[str, str]:
        """What is named, in that campaign; a word that names nothing stands for itself."""
        campaign = self.campaigns[protocol]
        return {key: str(THINGS[thing](campaign)) if thing in THINGS else thing for key, thing in named.items()}


def build(size: int = 3, *, prefix: str = "", protocols: Sequence[str] = tuple(PROTOCOLS)) -> World:
    """A world in which every list has `size` rows. With a prefix, a second one fits into the same database."""
    people = {role: _user(prefix, role) for role in ROLES if role != "anonymous"}
    campaigns = {key: _campaign(f"{prefix}{key}", key, people["organiser"]) for key in protocols}
    elsewhere = _campaign(f"{prefix}{ELSEWHERE}", "meaning", people["other_organiser"])
    for campaign in campaigns.values():
        fill(campaign, size, by=people["organiser"])
        upload_file(campaign, by=people["organiser"])
        if protocol_of(campaign).learns == LearnedModel.Kind.SUSPICION:
            retrain(campaign, size)
        learn_and_attack(campaign, size)
    fill(elsewhere, 1, by=people["other_organiser"])
    learn_and_attack(elsewhere, 1)
    for number in range(1, size + 1):
        _empty_campaign(f"{prefix}empty-{number}", people)
    for campaign in campaigns.values():
        _enlist(campaign, people["annotator"], Role.ANNOTATOR)
        _enlist(campaign, people["adjudicator"], Role.ADJUDICATOR)
        _work(campaign, people["annotator"])
        token = hashlib.sha256(f"{TOKEN}-{campaign.name}".encode()).hexdigest()
        ends = timezone.now() + timedelta(days=9)
        Invitation.objects.create(campaign=campaign, token_sha256=token, expires_at=ends, created_by=people["organiser"])
    _enlist(elsewhere, people["other_annotator"], Role.ANNOTATOR)
    make_token(user=people["annotator"], name="notebook", lasts=timedelta(days=30))
    if not prefix:
        sample_study()
    return World(people, campaigns)


def _user(prefix: str, role: str) -> User:
    return User.objects.create(
        username=f"{prefix}{role}",
        password=MD5PasswordHasher().encode(PASSWORD, "salt"),
        is_organiser=role in ("organiser", "other_organiser"),
        is_superuser=role == "superuser",
        is_staff=role == "superuser",
    )


def _campaign(name: str, protocol: str, owner: User) -> Campaign:
    marked = mark(name, "inside")
    campaign = create_campaign(name=name, title=f"Harbour news {marked}", protocol=protocol, created_by=owner)
    campaign.settings |= {"guidelines": f"{marked}: read slowly.", "conflicts": "adjudicate", "comment": True}
    campaign.state = Campaign.State.OPEN
    campaign.save()
    campaign.labels.update(definition=f"{marked}: as the guidelines say")
    return campaign


def _empty_campaign(name: str, people: Mapping[str, User]) -> None:
    """One more line of the lists of campaigns of those who are in it."""
    campaign = _campaign(name, "meaning", people["organiser"])
    _enlist(campaign, people["annotator"], Role.ANNOTATOR)
    _enlist(campaign, people["adjudicator"], Role.ADJUDICATOR)


def _enlist(campaign: Campaign, user: User, role: Role) -> None:
    Membership.objects.create(campaign=campaign, user=user, role=role, qualified_at=timezone.now())
    sheet = campaign.sheets.first()
    if sheet is not None:
        Consent.objects.create(sheet=sheet, user=user, sheet_sha256=sheet.sha256)


def _work(campaign: Campaign, user: User) -> None:
    """The annotator has answered one item and holds another; without a mark, since these are their own."""
    later = timezone.now() + timedelta(minutes=50)
    slots = Slot.objects.filter(item__campaign=campaign, state=Slot.State.OPEN, position=1).select_related("item")
    for slot, state in zip(slots.order_by("rank")[:2], (Claim.State.ANSWERED, Claim.State.LIVE), strict=False):
        claim = Claim.objects.create(
            slot=slot,
            campaign=campaign,
            item=slot.item,
            original_id=slot.item.original_id,
            annotator=user,
            state=state,
            expires_at=later,
        )
        slot.state = Slot.State.FILLED if state == Claim.State.ANSWERED else Slot.State.HELD
        slot.save()
        if state == Claim.State.ANSWERED:
            label = campaign.labels.first()
            words = None if label else [0]
            Judgement.objects.create(claim=claim, label=label, words=words, confidence=4, seconds=20.0, active_seconds=15.0)
