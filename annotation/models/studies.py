"""Constraint studies: an attack without and with the suspicion constraint, and the campaigns that ask people about both."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from .artefacts import LearnedModel
from .campaigns import Campaign
from .texts import AttackRun


class ConstraintStudy(models.Model):
    """The same attack without and with a limit on predicted suspicion, at several limits. Its runs are rows of their own when all
    of them are done; every organiser sees it."""

    name = models.CharField(max_length=100, unique=True)
    asked = models.JSONField(help_text="the attack, see annotation.services.attacking.AttackWanted")
    taus = models.JSONField(help_text="the limits, the strictest first")
    model = models.ForeignKey(LearnedModel, models.PROTECT, related_name="studies")
    folder = models.CharField(max_length=300)
    result = models.JSONField(null=True, blank=True, help_text="one attacks.study.AtLimit.as_dict() for each limit")
    runs = models.ManyToManyField(AttackRun, through="StudyRun", related_name="studies")
    campaigns = models.ManyToManyField(Campaign, through="StudyCampaign", related_name="studies")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name

    @property
    def simulated(self) -> bool:
        """Whether the model behind the limits learned from simulated readers."""
        return self.model.simulated


class StudyRun(models.Model):
    """A run of a study: the free one, or the one under a limit."""

    study = models.ForeignKey(ConstraintStudy, models.CASCADE, related_name="links")
    run = models.ForeignKey(AttackRun, models.PROTECT, related_name="+")
    tau = models.FloatField(null=True, blank=True, help_text="null: without a limit")

    class Meta:
        ordering = [models.F("tau").asc(nulls_first=True)]
        constraints = [
            models.UniqueConstraint(fields=["study", "tau"], name="study_run_once_per_tau"),
            models.UniqueConstraint(fields=["study"], condition=models.Q(tau=None), name="study_run_once_without"),
        ]


class StudyCampaign(models.Model):
    """A preference campaign about the pairs of a study at a limit. `planned` items would find, with a chance of `power`, that
    votes go to the better text with a chance of `preferred`."""

    study = models.ForeignKey(ConstraintStudy, models.CASCADE, related_name="asked_people")
    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="study_link")
    tau = models.FloatField()
    planned = models.PositiveIntegerField()
    preferred = models.FloatField()
    power = models.FloatField()

    class Meta:
        ordering = ["tau", "pk"]
