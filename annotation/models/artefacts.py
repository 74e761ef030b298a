"""What was learned: model folders that this installation trained, or that somebody uploaded."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from .campaigns import Campaign


class LearnedModel(models.Model):
    """A model in a model folder; `card` repeats its card.json for pages and `sha256` pins the folder.

    It learned from one or several campaigns of this installation, or was uploaded: then it has none here.
    """

    class Kind(models.TextChoices):
        SUSPICION = "suspicion", "suspicion model"
        MEANING = "meaning", "meaning model"

    kind = models.CharField(max_length=9, choices=Kind.choices, default=Kind.SUSPICION)
    name = models.CharField(max_length=120, unique=True)
    campaigns = models.ManyToManyField(Campaign, through="LearnedFrom", related_name="models")
    folder = models.CharField(max_length=300)
    sha256 = models.CharField(max_length=64)
    card = models.JSONField(default=dict)
    simulated = models.BooleanField(default=False)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    @property
    def learned_from(self) -> list[Campaign]:
        """Its campaigns in the order in which they were chosen."""
        return [lesson.campaign for lesson in self.lessons.all()]


class LearnedFrom(models.Model):
    """A campaign whose answers a model learned from: it stays as long as the model."""

    model = models.ForeignKey(LearnedModel, models.CASCADE, related_name="lessons")
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="lessons")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["model", "campaign"], name="learned_from_once")]
