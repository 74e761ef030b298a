"""Starting, watching, cancelling and rescuing jobs."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.db import connections, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.module_loading import import_string
from django_tasks import task

from annotation.errors import DomainError
from annotation.models import Job, User

KINDS: dict[str, str] = {
    "demo": "annotation.jobs.demo.run",
    "train": "annotation.jobs.training.run",
}
"""Which function does which kind of job. Names, not functions: the web process must not import what the work needs."""

BEAT = 5.0
"""Seconds between two heartbeats of a running job."""
STALE = timedelta(seconds=30)
"""A job whose heart has not beaten for so long has lost its worker."""
MOST_ATTEMPTS = 3
WRITE_EVERY = 0.5
"""Seconds between two writes of progress, so that a fast loop does not wait for the database."""

log = logging.getLogger(__name__)


class JobCancelled(Exception):
    """Somebody asked the job to stop, or it was given to another worker."""


def enqueue(*, kind: str, arguments: Mapping[str, Any], by: User | None = None) -> Job:
    """Queue a job of a registered kind."""
    if kind not in KINDS:
        raise DomainError(f"There is no job of the kind “{kind}”.")
    job = Job.objects.create(kind=kind, arguments=dict(arguments), created_by=by, message="waiting for the worker")
    transaction.on_commit(lambda: run_job.enqueue(job.pk))
    return job


@transaction.atomic
def cancel(*, job: Job) -> None:
    """Stop the job: at once while it waits, at its next sign of progress while it runs."""
    waiting = Job.objects.filter(pk=job.pk, state=Job.State.QUEUED)
    if not waiting.update(state=Job.State.CANCELLED, message="cancelled", finished_at=timezone.now()):
        Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(cancel_requested=True)


def reap() -> list[Job]:
    """Queue again the running jobs whose worker is gone; give up on those that lost it too often. Returns those queued."""
    rescued = []
    for job in Job.objects.filter(state=Job.State.RUNNING, heartbeat_at__lt=timezone.now() - STALE):
        # Conditional on what was read: two reapers, or a worker that finished meanwhile, do no harm.
        same = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, worker=job.worker, heartbeat_at=job.heartbeat_at)
        if job.cancel_requested:
            same.update(state=Job.State.CANCELLED, message="cancelled", finished_at=timezone.now())
        elif job.attempt >= MOST_ATTEMPTS:
            error = f"The worker was lost {job.attempt} times while doing this. Look at its log, then start the job again."
            same.update(state=Job.State.FAILED, error=error, finished_at=timezone.now())
        elif same.update(state=Job.State.QUEUED, worker="", message="the worker was lost; waiting for another"):
            run_job.enqueue(job.pk)
            rescued.append(job)
    return rescued


@task()
def run_job(job_id: int) -> None:
    """Do the job, unless another worker has it or it was cancelled meanwhile."""
    token = secrets.token_hex(16)
    now = timezone.now()
    mine = Job.objects.filter(pk=job_id, state=Job.State.QUEUED).update(
        state=Job.State.RUNNING, worker=token, attempt=F("attempt") + 1, started_at=now, heartbeat_at=now
    )
    if mine:
        handle = JobHandle(job_id, token)
        with _Heart(handle):
            _work(handle)


class JobHandle:
    """What the running function has of its job."""

    def __init__(self, job_id: int, token: str) -> None:
        self.job_id = job_id
        self._token = token
        self._written = 0.0

    def mine(self) -> Any:
        """The job's row as a queryset, as long as this worker is the one that runs it."""
        return Job.objects.filter(pk=self.job_id, worker=self._token, state=Job.State.RUNNING)

    def progress(self, done: int, total: int, message: str) -> None:
        """Say how far the work is. Raises JobCancelled when it has to stop."""
        now = time.monotonic()
        if now - self._written < WRITE_EVERY and done < total:
            return
        self._written = now
        written = self.mine().filter(cancel_requested=False)
        if not written.update(done=done, total=total, message=message[:300], heartbeat_at=timezone.now()):
            raise JobCancelled


def _work(handle: JobHandle) -> None:
    job = Job.objects.get(pk=handle.job_id)
    run: Callable[..., dict[str, Any]] = import_string(KINDS[job.kind])
    try:
        result = run(handle, **job.arguments)
    except JobCancelled:
        _end(handle, Job.State.CANCELLED, message="cancelled")
    except Exception as problem:
        log.exception("job %s (%s) failed", job.pk, job.kind)
        _end(handle, Job.State.FAILED, error=_for_people(problem))
    else:
        _end(handle, Job.State.DONE, result=result, message="done", done=F("total"))


def _end(handle: JobHandle, state: Job.State, **fields: Any) -> None:
    handle.mine().update(state=state, finished_at=timezone.now(), **fields)


def _for_people(problem: Exception) -> str:
    if isinstance(problem, (DomainError, ValueError)):
        return str(problem)
    return f"Something inside Passable failed ({type(problem).__name__}: {problem}). The worker's log has the details."


class _Heart:
    """Beats in a thread of its own, so that a long step without progress does not look dead."""

    def __init__(self, handle: JobHandle) -> None:
        self._handle = handle
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while not self._stop.wait(BEAT):
                self._handle.mine().update(heartbeat_at=timezone.now())
        finally:
            connections.close_all()
