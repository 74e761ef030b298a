"""Making campaigns and putting items into them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import IntegrityError, transaction
from django.db.models import Max

from annotation.errors import DomainError
from annotation.models import (
    Campaign,
    Example,
    InformationSheet,
    Item,
    Label,
    Membership,
    Original,
    Slot,
    User,
    Variant,
)
from annotation.protocols import PROTOCOLS, protocol_of

DEFAULT_SEED = 0
RESERVED_NAMES = ("new",)
"""Campaigns have their names as addresses; these are taken by pages."""


@dataclass(frozen=True, slots=True)
class NewItem:
    """What becomes an item: one variant, or two of one original."""

    original: Original
    first: Variant
    second: Variant | None = None
    example: Example | None = None
    published_label: str = ""
    use: str = Item.Use.WORK
    gold: Label | None = None
    explanation: str = ""
    slots: int | None = None
    """Judgements wanted of this item; None: as many as the campaign asks for."""

    @property
    def judged(self) -> Variant:
        """The variant that the answer is about."""
        return self.second or self.first

    @property
    def content_sha256(self) -> str:
        """The same for two items exactly when they show the same texts by the same makers."""
        parts = [part for variant in (self.first, self.second) if variant for part in (variant.kind, variant.sha256)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@transaction.atomic
def create_campaign(
    *,
    name: str,
    title: str,
    protocol: str,
    created_by: User | None = None,
    settings: Mapping[str, Any] | None = None,
    simulated: bool = False,
    imported: bool = False,
    link_group: str = "",
    source: Mapping[str, Any] | None = None,
    sheet: str | None = None,
) -> Campaign:
    """A campaign from its protocol's preset, with labels, information sheet and its maker as organiser.

    Raises DomainError when the protocol or a setting is unknown, or the name is taken.
    """
    if protocol not in PROTOCOLS:
        raise DomainError(f"There is no protocol “{protocol}”. Choose one of {', '.join(PROTOCOLS)}.")
    if name in RESERVED_NAMES:
        raise DomainError(f"A campaign cannot be named “{name}”: that is the address of a page. Choose another name.")
    preset = PROTOCOLS[protocol].preset
    unknown = set(settings or {}) - set(preset.all_settings)
    if unknown:
        raise DomainError(f"The protocol {protocol} has no setting {', '.join(sorted(unknown))}.")
    try:
        with transaction.atomic():
            campaign = Campaign.objects.create(
                name=name,
                title=title,
                protocol=protocol,
                settings={**preset.all_settings, **(settings or {})},
                simulated=simulated,
                imported=imported,
                link_group=link_group,
                source=dict(source or {}),
                created_by=created_by,
            )
    except IntegrityError as clash:
        raise DomainError(f"There is already a campaign named “{name}”. Choose another name; nothing was written.") from clash
    Label.objects.bulk_create(
        Label(campaign=campaign, value=spec.value, key=spec.key, name=spec.name, definition=spec.definition)
        for spec in preset.labels
    )
    publish_sheet(campaign=campaign, text=sheet or default_sheet(campaign))
    if created_by is not None:
        Membership.objects.create(campaign=campaign, user=created_by, role=Membership.Role.ORGANISER)
    return campaign


def publish_sheet(*, campaign: Campaign, text: str) -> InformationSheet:
    """A new version of the information sheet. People who consented to an older one are asked again."""
    version = campaign.sheets.count() + 1
    digest = hashlib.sha256(text.encode()).hexdigest()
    return InformationSheet.objects.create(campaign=campaign, version=version, text=text, sha256=digest)


def default_sheet(campaign: Campaign) -> str:
    """What every sheet has to say; organisers replace it by their own institution's."""
    return (
        f"What it is about\n\nYou will read short texts and answer one question about each: {protocol_of(campaign).asks} "
        "Some of the texts were changed by a program that tries to mislead an automatic filter. Your answers show which changes "
        "readers notice.\n\n"
        "What the texts are like\n\nThey look like news and may claim things that are false. Do not take them as information. "
        "You may stop at any time, without giving a reason.\n\n"
        "What is kept\n\nYour answers, the time each one took, and the name that you choose. "
        "Answers are released without your name."
    )


@transaction.atomic
def add_items(*, campaign: Campaign, items: Sequence[NewItem], seed: int = DEFAULT_SEED, slots: int | None = None) -> list[Item]:
    """Append items with their open slots. The order in which they are handed out, and the sides of pairs, are drawn
    from `seed` and the campaign's name, so that the same study gives the same assignment in every database."""
    start = campaign.items.aggregate(last=Max("number"))["last"] or 0
    made = Item.objects.bulk_create(
        Item(
            campaign=campaign,
            original=item.original,
            first=item.first,
            second=item.second,
            example=item.example,
            published_label=item.published_label,
            number=number,
            use=item.use,
            gold=item.gold,
            explanation=item.explanation,
            made_by=item.judged.kind,
            content_sha256=item.content_sha256,
        )
        for number, item in enumerate(items, start=start + 1)
    )
    wanted = campaign.settings["slots"] if slots is None else slots
    counts = [_slots_wanted(item, wanted) for item in items]
    Slot.objects.bulk_create(
        slot for item, count in zip(made, counts, strict=True) for slot in _open_slots(item, range(1, count + 1), seed)
    )
    return made


def _slots_wanted(item: NewItem, wanted: int) -> int:
    """Items with a known answer are met by everybody: their slots are made when they are handed out."""
    if item.use != Item.Use.WORK:
        return 0
    return wanted if item.slots is None else item.slots


def open_extra_slot(*, item: Item, position: int) -> None:
    """Ask for one more judgement of the item, unless it was asked for already."""
    Slot.objects.bulk_create(_open_slots(item, [position], DEFAULT_SEED, extra=True), ignore_conflicts=True)


def _open_slots(item: Item, positions: Iterable[int], seed: int, *, extra: bool = False) -> Iterable[Slot]:
    for position in positions:
        # The rank is the item's, so that its slots fill one after another.
        rank = _drawn(seed, item.campaign.name, item.number)
        swapped = _drawn(seed, item.campaign.name, item.number, position) < 0.5
        yield Slot(item=item, campaign_id=item.campaign_id, position=position, rank=rank, swapped=swapped, extra=extra)


def _drawn(*key: object) -> float:
    """A number from 0 to 1 that depends on nothing but the key."""
    digest = hashlib.sha256(repr(key).encode()).digest()
    return float(np.random.default_rng(int.from_bytes(digest[:16])).random())


@transaction.atomic
def open_campaign(*, campaign: Campaign) -> None:
    """Let annotators in. A campaign without items, or one whose answers came from a file, cannot be opened."""
    if campaign.imported:
        raise DomainError("The judgements of this campaign came from a file; nobody is asked here.")
    if not campaign.items.exists():
        raise DomainError("There are no items yet: import examples or take them from an attack run first.")
    campaign.state = Campaign.State.OPEN
    campaign.save(update_fields=["state"])


@transaction.atomic
def close_campaign(*, campaign: Campaign) -> None:
    """Hand out no more items. Answers that are under way are still kept, marked as late."""
    campaign.state = Campaign.State.CLOSED
    campaign.save(update_fields=["state"])
