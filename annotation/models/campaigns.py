"""Campaigns: one protocol, its labels, its settings."""

from __future__ import annotations

from typing import TypeVar

from django.db import models
from django.utils import timezone

Row = TypeVar("Row", bound=models.Model, covariant=True)


class ThereStill(models.Manager[Row]):
    """The campaigns that there are for everybody: not those whose rows are only waiting to go."""

    def get_queryset(self) -> models.QuerySet[Row]:
        return super().get_queryset().exclude(state="deleted")


class Campaign(models.Model):
    """One question asked of people about a set of items.

    `settings` holds what the protocol lets organisers set (question, confidence asked, differences marked, tie rule, slots per
    item, pass mark …); `annotation.protocols` validates it. Campaigns that share a `link_group` exclude together: nobody sees
    two variants of one original in any of them. `created_by` is the owner; without one (made at the command line) a campaign is
    every organiser's.
    """

    class State(models.TextChoices):
        DRAFT = "draft", "being prepared"
        OPEN = "open", "open"
        PAUSED = "paused", "paused"
        CLOSED = "closed", "closed"
        DELETED = "deleted", "deleted"

    name = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=160)
    protocol = models.CharField(max_length=20)
    preset = models.CharField(max_length=40, blank=True, help_text="the preset of the protocol that it was made from")
    settings = models.JSONField(default=dict)
    state = models.CharField(max_length=8, choices=State.choices, default=State.DRAFT)
    simulated = models.BooleanField(default=False, help_text="answered by simulated readers only; never evidence about people")
    imported = models.BooleanField(default=False, help_text="judgements came from a file; nobody is asked here")
    link_group = models.CharField(max_length=80, blank=True)
    source = models.JSONField(default=dict, help_text="file name and SHA-256, or the attack run, that the items came from")
    created_by = models.ForeignKey("annotation.User", models.PROTECT, null=True, related_name="campaigns")
    created_at = models.DateTimeField(default=timezone.now)

    objects = ThereStill()
    every = models.Manager()
    """Those too that were deleted, while their rows go."""

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
    hotkey = models.CharField(max_length=1, blank=True, help_text="the key that chooses it; empty: its digit in order")

    class Meta:
        ordering = ["campaign", "value"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "value"], name="label_value_once_per_campaign"),
            models.UniqueConstraint(fields=["campaign", "key"], name="label_key_once_per_campaign"),
            models.UniqueConstraint(
                fields=["campaign", "hotkey"], condition=~models.Q(hotkey=""), name="label_hotkey_once_per_campaign"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Entrance(models.Model):
    """How people come into a campaign besides by invitation; without a row there is no other way in.

    A crowd platform sends people to one address with its ids as parameters, and takes them back by a code or an address. Pay is
    per counted item, in `currency`; what people earn per hour follows from measured time.
    """

    class Kind(models.TextChoices):
        OPEN = "open", "anybody may register"
        CROWD = "crowd", "people sent by a crowd platform"

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="entrance")
    kind = models.CharField(max_length=5, choices=Kind.choices)
    platform = models.CharField(max_length=40, blank=True)
    participant_parameter = models.CharField(max_length=40, blank=True)
    study_parameter = models.CharField(max_length=40, blank=True)
    session_parameter = models.CharField(max_length=40, blank=True)
    completion_code = models.CharField(max_length=60, blank=True)
    completion_url = models.URLField(max_length=500, blank=True)
    criteria = models.TextField(blank=True, help_text="who was recruited; part of the sheet and of the report")
    pay_per_item = models.DecimalField(max_digits=8, decimal_places=4, null=True, blank=True)
    minimum_hourly_pay = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    currency = models.CharField(max_length=3, blank=True)


class Event(models.Model):
    """One line of a campaign's activity log: who did what to the campaign, its people or its items."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="events")
    actor = models.ForeignKey("annotation.User", models.PROTECT, null=True, related_name="+", help_text="null: the system")
    verb = models.CharField(max_length=40, help_text="a key of annotation.services.activity.VERBS")
    detail = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["campaign", "-at"], name="event_newest_first")]
