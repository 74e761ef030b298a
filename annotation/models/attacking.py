"""What attacks need and leave: tasks, victims, how every attacked text ended, and how suspicious the successes look."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from .artefacts import LearnedModel
from .texts import AttackRun, Example, Variant


class Task(models.Model):
    """A data set in a task folder, whose name it has; `sha256` pins the folder's three files. Every organiser may use it."""

    name = models.CharField(max_length=40, unique=True)
    folder = models.CharField(max_length=300)
    sha256 = models.CharField(max_length=64)
    counts = models.JSONField(default=dict, help_text="split → texts with each label: [credible, non-credible]")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class Victim(models.Model):
    """A classifier in a model folder; `card` repeats its card.json for pages and `sha256` pins the folder. Every organiser may
    attack it."""

    name = models.CharField(max_length=120, unique=True)
    kind = models.CharField(max_length=20)
    trained_on = models.CharField(max_length=120, blank=True, help_text="the task that its card names")
    folder = models.CharField(max_length=300)
    sha256 = models.CharField(max_length=64)
    card = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class Outcome(models.Model):
    """One text of a run's attack set, and how its attack ended. A success has an `example`."""

    run = models.ForeignKey(AttackRun, models.CASCADE, related_name="outcomes")
    number = models.PositiveIntegerField(help_text="place in the attack set, from 1")
    before = models.ForeignKey(Variant, models.PROTECT, related_name="+")
    example = models.ForeignKey(Example, models.CASCADE, null=True, blank=True, related_name="outcomes")
    status = models.CharField(max_length=20)
    message = models.TextField(blank=True)
    label = models.PositiveSmallIntegerField(null=True, help_text="gold label: 1 non-credible")
    label_before = models.PositiveSmallIntegerField(null=True)
    score_before = models.FloatField(null=True, help_text="the victim's probability of label 1")
    asked = models.PositiveIntegerField(null=True, help_text="texts that the search asked about")
    unique = models.PositiveIntegerField(null=True, help_text="of these, different ones")
    sent = models.PositiveIntegerField(null=True, help_text="of these, sent to the victim")

    class Meta:
        ordering = ["run", "number"]
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="outcome_number_once_per_run")]
        indexes = [models.Index(fields=["run", "status", "number"], name="outcome_by_status")]


class Suspicion(models.Model):
    """How suspicious a model finds a success and its original."""

    outcome = models.ForeignKey(Outcome, models.CASCADE, related_name="suspicions")
    model = models.ForeignKey(LearnedModel, models.CASCADE, related_name="+")
    before = models.FloatField()
    after = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["outcome", "model"], name="suspicion_once_per_model")]
