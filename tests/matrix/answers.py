"""A campaign's items, and what people said about them: answers, changed answers, skips, flags, rulings, decisions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from annotation.models import (
    Campaign,
    Claim,
    EarlierAnswer,
    Flag,
    Item,
    Judgement,
    Label,
    Original,
    Ruling,
    Slot,
    User,
    Variant,
)
from annotation.protocols import protocol_of
from annotation.services.deciding import decide_all

from .marks import mark

SPARE = 3
"""More open items than the size, for those who work in the world."""


def give_answers(campaign: Campaign, size: int, people: Sequence[User], *, by: User) -> None:
    """`size` items on which two people agreed, as many on which they differ, with and without a ruling, as many that are open and
    were skipped once, and as many for training, for the test and as attention checks."""
    labels = list(campaign.labels.order_by("value"))
    for item in _items(campaign, size, "agreed"):
        _answer(item, people, labels, differ=False)
    for item in _items(campaign, size, "conflicting"):
        _answer(item, people, labels, differ=True)
        _flag(item, people, by)
    for item in _items(campaign, size, "ruled"):
        _answer(item, people, labels, differ=True)
        if labels:
            _rule(item, labels[0], by)
    for item in _items(campaign, size + SPARE, "open")[:size]:
        _skip(item, people[0])
    if labels:
        for use in (Item.Use.TRAINING, Item.Use.TEST, Item.Use.ATTENTION):
            explanation = f"{mark(campaign.name, 'gold')}: look at the letters"
            _items(campaign, size, use, use=use, gold=labels[0], explanation=explanation)
    decide_all(campaign=campaign)


def _said(campaign: Campaign) -> str:
    return f"{mark(campaign.name, 'answer')}, said somebody"


def _items(campaign: Campaign, size: int, batch: str, **fields: Any) -> list[Item]:
    start = campaign.items.count() + 1
    items = Item.objects.bulk_create(_item(campaign, number, batch, fields) for number in range(start, start + size))
    if "use" not in fields:
        Slot.objects.bulk_create(
            Slot(item=item, campaign=campaign, position=place, rank=item.number / 10_000) for item in items for place in (1, 2)
        )
        Item.objects.filter(pk__in=[item.pk for item in items]).update(wanted=2)
    return items


def _item(campaign: Campaign, number: int, batch: str, fields: dict[str, Any]) -> Item:
    original = Original.objects.create(task="headlines", key=f"{campaign.name}-{number}")
    before = _variant(
        original, Variant.UNCHANGED, f"{mark(campaign.name, 'text')}: the bridge, {batch} {number}, closes on Monday."
    )
    after = _variant(
        original, "deepwordbug", f"{mark(campaign.name, 'text')}: the brdige, {batch} {number}, closes \u043en Monday."
    )
    pair = protocol_of(campaign).pair
    return Item(
        campaign=campaign,
        original=original,
        number=number,
        task=original.task,
        made_by=after.kind,
        content_sha256=after.sha256,
        first=before if pair else after,
        second=after if pair else None,
        **fields,
    )


def _variant(original: Original, kind: str, text: str) -> Variant:
    return Variant.objects.create(original=original, kind=kind, text=text, sha256=hashlib.sha256(text.encode()).hexdigest())


def _claim(slot: Slot, person: User, state: Claim.State, **fields: str) -> Claim:
    return Claim.objects.create(
        slot=slot,
        item=slot.item,
        campaign=slot.campaign,
        original=slot.item.original,
        annotator=person,
        state=state,
        expires_at=timezone.now(),
        **fields,
    )


def _answer(item: Item, people: Sequence[User], labels: Sequence[Label], *, differ: bool) -> None:
    said = _said(item.campaign)
    for place, slot in enumerate(item.slots.select_related("item__original", "campaign").order_by("position")):
        claim = _claim(slot, people[(item.number + place) % len(people)], Claim.State.ANSWERED)
        first, last = _choice(labels, 0), _choice(labels, place if differ else 0)
        judgement = Judgement.objects.create(claim=claim, confidence=4, comment=said, seconds=20.0, active_seconds=18.0, **last)
        EarlierAnswer.objects.create(
            judgement=judgement, number=1, confidence=2, comment=said, submitted_at=timezone.now(), **first
        )
    item.slots.update(state=Slot.State.FILLED)


def _choice(labels: Sequence[Label], chosen: int) -> dict[str, Any]:
    return {"label": labels[chosen]} if labels else {"words": [chosen]}


def _flag(item: Item, people: Sequence[User], by: User) -> None:
    Flag.objects.create(item=item, user=people[0], text=_said(item.campaign))
    Flag.objects.create(item=item, user=people[1], text=_said(item.campaign), resolved_at=timezone.now(), resolved_by=by)


def _rule(item: Item, label: Label, by: User) -> None:
    """Every other ruling is stale: it rests on answers that are no longer there."""
    given = Judgement.objects.filter(claim__item=item).order_by("claim__slot__position").select_related("label")
    basis = [[judgement.pk, judgement.label.key] for judgement in given if judgement.label]
    note = f"{mark(item.campaign.name, 'ruling')}: I would say so"
    Ruling.objects.create(item=item, by=by, label=label, note=note, seconds=9.0, basis=basis[item.number % 2 :])


def _skip(item: Item, person: User) -> None:
    slot = item.slots.select_related("item__original", "campaign").get(position=2)
    _claim(slot, person, Claim.State.SKIPPED, skip_reason=Claim.SkipReason.OTHER, skip_note=_said(item.campaign))
