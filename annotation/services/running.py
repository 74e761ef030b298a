"""Running one job in a worker: claim it, keep it alive, report, finish.

Every write says which attempt it speaks for and only reaches a row that is still running that attempt. So a worker that was
taken for dead (a suspended machine, a long stall) and comes back changes nothing; it learns that it was replaced and stops.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from django_tasks import task

from annotation.models import Job
from annotation.services.job_kinds import function_for

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 5.0
WRITE_EVERY_SECONDS = 0.5
OURS = {"annotation", "attacks", "regressors", "scoring"}


class JobCancelled(Exception):
    """Somebody cancelled the job. Let it pass: the runner records it."""


class JobReplaced(JobCancelled):
    """This attempt no longer owns the job: it was taken for dead and another has been queued."""


class JobHandle:
    """What a job's function sees of its job."""

    def __init__(self, job: Job) -> None:
        self.id: int = job.pk
        self.attempt: int = job.attempt
        self.created_by_id: int | None = job.created_by_id
        self._stop = threading.Event()
        self._last_write = float("-inf")

    def progress(self, done: int, total: int, message: str = "") -> None:
        """Say how far the work has come. Cheap: at most one write in half a second, and always the last one (`done == total`).

        Raises JobCancelled when somebody cancelled the job; let it pass.
        """
        now = time.monotonic()
        if not self._stop.is_set() and done != total and now - self._last_write < WRITE_EVERY_SECONDS:
            return
        self._last_write = now
        self._write(done=max(0, done), total=max(0, total), message=message[:200])
        if self._row().filter(cancel_requested=True).exists():
            raise JobCancelled

    def beat(self) -> None:
        """Show that the worker lives; remember a cancellation for the next call of `progress`."""
        try:
            self._write()
        except JobReplaced:
            self._stop.set()
        else:
            if self._row().filter(cancel_requested=True).exists():
                self._stop.set()

    def _row(self) -> Any:
        return Job.objects.filter(pk=self.id, attempt=self.attempt, state=Job.State.RUNNING)

    def _write(self, **fields: Any) -> None:
        if not self._row().update(heartbeat_at=timezone.now(), **fields):
            raise JobReplaced

    def _end(self, state: Job.State, **fields: Any) -> None:
        self._write(state=state, finished_at=timezone.now(), **fields)


def claim(job_id: int, attempt: int) -> Job | None:
    """Take a queued attempt for this worker, or None when somebody else has it or it is no longer wanted."""
    now = timezone.now()
    waiting = Job.objects.filter(pk=job_id, attempt=attempt, state=Job.State.QUEUED)
    if not waiting.update(state=Job.State.RUNNING, started_at=now, heartbeat_at=now, message="", error=""):
        return None
    return Job.objects.get(pk=job_id)


@contextmanager
def _heartbeat(handle: JobHandle) -> Iterator[None]:
    """Beat from a thread of its own, so that a long step without a report does not look dead."""
    over = threading.Event()

    def beat() -> None:
        while not over.wait(HEARTBEAT_SECONDS):
            try:
                handle.beat()
            except DatabaseError:
                # The database was busy longer than its timeout. One missed beat is harmless; the next comes soon.
                logger.warning("Job %s: a heartbeat could not be written.", handle.id, exc_info=True)
            finally:
                connection.close()

    thread = threading.Thread(target=beat, name=f"heartbeat of job {handle.id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _explanation(error: Exception) -> str:
    """Our own exceptions carry messages written for people; of others, only the kind is told."""
    if type(error).__module__.split(".")[0] in OURS and str(error):
        return str(error)
    return f"The job stopped because of a fault in the program ({type(error).__name__}). The worker's log has the details."


@task()
def run_job(job_id: int, attempt: int) -> None:
    """What a worker does with one message of the queue. A message that comes twice, or too late, does nothing."""
    job = claim(job_id, attempt)
    if job is None:
        logger.info("Job %s, attempt %s: nothing to do (taken, finished or cancelled).", job_id, attempt)
        return
    handle = JobHandle(job)
    try:
        _run(handle, job)
    except JobReplaced:
        logger.warning("Job %s, attempt %s: replaced by a later attempt; its result is dropped.", job_id, attempt)


def _run(handle: JobHandle, job: Job) -> None:
    try:
        with _heartbeat(handle):
            result = function_for(job.kind)(handle, **job.arguments)
        handle._end(Job.State.DONE, result=result)
    except JobReplaced:
        raise
    except JobCancelled:
        handle._end(Job.State.CANCELLED, message="Cancelled.")
    except Exception as error:
        logger.exception("Job %s (%s), attempt %s failed.", job.pk, job.kind, job.attempt)
        handle._end(Job.State.FAILED, error=_explanation(error))
    except BaseException:
        # The worker is being stopped (SystemExit, KeyboardInterrupt), which is no fault of the job: it waits for the next one.
        with transaction.atomic():
            handle._write(state=Job.State.QUEUED, sent_at=timezone.now(), message="Waiting: the worker was stopped.")
            run_job.enqueue(job.pk, job.attempt)
        raise
