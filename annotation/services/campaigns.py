"""Making campaigns and putting items into them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from django.db import IntegrityError, transaction
from django.db.models import Max

from annotation.errors import DomainError, SheetHasGaps
from annotation.models import (
    Campaign,
    Example,
    Item,
    Label,
    Membership,
    Original,
    Slot,
    User,
    Variant,
)
from annotation.protocols import PROTOCOLS
from annotation.protocols.labels import LabelSpec

from .activity import log
from .comparing import compared
from .holding import hold
from .sheets import gaps_before_a_crowd, publish_sheet

DEFAULT_SEED = 0
CAMPAIGN_NAME = re.compile(r"[A-Za-z0-9_-]{1,80}")
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
    copied: Item | None = None
    """The item that this one repeats: it need not be compared with its original again."""
    repeated: bool = False
    """Whether people may be asked who have judged the same text in a linked campaign."""

    @property
    def judged(self) -> Variant:
        """The variant that the answer is about."""
        return self.second or self.first

    @property
    def compared(self) -> dict[str, Any]:
        """How the judged text differs from its original: the item's columns, none where the original is not known."""
        if self.copied is not None:
            return {"edits": self.copied.edits, "character_score": self.copied.character_score}
        if self.second is not None:
            return compared(self.first.text, self.second.text) if self.first.kind == Variant.UNCHANGED else {}
        if self.example is not None and self.example.after_id == self.first.pk:
            return compared(self.example.before.text, self.first.text)
        return {}

    @property
    def content_sha256(self) -> str:
        """The same for two items exactly when they show the same texts by the same makers."""
        return content_of((variant.kind, variant.sha256) for variant in (self.first, self.second) if variant)


def content_of(texts: Iterable[tuple[str, str]]) -> str:
    """The hash of an item's content from the maker and the hash of each of its texts."""
    return hashlib.sha256("\n".join(part for text in texts for part in text).encode()).hexdigest()


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
    preset: str = "",
    labels: Sequence[LabelSpec | Mapping[str, Any]] | None = None,
) -> Campaign:
    """A campaign from a preset of its protocol (the first without a name), with labels, information sheet and its maker as
    organiser. `settings` and `labels` are what should differ from the preset.

    Raises DomainError when the protocol or the preset is unknown or the name is taken, SettingsProblem for wrong settings.
    """
    if protocol not in PROTOCOLS:
        raise DomainError(f"There is no protocol “{protocol}”. Choose one of {', '.join(PROTOCOLS)}.")
    if name in RESERVED_NAMES:
        raise DomainError(f"A campaign cannot be named “{name}”: that is the address of a page. Choose another name.")
    if not CAMPAIGN_NAME.fullmatch(name):
        raise DomainError("A campaign's name consists of letters, digits, hyphens and underscores, at most 80.")
    known = PROTOCOLS[protocol]
    if preset and preset not in known.presets:
        raise DomainError(f"The protocol {protocol} has no preset “{preset}”. Choose one of {', '.join(known.presets)}.")
    chosen = known.preset(preset)
    values, specs = known.check(
        settings or {}, chosen.labels if labels is None else labels, now=chosen.all_settings, labels_now=chosen.labels
    )
    try:
        with transaction.atomic():
            campaign = Campaign.objects.create(
                name=name,
                title=title,
                protocol=protocol,
                preset=preset or next(iter(known.presets)),
                settings=values,
                simulated=simulated,
                imported=imported,
                link_group=link_group,
                source=dict(source or {}),
                created_by=created_by,
            )
    except IntegrityError as clash:
        raise DomainError(f"There is already a campaign named “{name}”. Choose another name; nothing was written.") from clash
    make_labels(campaign=campaign, specs=specs)
    publish_sheet(campaign=campaign, sections=[{"key": "all", "heading": "", "text": sheet}] if sheet else None)
    if created_by is not None:
        Membership.objects.create(campaign=campaign, user=created_by, role=Membership.Role.ORGANISER)
    log(campaign=campaign, by=created_by, verb="created")
    return campaign


def make_labels(*, campaign: Campaign, specs: Iterable[LabelSpec]) -> None:
    """Write the labels of a campaign that has none."""
    Label.objects.bulk_create(Label(campaign=campaign, **asdict(spec)) for spec in specs)


def refuse_unaskable(campaign: Campaign, texts: Iterable[tuple[str | None, str]]) -> None:
    """Raise DomainError naming the first of the texts, each with the one before it, that people cannot be asked about here."""
    for before, after in texts:
        if problem := PROTOCOLS[campaign.protocol].unaskable(before, after):
            raise DomainError(f"“{after[:60]}…”: {problem}. Nothing was added.")


@transaction.atomic
def add_items(*, campaign: Campaign, items: Sequence[NewItem], seed: int = DEFAULT_SEED, slots: int | None = None) -> list[Item]:
    """Append items with their open slots. The order in which they are handed out, and the sides of pairs, are drawn
    from `seed` and the campaign's name, so that the same study gives the same assignment in every database."""
    made = made_ready(campaign, items, after=last_number(campaign), seed=seed, slots=slots)
    Item.objects.bulk_create(made.items)
    Slot.objects.bulk_create(made.slots)
    return made.items


@dataclass(frozen=True, slots=True)
class ReadyItems:
    """Rows that only have to be inserted. Making them takes longer than inserting them, and needs no lock."""

    items: list[Item]
    slots: list[Slot]


def last_number(campaign: Campaign) -> int:
    """The number of the campaign's last item, be it one that an unfinished import has written; 0 without any."""
    return Item.every.filter(campaign=campaign).aggregate(last=Max("number"))["last"] or 0


def made_ready(
    campaign: Campaign, items: Sequence[NewItem], *, after: int, seed: int = DEFAULT_SEED, slots: int | None = None
) -> ReadyItems:
    """The rows of items that follow the one with the number `after`, and of their open slots. Nothing is written."""
    wanted = campaign.settings["slots"] if slots is None else slots
    counts = [_slots_wanted(item, wanted) for item in items]
    rows = [
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
            repeated=item.repeated,
            content_sha256=item.content_sha256,
            task=item.original.task,
            wanted=count,
            **item.compared,
        )
        for number, (item, count) in enumerate(zip(items, counts, strict=True), start=after + 1)
    ]
    places = [slot for row, count in zip(rows, counts, strict=True) for slot in open_slots(row, range(1, count + 1), seed)]
    return ReadyItems(rows, places)


def _slots_wanted(item: NewItem, wanted: int) -> int:
    """Items with a known answer are met by everybody: their slots are made when they are handed out."""
    if item.use != Item.Use.WORK:
        return 0
    return wanted if item.slots is None else item.slots


def open_extra_slot(*, item: Item) -> None:
    """Ask for one more judgement of the item, in a slot that was closed if there is one."""
    slots = list(item.slots.order_by("position"))
    closed = next((slot for slot in slots if slot.state == Slot.State.CLOSED), None)
    if closed is not None:
        Slot.objects.filter(pk=closed.pk).update(state=Slot.State.OPEN)
    else:
        Slot.objects.bulk_create(open_slots(item, [slots[-1].position + 1], DEFAULT_SEED, extra=True))


def open_slots(item: Item, positions: Iterable[int], seed: int, *, extra: bool = False) -> Iterable[Slot]:
    # The rank is the item's, so that its slots fill one after another.
    rank = _drawn(seed, item.campaign.name, item.number)
    sides = PROTOCOLS[item.campaign.protocol].sides
    for position in positions:
        swapped = sides and _drawn(seed, item.campaign.name, item.number, position) < 0.5
        yield Slot(item=item, campaign_id=item.campaign_id, position=position, rank=rank, swapped=swapped, extra=extra)


def _drawn(*key: object) -> float:
    """A number from 0 to 1 that depends on nothing but the key."""
    digest = hashlib.sha256(repr(key).encode()).digest()
    return float(np.random.default_rng(int.from_bytes(digest[:16])).random())


@transaction.atomic
def open_campaign(*, campaign: Campaign, by: User | None = None, sure: bool = False) -> None:
    """Let annotators in. A campaign without items, or one whose answers came from a file, cannot be opened.

    Raises SheetHasGaps where a crowd platform sends people to a sheet with gaps, unless somebody is `sure` that this is meant.
    """
    if campaign.imported:
        raise DomainError("The judgements of this campaign came from a file; nobody is asked here.")
    if not campaign.items.exists():
        raise DomainError("There are no items yet: import examples or take them from an attack run first.")
    if not sure and (gaps := gaps_before_a_crowd(campaign)):
        raise SheetHasGaps(gaps)
    _move(campaign, Campaign.State.OPEN, by, "opened")


@transaction.atomic
def pause_campaign(*, campaign: Campaign, by: User | None = None) -> None:
    """Hand out no items for now. Answers that are under way count as ever."""
    campaign.state = hold(campaign).state
    if campaign.state != Campaign.State.OPEN:
        raise DomainError("Only an open campaign can be paused.")
    _move(campaign, Campaign.State.PAUSED, by, "paused")


@transaction.atomic
def close_campaign(*, campaign: Campaign, by: User | None = None) -> None:
    """Hand out no more items. Answers that are under way are still kept, marked as late."""
    _move(campaign, Campaign.State.CLOSED, by, "closed")


def _move(campaign: Campaign, state: Campaign.State, by: User | None, verb: str) -> None:
    campaign.state = hold(campaign).state
    if campaign.state != state:
        campaign.state = state
        campaign.save(update_fields=["state"])
        log(campaign=campaign, by=by, verb=verb)
