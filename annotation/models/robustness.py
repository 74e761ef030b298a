"""How easily constraints are fooled: measurements, the texts that fool them, and campaigns in which people judge such texts."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from .artefacts import LearnedModel
from .campaigns import Campaign


class RobustnessMeasurement(models.Model):
    """Constraints measured in one attack setting (`attacks.robustness.measure`). `asked` and `constraints` are what was asked
    for, `result` what came of each constraint: its curve and ACCS, and over how many texts."""

    name = models.CharField(max_length=120, unique=True)
    asked = models.JSONField(default=dict, help_text="the attack without constraints, and how many words are spoiled")
    constraints = models.JSONField(default=list, help_text="kind and name of the model, if there is one")
    learned = models.ManyToManyField(LearnedModel, related_name="measurements", help_text="the models in it")
    folder = models.CharField(max_length=300)
    result = models.JSONField(default=list)
    simulated = models.BooleanField(default=False, help_text="a model in it learned from simulated readers")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class SpoiledText(models.Model):
    """A text of the attack set after so many damages as were wanted, and the score that the constraint gives it. Texts with too
    few words to spoil have none."""

    measurement = models.ForeignKey(RobustnessMeasurement, models.CASCADE, related_name="spoiled")
    constraint = models.CharField(max_length=40, help_text="its name in the result")
    number = models.PositiveIntegerField(help_text="place in the attack set, from 1")
    original = models.TextField()
    text = models.TextField()
    score = models.FloatField()
    damages = models.JSONField(default=list)

    class Meta:
        ordering = ["measurement", "constraint", "number"]
        constraints = [
            models.UniqueConstraint(fields=["measurement", "constraint", "number"], name="spoiled_once_per_constraint"),
        ]


class JudgedSample(models.Model):
    """A suspicion campaign with texts that a constraint admits at a threshold, drawn at random, and their originals."""

    measurement = models.ForeignKey(RobustnessMeasurement, models.CASCADE, related_name="samples")
    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="+")
    constraint = models.CharField(max_length=40)
    threshold = models.FloatField()
    admitted = models.PositiveIntegerField(help_text="texts that could be drawn")
    drawn = models.PositiveIntegerField()
    seed = models.PositiveIntegerField()
