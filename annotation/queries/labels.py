"""A campaign's labels."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.models import Campaign, Label
from annotation.prepared import prepared


def with_labels(campaign: Campaign) -> Campaign:
    """The campaign with its labels at hand, as if prefetched: `campaign.labels.all()` asks the database no more."""
    at_hand = campaign.__dict__.setdefault("_prefetched_objects_cache", {})
    if "labels" not in at_hand:
        labels = campaign.labels.all()
        labels._result_cache = _labels(campaign=campaign.pk)
        labels._prefetch_done = True  # type: ignore[attr-defined]
        for label in labels:
            label.campaign = campaign
        at_hand["labels"] = labels
    return campaign


@prepared()
def _labels(*, campaign: int) -> QuerySet[Label, Label]:
    return Label.objects.filter(campaign=campaign).order_by("value")
