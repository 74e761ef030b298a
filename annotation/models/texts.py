"""Texts: originals, their variants, and the examples that attacks made of them."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Original(models.Model):
    """What several variants share. Its text may be unknown: some published files hold variants only."""

    task = models.CharField(
        max_length=40, blank=True, help_text="the data set, for instance FC or headlines; empty where nobody said"
    )
    key = models.CharField(max_length=80, help_text="identifies the original within its task")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "key"], name="original_once_per_task")]

    def __str__(self) -> str:
        return f"{self.task}/{self.key}" if self.task else self.key


class Variant(models.Model):
    """The original text itself, or one of its adversarial texts. A migration that changes this table has to make the search index
    anew: see migration `0016_text_search`."""

    UNCHANGED = "original"

    original = models.ForeignKey(Original, models.CASCADE, related_name="variants")
    kind = models.CharField(max_length=60, help_text="'original', or the attacker or team that made the text")
    text = models.TextField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["original", "kind", "sha256"], name="variant_once_per_original_and_kind")]


class AttackRun(models.Model):
    """One attack setting run over one task's attack set; texts and logs are in its folder, the figures in its summary."""

    name = models.CharField(max_length=120, unique=True)
    task = models.CharField(max_length=40)
    victim = models.CharField(max_length=80)
    attacker = models.CharField(max_length=80)
    constraint = models.CharField(max_length=400, blank=True)
    folder = models.CharField(max_length=300)
    summary = models.JSONField(default=dict)
    model = models.ForeignKey("annotation.LearnedModel", models.PROTECT, null=True, blank=True, related_name="runs")
    baseline = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="constrained")
    comparison = models.JSONField(default=dict, help_text="side by side with the baseline")
    created_at = models.DateTimeField(default=timezone.now)


class Example(models.Model):
    """One original text and one adversarial text, with the attack that made it and what it scored.

    It is from an attack run or from a file. The attacker, or the team, is the kind of `after`.
    """

    run = models.ForeignKey(AttackRun, models.CASCADE, null=True, blank=True, related_name="examples")
    upload = models.ForeignKey("annotation.Upload", models.CASCADE, null=True, blank=True, related_name="examples")
    before = models.ForeignKey(Variant, models.PROTECT, related_name="+")
    after = models.ForeignKey(Variant, models.PROTECT, related_name="examples")
    status = models.CharField(max_length=20)
    victim = models.CharField(max_length=80, blank=True, help_text="of an imported example; a run's examples have the run's")
    scenario = models.CharField(max_length=10, blank=True, help_text="'targeted', 'untargeted', or not known")
    label = models.PositiveSmallIntegerField(null=True, help_text="gold label: 1 non-credible")
    label_before = models.PositiveSmallIntegerField(null=True)
    label_after = models.PositiveSmallIntegerField(null=True)
    score_before = models.FloatField(null=True, help_text="the victim's score of the original")
    score_after = models.FloatField(null=True, help_text="the victim's score of the adversarial text")
    queries = models.PositiveIntegerField(null=True)
    character_score = models.FloatField(null=True)
    semantic_score = models.FloatField(null=True)
    bodega_score = models.FloatField(null=True)
    semantic_model = models.CharField(max_length=120, blank=True, help_text="which model the semantic score is from")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "before", "after"], name="example_once_per_run"),
        ]
