"""Work that runs in the background, and how far it has come."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class Job(models.Model):
    """One piece of background work.

    The task queue only carries the job's number; everything that must survive a killed worker is in this row.
    A worker owns the row while `state` is running and `attempt` is the one it claimed; whoever sees a heartbeat that has
    stopped may queue the next attempt (`annotation.services.jobs.reap`).
    """

    class State(models.TextChoices):
        QUEUED = "queued", "waiting"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    kind = models.CharField(max_length=40, help_text="a name in annotation.services.job_kinds")
    arguments = models.JSONField(default=dict, blank=True)
    alone = models.CharField(max_length=160, blank=True, help_text="at most one unfinished job has this mark; empty: any number")
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0, help_text="0 while nobody knows how much there is to do")
    message = models.CharField(max_length=200, blank=True)
    attempt = models.PositiveSmallIntegerField(default=1)
    whole = models.ForeignKey(
        "self",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="parts",
        help_text="what this is a part of; that one waits until all of its parts are done",
    )
    cancel_requested = models.BooleanField(default=False)
    result = models.JSONField(null=True, blank=True)
    error = models.TextField(blank=True, help_text="what went wrong, for people; the traceback is in the log")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="jobs")
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(default=timezone.now, help_text="when the task queue was last told of it")
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="job_state_heartbeat")]
        constraints = [
            models.CheckConstraint(
                name="job_state_known", condition=models.Q(state__in=["queued", "running", "done", "failed", "cancelled"])
            ),
            models.CheckConstraint(name="job_attempt_from_one", condition=models.Q(attempt__gte=1)),
            models.UniqueConstraint(
                fields=["alone"],
                condition=models.Q(state__in=["queued", "running"]) & ~models.Q(alone=""),
                name="job_one_unfinished_per_mark",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} ({self.state})"

    @property
    def is_finished(self) -> bool:
        return self.state in (self.State.DONE, self.State.FAILED, self.State.CANCELLED)

    @property
    def percent(self) -> int | None:
        """How much is done, 0–100; None while the total is not known."""
        return min(100, 100 * self.done // self.total) if self.total else None
