"""Files on their way in: uploaded, not yet imported."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from .campaigns import Campaign


class Upload(models.Model):
    """A file that somebody uploaded to import examples or judgements from, and how its columns are to be read.

    The bytes lie in the data folder under `stored`; `imported_at` says when its rows became items of the campaign.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="uploads")
    name = models.CharField(max_length=200, help_text="what the file was called")
    stored = models.CharField(max_length=300)
    sha256 = models.CharField(max_length=64)
    format = models.CharField(max_length=40, blank=True)
    encoding = models.CharField(max_length=20, blank=True)
    kept = models.BooleanField(default=False, help_text="its examples wait for a sample to be drawn; they are no items yet")
    mapping = models.JSONField(default=dict, blank=True, help_text="field of an example → column of the file, or a value")
    created_by = models.ForeignKey("annotation.User", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    imported_at = models.DateTimeField(null=True, blank=True)
    added = models.PositiveIntegerField(default=0)
    known = models.PositiveIntegerField(default=0, help_text="how many of the added items have a known answer")
    already_there = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-created_at", "-pk"]
