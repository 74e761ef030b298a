"""Where a model is furthest off: the items behind the hashes that its card keeps."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models.functions import Substr

from annotation.models import Campaign, Item

PRINT = 32
"""How many digits of a text's SHA-256 a card keeps."""


def items_by_text(campaigns: Collection[Campaign], prints: Collection[str]) -> dict[str, Item]:
    """The first item of the campaigns with each of the texts, by the beginning of the text's SHA-256."""
    items = Item.objects.filter(campaign__in=campaigns).annotate(print=Substr("first__sha256", 1, PRINT))
    found = items.filter(print__in=prints).select_related("campaign", "first").order_by("-pk")
    return {item.print: item for item in found}
