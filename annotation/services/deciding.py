"""Decisions: what an item's judgements come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from annotation.models import Campaign, Decision, Item
from annotation.protocols import protocol_of
from annotation.protocols.votes import CastVote, votes_of, votes_on

from .campaigns import open_extra_slot

DECIDED = ("label", "value", "how", "n_judgements", "decided_at")


@transaction.atomic
def decide(*, item: Item) -> Decision:
    """Decide the item from its counted judgements, and ask for one more where the protocol needs it."""
    # Two last answers may arrive at once: each must see the other's judgement, so they pass here one after the other.
    return decide_held(item=Item.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=item.pk))


def decide_held(*, item: Item) -> Decision:
    """The same for a caller whose transaction holds the item's row already. Storing an answer does this each time, so it takes
    two statements, and a third where one more judgement is needed."""
    votes = votes_on(item)
    if protocol_of(item.campaign).decide(item.campaign, votes).open:
        open_extra_slot(item=item, position=len(votes) + 1)
    decision = Decision(item=item, **_fields(item.campaign, votes))
    (stored,) = Decision.objects.bulk_create([decision], update_conflicts=True, unique_fields=["item"], update_fields=DECIDED)
    return stored


@transaction.atomic
def decide_all(*, campaign: Campaign) -> int:
    """Decide every item of an imported campaign at once; opens no slots. Returns how many items there are."""
    entries = votes_of(campaign)
    labels = _label_ids(campaign)
    Decision.objects.filter(item__campaign=campaign).delete()
    Decision.objects.bulk_create(Decision(item_id=entry.item_id, **_fields(campaign, entry.votes, labels)) for entry in entries)
    return len(entries)


def _fields(campaign: Campaign, votes: Sequence[CastVote], labels: Mapping[str, int] | None = None) -> dict[str, object]:
    outcome = protocol_of(campaign).decide(campaign, votes)
    ids = labels if labels is not None else _label_ids(campaign)
    return {
        "label_id": ids[outcome.label] if outcome.label is not None else None,
        "value": outcome.value,
        "how": outcome.how,
        "n_judgements": len(votes),
        "decided_at": timezone.now(),
    }


def _label_ids(campaign: Campaign) -> dict[str, int]:
    return {label.key: label.pk for label in campaign.labels.all()}
