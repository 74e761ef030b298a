"""A campaign's analysis, computed once for as long as nothing that it follows from changes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from django.core.cache import cache

from annotation.models import Campaign, Label, Pseudonym
from annotation.protocols import protocol_of
from annotation.protocols.analysis import Analysis
from annotation.protocols.votes import ItemVotes

KEPT_FOR = 24 * 3600


def analysed(campaign: Campaign, votes: Sequence[ItemVotes]) -> Analysis:
    """What `analyse` of the campaign's protocol gives for these votes. It takes seconds where there are many, and a page with its
    tables, each of which is a file of its own, asks again and again. The key is made of all that goes in, so nothing has to be
    told when something changes."""
    key = _key(campaign, votes)
    known: Analysis | None = cache.get(key)
    if known is None:
        known = protocol_of(campaign).analyse(campaign, votes)
        cache.set(key, known, KEPT_FOR)
    return known


def _key(campaign: Campaign, votes: Sequence[ItemVotes]) -> str:
    """Texts are not part of it: an item's never change."""
    own = [(field.attname, getattr(campaign, field.attname)) for field in campaign._meta.concrete_fields]
    labels = list(Label.objects.filter(campaign=campaign).order_by("pk").values_list())
    numbers = list(Pseudonym.objects.filter(campaign=campaign).order_by("pk").values_list("user_id", "number"))
    return f"analysis:{hashlib.sha256(repr((own, labels, numbers, votes)).encode(errors='surrogatepass')).hexdigest()}"
