"""Background jobs: queue one, cancel one, and queue again what a dead worker left behind."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.errors import AlreadyRunning
from annotation.models import Job, User
from annotation.services.job_kinds import check_kind
from scoring.wording import counted

from .running import has_parts_under_way, run_job, settle, stop

MAX_ATTEMPTS = 3
DEAD_AFTER = timedelta(seconds=45)
RESEND_AFTER = timedelta(minutes=5)
BUSY_FROM = 1.0
"""Seconds of waiting for the database after which a missing heartbeat says nothing: it had to wait as well."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a job, which is a job too; `total` is how much there is to do."""

    kind: str
    arguments: dict[str, Any]
    total: int


@transaction.atomic
def enqueue(*, kind: str, arguments: dict[str, Any], by: User | None = None, alone: str = "", parts: Sequence[Part] = ()) -> Job:
    """Queue a job of a registered kind. `arguments` must be JSON.

    `alone` marks work of which one piece at a time is enough: while a job with that mark is unfinished, AlreadyRunning is raised,
    however many ask at once. A job with `parts` is begun when all of them are done. Raises DomainError for an unknown kind.
    """
    for each in {kind, *(part.kind for part in parts)}:
        check_kind(each)
    try:
        with transaction.atomic():
            total = sum(part.total for part in parts)
            job = Job.objects.create(kind=kind, arguments=arguments, created_by=by, alone=alone, total=total)
    except IntegrityError as clash:
        raise AlreadyRunning("This is being done already. Wait until it is finished, or cancel it.") from clash
    for part in parts:
        made = Job.objects.create(kind=part.kind, arguments=part.arguments, created_by=by, total=part.total, whole=job)
        run_job.enqueue(made.pk, made.attempt)
    if not parts:
        run_job.enqueue(job.pk, job.attempt)
    return job


@transaction.atomic
def cancel(*, job: Job) -> Job:
    """Stop a job and its parts: at once what waits, else at its next report of progress. A finished job stays as it is. A part
    takes the whole with it."""
    stop(Job.objects.filter(pk=job.pk))
    stop(job.parts.all())
    job.refresh_from_db()
    if job.whole_id is not None:
        settle(job.whole_id)
    return job


def go_on(*, job: Job, by: User) -> Job:
    """Queue again what an ended job was to do; it finds what that one has done. Raises AlreadyRunning while it is being done."""
    parts = [Part(part.kind, part.arguments, part.total) for part in job.parts.order_by("pk")]
    return enqueue(kind=job.kind, arguments=job.arguments, by=by, alone=job.alone, parts=parts)


def reap(*, dead_after: timedelta = DEAD_AFTER, resend_after: timedelta = RESEND_AFTER) -> list[Job]:
    """Deal with jobs that nobody works on any more; returns those that were queued again.

    A running job without a heartbeat for `dead_after` has lost its worker: it is queued as its next attempt, at most
    MAX_ATTEMPTS in all, since a job that kills its worker would do so for ever. A job that has waited for `resend_after` is
    sent again, in case the queue lost it; a message too many does no harm. Safe to call from several processes.

    Nobody is taken for dead while the database makes everybody wait: that is when a live worker cannot beat either.
    """
    if _waited_for_the_database():
        return []
    now = timezone.now()
    dead = Job.objects.filter(state=Job.State.RUNNING, heartbeat_at__lt=now - dead_after)
    lost = Job.objects.filter(~has_parts_under_way(), state=Job.State.QUEUED, sent_at__lt=now - resend_after)
    again = [job for job in dead.order_by("pk") if _bury(job)]
    for whole in Job.objects.filter(state=Job.State.QUEUED, parts__state__in=(Job.State.FAILED, Job.State.CANCELLED)).distinct():
        settle(whole.pk)
    again += [job for job in lost.order_by("pk") if _send(job, attempt=job.attempt)]
    return again


def _waited_for_the_database() -> bool:
    """Whether a write had to wait for somebody else's. SQLite locks for this one too, though it changes no row."""
    asked = time.monotonic()
    Job.objects.filter(pk=0).update(attempt=1)
    return time.monotonic() - asked >= BUSY_FROM


def _bury(job: Job) -> bool:
    """End or queue again a job whose worker is gone; True when it was queued."""
    if job.cancel_requested:
        _unchanged(job).update(state=Job.State.CANCELLED, finished_at=timezone.now(), message="Cancelled.")
        return False
    if job.attempt >= MAX_ATTEMPTS:
        error = (
            f"The worker died {counted(job.attempt, 'time')} while it ran this job, so it is not tried again. "
            "It may need more memory than there is."
        )
        _unchanged(job).update(state=Job.State.FAILED, finished_at=timezone.now(), error=error)
        return False
    return _send(job, attempt=job.attempt + 1)


@transaction.atomic
def _send(job: Job, *, attempt: int) -> bool:
    changed = _unchanged(job).update(
        state=Job.State.QUEUED, attempt=attempt, sent_at=timezone.now(), message="Waiting to go on." if attempt > 1 else ""
    )
    if changed:
        run_job.enqueue(job.pk, attempt)
        job.refresh_from_db()
    return bool(changed)


def _unchanged(job: Job) -> Any:
    """The row, if nobody has touched it since it was read: only one of several reapers gets it."""
    return Job.objects.filter(pk=job.pk, state=job.state, attempt=job.attempt, heartbeat_at=job.heartbeat_at, sent_at=job.sent_at)
