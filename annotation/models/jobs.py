"""Jobs: long work that runs outside the web process."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Job(models.Model):
    """One piece of long work. The task queue only carries its number; everything that people see is in this row, so that a
    job whose worker was killed can be found (by its heartbeat) and started again."""

    class State(models.TextChoices):
        QUEUED = "queued", "waiting"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    ACTIVE = ("queued", "running")

    kind = models.CharField(max_length=40, help_text="a key of annotation.services.jobs.KINDS")
    arguments = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    message = models.CharField(max_length=300, blank=True)
    result = models.JSONField(default=dict)
    error = models.TextField(blank=True, help_text="what went wrong, for people; the traceback is in the log")
    attempt = models.PositiveSmallIntegerField(default=0)
    worker = models.CharField(max_length=40, blank=True, help_text="token of the process that runs it")
    cancel_requested = models.BooleanField(default=False)
    created_by = models.ForeignKey("annotation.User", models.PROTECT, null=True, blank=True, related_name="jobs")
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    @property
    def active(self) -> bool:
        return self.state in self.ACTIVE
