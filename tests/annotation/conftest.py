"""Builders of real rows, made through the services that the product itself uses."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest

from annotation.models import Campaign, Membership, Original, User, Variant
from annotation.protocols import PROTOCOLS
from annotation.services.answering import Submitted, submit
from annotation.services.campaigns import NewItem, add_items, create_campaign, open_campaign
from annotation.services.claiming import claim_next

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
