"""Work: items, the slots in which judgements are wanted, claims on slots, judgements, decisions."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from .campaigns import Campaign, Label
from .texts import Example, Original, Variant


class Item(models.Model):
    """What is judged once by each of several annotators: one variant, or two of one original."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="items")
    original = models.ForeignKey(Original, models.PROTECT, related_name="items")
    first = models.ForeignKey(Variant, models.PROTECT, related_name="+")
    second = models.ForeignKey(Variant, models.PROTECT, null=True, blank=True, related_name="+")
    example = models.ForeignKey(Example, models.PROTECT, null=True, blank=True, related_name="items")
    number = models.PositiveIntegerField(help_text="position in the source, from 1; stable in every export")
    published_label = models.CharField(max_length=40, blank=True, help_text="the decision that the imported file states")

    class Meta:
        ordering = ["campaign", "number"]
        constraints = [models.UniqueConstraint(fields=["campaign", "number"], name="item_number_once_per_campaign")]


class Slot(models.Model):
    """One wanted judgement of an item. Slots are rows, so redundancy holds per item and never by totals."""

    class State(models.TextChoices):
        OPEN = "open", "open"
        HELD = "held", "held by somebody"
        FILLED = "filled", "answered"

    item = models.ForeignKey(Item, models.CASCADE, related_name="slots")
    position = models.PositiveSmallIntegerField(help_text="1, 2, …; agreement is that of the first two")
    state = models.CharField(max_length=6, choices=State.choices, default=State.OPEN)
    rank = models.FloatField(help_text="random order drawn from the campaign's seed")
    swapped = models.BooleanField(default=False, help_text="the second variant stands on the left")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "position"], name="slot_position_once_per_item")]
        # Claiming asks for the open slots in order of rank; nothing else needs an index of its own.
        indexes = [models.Index(fields=["state", "rank"], name="slot_open_by_rank")]


class Claim(models.Model):
    """An annotator holding a slot until a time. `item`, `original` and `exclusion` repeat what the slot implies: the database
    can only forbid two answers by one person, or two variants of one original, in columns of one table."""

    class State(models.TextChoices):
        LIVE = "live", "being answered"
        ANSWERED = "answered", "answered"
        EXPIRED = "expired", "ran out"
        RELEASED = "released", "given back"

    STANDING = ("live", "answered")

    slot = models.ForeignKey(Slot, models.CASCADE, related_name="claims")
    item = models.ForeignKey(Item, models.CASCADE, related_name="claims")
    original = models.ForeignKey(Original, models.PROTECT, related_name="+")
    annotator = models.ForeignKey("annotation.User", models.PROTECT, related_name="claims")
    exclusion = models.CharField(max_length=100, null=True, help_text="group in which an original is seen once; null: no limit")
    state = models.CharField(max_length=8, choices=State.choices, default=State.LIVE)
    draft = models.JSONField(default=dict)
    claimed_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["slot"], condition=models.Q(state__in=["live", "answered"]), name="claim_one_standing_per_slot"
            ),
            models.UniqueConstraint(
                fields=["item", "annotator"],
                condition=models.Q(state__in=["live", "answered"]),
                name="claim_one_standing_per_item_and_annotator",
            ),
            models.UniqueConstraint(
                fields=["exclusion", "annotator", "original"],
                condition=models.Q(state__in=["live", "answered"], exclusion__isnull=False),
                name="claim_one_variant_per_original_and_annotator",
            ),
        ]
        indexes = [models.Index(fields=["state", "expires_at"], name="claim_live_by_expiry")]


class Judgement(models.Model):
    """An answer. It is never thrown away: one that came too late to count says so in `uncounted`."""

    claim = models.OneToOneField(Claim, models.PROTECT, related_name="judgement")
    label = models.ForeignKey(Label, models.PROTECT, related_name="judgements")
    confidence = models.PositiveSmallIntegerField(null=True)
    comment = models.TextField(blank=True)
    uncounted = models.CharField(max_length=10, blank=True, help_text="empty, or why it does not count: closed, surplus")
    seconds = models.FloatField(null=True, help_text="from the claim to the answer")
    submitted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="judgement_confidence_1_to_5",
                condition=models.Q(confidence__isnull=True) | models.Q(confidence__range=(1, 5)),
            ),
            models.CheckConstraint(
                name="judgement_uncounted_reason", condition=models.Q(uncounted__in=["", "closed", "surplus"])
            ),
        ]


class Decision(models.Model):
    """The item's final label and how it came about. One row per item: the current one."""

    item = models.OneToOneField(Item, models.CASCADE, related_name="decision")
    label = models.ForeignKey(Label, models.PROTECT, null=True, related_name="+")
    value = models.FloatField(null=True, help_text="where the decision is a number, such as a median")
    how = models.CharField(max_length=12, help_text="agreed, majority, confidence, first, unresolved, open, median")
    n_judgements = models.PositiveSmallIntegerField()
    decided_at = models.DateTimeField(default=timezone.now)
