"""Work: items, the slots in which judgements are wanted, claims on slots, judgements, decisions."""

from __future__ import annotations

from typing import TypeVar

from django.db import models
from django.utils import timezone

from .batches import Batch
from .campaigns import Campaign, Label
from .texts import Example, Original, Variant

Row = TypeVar("Row", bound=models.Model, covariant=True)


class SeenItems(models.Manager[Row]):
    """The items that there are for everybody: not those of an import that is not finished."""

    def get_queryset(self) -> models.QuerySet[Row]:
        # No join: the few batches are looked up once, and the items' own indexes serve as ever.
        return super().get_queryset().exclude(batch__in=Batch.objects.filter(state__in=Batch.UNSEEN).values("pk"))


class Item(models.Model):
    """What is judged once by each of several annotators: one variant, or two of one original.

    Only items for *work* count: those for training, test and attention have a known answer (`gold`), are met by every
    annotator in slots made when they are handed out, and stay out of every figure, quota and export of decisions.

    The last columns repeat what the item's original, slots, answers and decision say. Lists filter and count by them: with
    100,000 items, asking the other tables would take seconds. `services.deciding` keeps them, and nobody else writes them.
    """

    class Use(models.TextChoices):
        WORK = "work", "work"
        TRAINING = "training", "training"
        TEST = "test", "test"
        ATTENTION = "attention", "attention check"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="items")
    original = models.ForeignKey(Original, models.PROTECT, related_name="items")
    first = models.ForeignKey(Variant, models.PROTECT, related_name="+")
    second = models.ForeignKey(Variant, models.PROTECT, null=True, blank=True, related_name="+")
    example = models.ForeignKey(Example, models.PROTECT, null=True, blank=True, related_name="items")
    number = models.PositiveIntegerField(help_text="position in the source, from 1; stable in every export")
    published_label = models.CharField(max_length=40, blank=True, help_text="the decision that the imported file states")
    use = models.CharField(max_length=9, choices=Use.choices, default=Use.WORK)
    gold = models.ForeignKey(Label, models.PROTECT, null=True, blank=True, related_name="+", help_text="the known answer")
    explanation = models.TextField(blank=True, help_text="why the known answer is right; shown in training")
    made_by = models.CharField(max_length=60, blank=True, help_text="kind of the judged variant: an attacker, a team, 'original'")
    group = models.ForeignKey("annotation.Group", models.PROTECT, null=True, blank=True, related_name="items")
    batch = models.ForeignKey(
        Batch,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text="items that are seen together",
    )
    repeated = models.BooleanField(
        default=False, help_text="an anchor: whoever judged this same text in a linked campaign may judge it again"
    )
    content_sha256 = models.CharField(max_length=64, blank=True, help_text="of the judged texts and who made them")
    edits = models.JSONField(null=True, help_text="of the judged text against its original, by kind; null where it is not known")
    character_score = models.FloatField(null=True, help_text="BODEGA's, of the judged text against its original")

    task = models.CharField(max_length=40, blank=True, help_text="the original's")
    wanted = models.PositiveSmallIntegerField(default=0, help_text="how many slots there are")
    answered = models.PositiveSmallIntegerField(default=0, help_text="how many answers count")
    complete = models.BooleanField(default=False, help_text="every slot is answered, and there is one")
    disagreed = models.BooleanField(default=False, help_text="the answers that everybody is asked for do not all say the same")
    agreement = models.FloatField(
        null=True, help_text="of these answers: 1 if all are equal, 0 if no two have anything in common"
    )
    how = models.CharField(max_length=12, blank=True, help_text="the decision's; empty without one")
    decided = models.ForeignKey(Label, models.PROTECT, null=True, blank=True, related_name="+", db_index=False)

    objects = SeenItems()
    every: models.Manager[Item] = models.Manager()
    """Those too that an unfinished import has written."""

    class Meta:
        ordering = ["campaign", "number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="item_number_once_per_campaign"),
            models.CheckConstraint(
                name="item_gold_unless_work",
                condition=models.Q(use__in=["work", "training", "test", "attention"])
                & (models.Q(use="work") | models.Q(gold__isnull=False)),
            ),
        ]
        indexes = [
            models.Index(fields=["campaign", "use", "number"], name="item_by_use"),
            models.Index(fields=["campaign", "made_by", "number"], name="item_by_maker"),
            models.Index(fields=["campaign", "content_sha256"], name="item_by_content"),
            models.Index(fields=["campaign", "task", "number"], name="item_by_task"),
            models.Index(fields=["campaign", "complete", "number"], name="item_by_completeness"),
            models.Index(fields=["campaign", "how", "number"], name="item_by_how"),
            models.Index(fields=["campaign", "decided", "number"], name="item_by_decision"),
            # Counting reads this index and nothing else.
            models.Index(
                fields=["campaign", "use", "complete", "how", "disagreed", "wanted", "answered", "batch"], name="item_counts"
            ),
            models.Index(fields=["campaign", "number"], condition=models.Q(disagreed=True), name="item_disagreed"),
        ]


class Slot(models.Model):
    """One wanted judgement of an item. Slots are rows, so redundancy holds per item and never by totals.

    A closed slot that is not `extra` has not been opened yet: an import is writing its item."""

    class State(models.TextChoices):
        OPEN = "open", "open"
        HELD = "held", "held by somebody"
        FILLED = "filled", "answered"
        CLOSED = "closed", "not wanted any more"

    item = models.ForeignKey(Item, models.CASCADE, related_name="slots")
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="slots", help_text="the item's")
    position = models.PositiveSmallIntegerField(help_text="1, 2, …; agreement is that of the first two that count")
    state = models.CharField(max_length=6, choices=State.choices, default=State.OPEN)
    rank = models.FloatField(help_text="random order drawn from the campaign's seed")
    swapped = models.BooleanField(default=False, help_text="the second variant stands on the left")
    extra = models.BooleanField(default=False, help_text="wanted because the first answers differed, not from the start")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "position"], name="slot_position_once_per_item")]
        # Claiming asks for a campaign's open slots in order of rank and takes the first: it must not read the others, nor those
        # of other campaigns. That is why a slot repeats its item's campaign.
        indexes = [models.Index(fields=["campaign", "state", "rank", "position"], name="slot_by_state_and_rank")]


class Claim(models.Model):
    """An annotator holding a slot until a time. `item`, `original` and `exclusion` repeat what the slot implies: the database
    can only forbid two answers by one person, or two variants of one original, in columns of one table. `campaign` and `use`
    repeat it so that a person's answers are counted from one index."""

    class State(models.TextChoices):
        LIVE = "live", "being answered"
        ANSWERED = "answered", "answered"
        LATE = "late", "answered too late to count"
        EXPIRED = "expired", "ran out"
        RELEASED = "released", "given back"
        SKIPPED = "skipped", "skipped"

    class SkipReason(models.TextChoices):
        UNCLEAR = "unclear", "I cannot tell"
        DISTRESSING = "distressing", "I would rather not read this"
        BROKEN = "broken", "The text is not displayed properly"
        LANGUAGE = "language", "I do not know the language or the subject well enough"
        OTHER = "other", "Another reason"

    STANDING = ("live", "answered")
    GIVEN = ("answered", "late")
    """States in which there is a judgement."""

    slot = models.ForeignKey(Slot, models.CASCADE, related_name="claims")
    item = models.ForeignKey(Item, models.CASCADE, related_name="claims")
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="claims", help_text="the item's")
    use = models.CharField(max_length=9, choices=Item.Use.choices, default=Item.Use.WORK, help_text="the item's")
    original = models.ForeignKey(Original, models.PROTECT, related_name="+")
    annotator = models.ForeignKey("annotation.User", models.PROTECT, related_name="claims")
    exclusion = models.CharField(max_length=100, null=True, help_text="group in which an original is seen once; null: no limit")
    state = models.CharField(max_length=8, choices=State.choices, default=State.LIVE)
    skip_reason = models.CharField(max_length=11, choices=SkipReason.choices, blank=True)
    skip_note = models.TextField(blank=True)
    draft = models.JSONField(default=dict)
    claimed_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(null=True, blank=True, help_text="last sign of life of the annotator's page")
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
        indexes = [
            models.Index(fields=["campaign", "state", "expires_at"], name="claim_by_expiry"),
            models.Index(fields=["annotator", "campaign", "state", "use"], name="claim_by_annotator_and_state"),
            models.Index(fields=["campaign", "claimed_at", "state", "use"], name="claim_by_time"),
            # Few are skipped, which SQLite does not know: it would read every claim of the campaign to count them.
            models.Index(fields=["campaign", "item"], condition=models.Q(state="skipped"), name="claim_skipped"),
        ]


class Judgement(models.Model):
    """An answer: a label, or (mark words) a list of word positions. It is never thrown away: one that does not count says why in
    `uncounted`. Taking an answer back and giving another keeps the earlier one in `EarlierAnswer`."""

    class Uncounted(models.TextChoices):
        CLOSED = "closed", "it came after the campaign had closed"
        SURPLUS = "surplus", "others had answered the item before it came"
        EXCLUDED = "excluded", "an organiser took it out"

    claim = models.OneToOneField(Claim, models.PROTECT, related_name="judgement")
    label = models.ForeignKey(Label, models.PROTECT, null=True, blank=True, related_name="judgements")
    words = models.JSONField(null=True, blank=True, help_text="positions of the marked words, from 0, ascending")
    confidence = models.PositiveSmallIntegerField(null=True)
    comment = models.TextField(blank=True)
    uncounted = models.CharField(
        max_length=10, blank=True, choices=Uncounted.choices, help_text="empty, or why it does not count"
    )
    seconds = models.FloatField(null=True, help_text="from the claim to the answer, by the server's clock")
    active_seconds = models.FloatField(null=True, help_text="in front of the page, by the browser, idle time cut")
    submitted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="judgement_confidence_1_to_5",
                condition=models.Q(confidence__isnull=True) | models.Q(confidence__range=(1, 5)),
            ),
            models.CheckConstraint(
                name="judgement_uncounted_reason", condition=models.Q(uncounted__in=["", "closed", "surplus", "excluded"])
            ),
            models.CheckConstraint(
                name="judgement_label_or_words",
                condition=models.Q(label__isnull=False, words__isnull=True) | models.Q(label__isnull=True, words__isnull=False),
            ),
        ]


class EarlierAnswer(models.Model):
    """What a judgement said before its author changed it. Goes with the judgement when its author withdraws."""

    judgement = models.ForeignKey(Judgement, models.CASCADE, related_name="earlier")
    number = models.PositiveSmallIntegerField(help_text="1 for the first answer given")
    label = models.ForeignKey(Label, models.PROTECT, null=True, blank=True, related_name="+")
    words = models.JSONField(null=True, blank=True)
    confidence = models.PositiveSmallIntegerField(null=True)
    comment = models.TextField(blank=True)
    seconds = models.FloatField(null=True)
    active_seconds = models.FloatField(null=True)
    submitted_at = models.DateTimeField()

    class Meta:
        ordering = ["judgement", "number"]
        constraints = [models.UniqueConstraint(fields=["judgement", "number"], name="earlier_answer_number_once")]


class Flag(models.Model):
    """A note by an annotator that something is wrong with an item; an organiser resolves it."""

    item = models.ForeignKey(Item, models.CASCADE, related_name="flags")
    user = models.ForeignKey("annotation.User", models.PROTECT, related_name="+")
    text = models.TextField()
    made_at = models.DateTimeField(default=timezone.now)
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolved_by = models.ForeignKey("annotation.User", models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["made_at", "pk"]


class Ruling(models.Model):
    """What an adjudicator decided, having seen the answers in `basis`. It is never overwritten: a later ruling supersedes it, and
    when the answers are no longer those in `basis` the decision that it made is stale."""

    item = models.ForeignKey(Item, models.CASCADE, related_name="rulings")
    by = models.ForeignKey("annotation.User", models.PROTECT, related_name="+")
    label = models.ForeignKey(Label, models.PROTECT, related_name="+")
    note = models.TextField(blank=True)
    seconds = models.FloatField(null=True)
    basis = models.JSONField(default=list, help_text="[[judgement id, label key], …] that were seen")
    made_at = models.DateTimeField(default=timezone.now)
    superseded = models.BooleanField(default=False)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["item"], condition=models.Q(superseded=False), name="ruling_one_current_per_item")
        ]


class Decision(models.Model):
    """The item's final label and how it came about. One row per item: the current one."""

    item = models.OneToOneField(Item, models.CASCADE, related_name="decision")
    label = models.ForeignKey(Label, models.PROTECT, null=True, related_name="+")
    value = models.FloatField(null=True, help_text="where the decision is a number: a median, a share of votes")
    how = models.CharField(
        max_length=12, help_text="agreed, majority, confidence, first, unresolved, open, median, share, adjudicated"
    )
    stale = models.BooleanField(default=False, help_text="a person decided it, and the answers have changed since")
    n_judgements = models.PositiveSmallIntegerField()
    decided_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(fields=["how"], name="decision_by_how"),
            models.Index(fields=["item"], condition=models.Q(stale=True), name="decision_stale"),
        ]
