"""Campaigns: one protocol, its labels, its settings."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Campaign(models.Model):
    """One question asked of people about a set of items.

    `settings` holds what the protocol lets organisers set (question, confidence asked, differences marked, tie rule, slots per
    item); `annotation.protocols` validates it. Campaigns that share a `link_group` exclude together: nobody sees two variants of
    one original in any of them.
    """

    class State(models.TextChoices):
        DRAFT = "draft", "being prepared"
        OPEN = "open", "open"
        CLOSED = "closed", "closed"

    name = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=160)
    protocol = models.CharField(max_length=20)
    settings = models.JSONField(default=dict)
    state = models.CharField(max_length=8, choices=State.choices, default=State.DRAFT)
    simulated = models.BooleanField(default=False, help_text="answered by simulated readers only; never evidence about people")
    imported = models.BooleanField(default=False, help_text="judgements came from a file; nobody is asked here")
    link_group = models.CharField(max_length=80, blank=True)
    source = models.JSONField(default=dict, help_text="file name and SHA-256, or the attack run, that the items came from")
    created_by = models.ForeignKey("annotation.User", models.PROTECT, null=True, related_name="campaigns")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at", "pk"]

    def __str__(self) -> str:
        return self.title

    @property
    def exclusion_group(self) -> str:
        """Within this group one annotator sees one variant of an original."""
        return self.link_group or f"campaign:{self.pk}"


class Label(models.Model):
    """One possible answer. Answers refer to rows of this table, so nothing outside a campaign's set can be stored."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="labels")
    value = models.SmallIntegerField(help_text="the number in files: a class id, or the point of a scale")
    key = models.SlugField(max_length=40, help_text="the name in files")
    name = models.CharField(max_length=80, help_text="what the button says")
    definition = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["campaign", "value"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "value"], name="label_value_once_per_campaign"),
            models.UniqueConstraint(fields=["campaign", "key"], name="label_key_once_per_campaign"),
        ]

    def __str__(self) -> str:
        return self.name
