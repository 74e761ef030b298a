"""Retraining: a series of rounds, in each of which people judge more texts and a new version of a model learns from them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from .artefacts import LearnedModel
from .campaigns import Campaign
from .texts import AttackRun
from .work import Item


class Series(models.Model):
    """Versions of one model, all of them compared on one test set, which is drawn when the series begins and never changes.

    Models and campaigns of its rounds are named after it. `measured` is what `regressors.versions` says of the versions, with the
    hashes of the models that it says it of.
    """

    name = models.SlugField(max_length=60, unique=True)
    learner = models.CharField(max_length=40, help_text="a name of regressors.names")
    seed = models.PositiveBigIntegerField(default=0)
    simulated = models.BooleanField(default=False)
    measured = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.name


class Round(models.Model):
    """One round: campaigns in which people judge, and the version that learned from them and from all rounds before.

    The first has the campaigns that the series began with; each later one a campaign of its own, for which `planned` of
    `candidates` successes of attack runs were selected by the strategy.
    """

    class Strategy(models.TextChoices):
        GIVEN = "given", "what had been judged"
        UNCERTAIN = "uncertain", "most uncertain"
        DISAGREEING = "disagreeing", "most disagreeing"
        RANDOM = "random", "random"

    series = models.ForeignKey(Series, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    campaigns = models.ManyToManyField(Campaign, through="RoundCampaign", related_name="rounds")
    strategy = models.CharField(max_length=11, choices=Strategy.choices)
    seed = models.PositiveBigIntegerField(default=0)
    runs = models.ManyToManyField(AttackRun, related_name="rounds")
    asked = models.JSONField(default=list, help_text="names and hashes of the models that the strategy asked")
    candidates = models.PositiveIntegerField(default=0)
    planned = models.PositiveIntegerField(default=0)
    unlinked = models.TextField(blank=True, help_text="why its campaign is not linked with those before; empty where it is")
    model = models.OneToOneField(LearnedModel, models.PROTECT, null=True, blank=True, related_name="round")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["series", "number"]
        constraints = [
            models.UniqueConstraint(fields=["series", "number"], name="round_number_once_per_series"),
            models.CheckConstraint(
                name="round_given_only_first",
                condition=models.Q(number=1, strategy="given") | (models.Q(number__gt=1) & ~models.Q(strategy="given")),
            ),
        ]


class RoundCampaign(models.Model):
    """A campaign in which a round is judged: it stays as long as the round."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="places")
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="places")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["round", "campaign"], name="round_campaign_once")]


class RoundItem(models.Model):
    """What an item is for in its round. Items of the first round without a row are learned from, and nothing else."""

    class Part(models.TextChoices):
        TEST = "test", "test set"
        ANCHOR = "anchor", "anchor"
        CHOSEN = "chosen", "selected"

    round = models.ForeignKey(Round, models.CASCADE, related_name="items")
    item = models.ForeignKey(Item, models.CASCADE, related_name="parts")
    part = models.CharField(max_length=6, choices=Part.choices)
    probability = models.FloatField(null=True, help_text="of being selected, in (0, 1]")
    size = models.FloatField(null=True, help_text="what the strategy measured")

    class Meta:
        ordering = ["round", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["round", "item"], name="round_item_once"),
            # What was selected is never a test item, and what is a test item has not been selected.
            models.CheckConstraint(
                name="round_item_chosen_with_probability",
                condition=models.Q(
                    part="chosen", probability__isnull=False, probability__gt=0, probability__lte=1, size__isnull=False
                )
                | models.Q(part__in=["test", "anchor"], probability__isnull=True, size__isnull=True),
            ),
        ]
