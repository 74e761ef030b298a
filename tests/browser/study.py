"""Campaigns with something on every page, made through the services that pages use."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from django.db.models import OuterRef, Subquery

from annotation.models import Campaign, Item, Job, Original, Slot, User, Variant
from annotation.services.answering import submit
from annotation.services.campaigns import NewItem, add_items, create_campaign, open_campaign
from annotation.services.claiming import claim_next
from annotation.services.people import consent, invite, join, register

from .conftest import PASSWORD

TEXTS = (
    (
        "The harbour bridge will close for repairs on Monday, the city said, and ferries run twice an hour until the work "
        "is done.",
        "The harbour bridge will close for fixes on Monday, the city said, and ferries run on\u0441e an hour until the "
        "wo\u200brk is done.",
    ),
    ("The council approved a new budget for schools.", "The council approved a new bugdet for sch ools."),
    ("Rain is expected in the north; farmers welcome it.", "Rain is exp\u202eected in the north; farmers welcome it."),
)


def make_organiser() -> User:
    return User.objects.create_user(username="olga", password=PASSWORD, is_organiser=True)


def make_campaign(
    organiser: User, protocol: str, texts: Sequence[tuple[str, str]] = TEXTS, *, name: str = "", slots: int | None = None
) -> Campaign:
    """An open campaign of one item per pair; the items are handed out in the order of the pairs."""
    campaign = create_campaign(
        name=name or protocol, title=f"Harbour news, {name or protocol}", protocol=protocol, created_by=organiser
    )
    add_items(campaign=campaign, items=[_item(protocol, *pair) for pair in texts], slots=slots)
    Slot.objects.filter(item__campaign=campaign).update(
        rank=Subquery(Item.objects.filter(pk=OuterRef("item")).values("number")), swapped=False
    )
    open_campaign(campaign=campaign)
    return campaign


def enlist(campaign: Campaign, name: str) -> User:
    """A new annotator who has agreed."""
    organiser = campaign.created_by
    assert organiser is not None
    user = register(token=invite(campaign=campaign, by=organiser), username=name, password=PASSWORD)
    consent(sheet=campaign.sheets.get(), user=user)
    return user


def enrol(campaign: Campaign, user: User) -> None:
    """Somebody with an account joins and agrees."""
    organiser = campaign.created_by
    assert organiser is not None
    join(token=invite(campaign=campaign, by=organiser), user=user)
    consent(sheet=campaign.sheets.get(), user=user)


def answer(campaign: Campaign, user: User, *labels: str) -> None:
    for label in labels:
        claim = claim_next(campaign=campaign, annotator=user)
        submit(claim_id=claim.pk, annotator=user, data={"label": label, "confidence": "4"})


def running_study() -> Job:
    return Job.objects.create(kind="demo", state=Job.State.RUNNING, done=30, total=100, message="Attacking")


def _item(protocol: str, before: str, after: str) -> NewItem:
    key = hashlib.sha256(before.encode()).hexdigest()
    original, _ = Original.objects.get_or_create(task="headlines", key=key[:20])
    first = _variant(original, Variant.UNCHANGED, before)
    second = _variant(original, "deepwordbug", after)
    return NewItem(original, second) if protocol == "suspicion" else NewItem(original, first, second)


def _variant(original: Original, kind: str, text: str) -> Variant:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Variant.objects.get_or_create(original=original, kind=kind, sha256=digest, defaults={"text": text})[0]
