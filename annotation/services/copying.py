"""Copies: the same study once more, without its people and their answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from annotation.models import Campaign, Entrance, Item, User

from .activity import log
from .campaigns import NewItem, add_items, create_campaign, make_labels
from .holding import hold
from .settings import specs_of


@transaction.atomic
def copy_campaign(*, campaign: Campaign, by: User, name: str, title: str) -> Campaign:
    """A new campaign, in preparation, with the protocol, settings, labels, items (known answers and explanations included),
    sheet and entrance of this one, and fresh slots. It has no people, no answers and no links to other campaigns.

    Raises DomainError when the name is taken.
    """
    campaign = hold(campaign)  # nobody changes settings or adds items half-way
    copy = copy_frame(campaign=campaign, by=by, name=name, title=title, source={**campaign.source, "copied_from": campaign.name})
    _copy_items(campaign, copy)
    log(campaign=copy, by=by, verb="copied", source=campaign.name)
    return copy


def copy_frame(*, campaign: Campaign, by: User | None, name: str, title: str, source: Mapping[str, Any], **how: Any) -> Campaign:
    """A new campaign without items that asks as this one does: the same protocol, settings, labels, sheet and entrance. `how` is
    as for `create_campaign`. Part of the caller's transaction."""
    copy = create_campaign(
        name=name,
        title=title,
        protocol=campaign.protocol,
        preset=campaign.preset,
        created_by=by,
        source=source,
        **how,
    )
    copy.settings = campaign.settings
    copy.save(update_fields=["settings"])
    copy.labels.all().delete()
    make_labels(campaign=copy, specs=specs_of(campaign))
    copy.sheets.all().delete()
    _repeat(campaign.sheets.all()[:1], copy, version=1, created_at=timezone.now())
    _repeat(Entrance.objects.filter(campaign=campaign), copy)
    return copy


def _repeat(rows: QuerySet, copy: Campaign, **fields: object) -> None:
    """Write the rows once more for the copy, with other `fields`."""
    for row in rows:
        row.pk = None
        row.campaign = copy
        for name, value in fields.items():
            setattr(row, name, value)
        row.save(force_insert=True)


def _copy_items(campaign: Campaign, copy: Campaign) -> None:
    labels = {label.key: label for label in copy.labels.all()}
    items = Item.objects.filter(campaign=campaign).select_related("original", "first", "second", "example", "gold")
    add_items(
        campaign=copy,
        items=[
            NewItem(
                original=item.original,
                first=item.first,
                second=item.second,
                example=item.example,
                published_label=item.published_label,
                use=item.use,
                gold=labels[item.gold.key] if item.gold else None,
                explanation=item.explanation,
                copied=item,
                # An imported item has slots for what was in the file, and none to be filled.
                slots=None if campaign.imported else item.from_the_start,
            )
            for item in items.annotate(from_the_start=Count("slots", filter=Q(slots__extra=False))).order_by("number")
        ],
    )
