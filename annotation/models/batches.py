"""Items that are written some at a time, and seen all at once."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from .uploads import Upload


class Batch(models.Model):
    """What one attempt to import a file writes. Its items belong to the campaign, but nobody sees them before they are all there:
    `Item.objects` leaves out those of batches that are not `SEEN`. So one change of this row shows them all."""

    class State(models.TextChoices):
        WRITING = "writing", "being written"
        DROPPED = "dropped", "given up; its items go"
        SEEN = "seen", "its items are seen; some of their slots may not be open yet"
        OPEN = "open", "its items are seen and their slots open"

    UNSEEN = (State.WRITING, State.DROPPED)

    upload = models.ForeignKey(Upload, models.CASCADE, related_name="batches")
    state = models.CharField(max_length=7, choices=State.choices, default=State.WRITING)
    begun_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["state"], name="batch_by_state")]
