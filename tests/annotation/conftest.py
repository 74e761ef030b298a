"""Builders of real rows, made through the services that the product itself uses."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest
from django.db import connection

from annotation.models import Campaign, Membership, Original, User, Variant
from annotation.protocols import PROTOCOLS
from annotation.services.answering import Submitted, submit
from annotation.services.campaigns import NewItem, add_items, create_campaign, open_campaign
from annotation.services.claiming import claim_next
from annotation.services.people import consent

MakeAnnotator = Callable[..., User]
MakeCampaign = Callable[..., Campaign]
Answer = Callable[..., Submitted]


def variant(original: Original, kind: str, text: str) -> Variant:
    """A variant with the hash that the table wants."""
    return Variant.objects.create(original=original, kind=kind, text=text, sha256=hashlib.sha256(text.encode()).hexdigest())


@pytest.fixture
def organiser(db: None) -> User:
    return User.objects.create_user(username="olga", password="a-long-password-1", is_organiser=True)


@pytest.fixture
def make_annotator(db: None) -> MakeAnnotator:
    def make(campaign: Campaign, username: str, kind: str = User.Kind.PERSON) -> User:
        user = User.objects.create_user(username=username, password="a-long-password-1", kind=kind)
        Membership.objects.create(campaign=campaign, user=user, role=Membership.Role.ANNOTATOR)
        return user

    return make


@pytest.fixture
def make_campaign(organiser: User) -> MakeCampaign:
    """A campaign with `items` items of as many originals, open unless told otherwise."""

    def make(
        protocol: str = "meaning",
        *,
        items: int = 3,
        name: str = "harbour",
        slots: int | None = None,
        opened: bool = True,
        **fields: object,
    ) -> Campaign:
        campaign = create_campaign(
            name=name,
            title=f"About {name}",
            protocol=protocol,
            created_by=organiser,
            **fields,  # type: ignore[arg-type]
        )
        news = []
        for number in range(1, items + 1):
            original, _ = Original.objects.get_or_create(task="headlines", key=f"{name}-{number}")
            before = variant(original, Variant.UNCHANGED, f"The bridge number {number} closes on Monday.")
            after = variant(original, "deepwordbug", f"The brdige number {number} closes on Monday.")
            news.append(NewItem(original, before, after) if PROTOCOLS[protocol].pair else NewItem(original, after))
        add_items(campaign=campaign, items=news, slots=slots)
        if opened:
            open_campaign(campaign=campaign)
        return campaign

    return make


@pytest.fixture
def answer() -> Answer:
    """Claim the annotator's next item and answer it."""

    def give(campaign: Campaign, annotator: User, label: str, confidence: int | None = 4) -> Submitted:
        claim = claim_next(campaign=campaign, annotator=annotator)
        return submit(claim_id=claim.pk, annotator=annotator, data={"label": label, "confidence": confidence})

    return give


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign()


@pytest.fixture
def annotator(campaign: Campaign, make_annotator: MakeAnnotator) -> User:
    """Somebody who has agreed to take part in `campaign`."""
    user = make_annotator(campaign, "anna")
    consent(sheet=campaign.sheets.get(), user=user)
    return user


@pytest.fixture
def other_organiser(db: None) -> User:
    """Organises a campaign of their own, with which answers may be confused."""
    user = User.objects.create_user(username="otto", password="a-long-password-1", is_organiser=True)
    create_campaign(name="elsewhere", title="Elsewhere", protocol="meaning", created_by=user)
    return user


@pytest.fixture
def on_postgresql() -> None:
    """For tests in which several write at once."""
    if connection.vendor != "postgresql":
        pytest.skip("several writers at once are for PostgreSQL: run with DATABASE_URL set to one")
