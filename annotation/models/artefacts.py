"""What was learned: model folders that this installation trained."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from .campaigns import Campaign


class LearnedModel(models.Model):
    """A model in a model folder; `card` repeats its card.json for pages and `sha256` pins the folder."""

    class Kind(models.TextChoices):
        SUSPICION = "suspicion", "suspicion model"
        MEANING = "meaning", "meaning model"

    kind = models.CharField(max_length=9, choices=Kind.choices, default=Kind.SUSPICION)
    name = models.CharField(max_length=120, unique=True)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="models")
    folder = models.CharField(max_length=300)
    sha256 = models.CharField(max_length=64)
    card = models.JSONField(default=dict)
    simulated = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
