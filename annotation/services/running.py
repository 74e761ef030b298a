"""Running one job in a worker: claim it, keep it alive, report, finish.

Every write says which attempt it speaks for and only reaches a row that is still running that attempt. So a worker that was
taken for dead (a suspended machine, a long stall) and comes back changes nothing; it learns that it was replaced and stops.

A job may be a part of another, which waits in the queue until all of its parts are done, and ends with the first that is not:
then no worker has to wait, and one alone gets through all of them.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, OuterRef, QuerySet, Sum
from django.utils import timezone
from django_tasks import task

from annotation.models import Job
from annotation.services.job_kinds import function_for
from scoring.wording import counted

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 5.0
WRITE_EVERY_SECONDS = 0.5
UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)
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
        self.whole_id: int | None = job.whole_id
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
        if self.whole_id is not None:
            _add_up(self.whole_id)
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
        if self.whole_id is not None:
            settle(self.whole_id)


def has_parts_under_way() -> Exists:
    """Whether a job waits for some of its parts, as a condition."""
    return Exists(Job.objects.filter(whole=OuterRef("pk"), state__in=UNFINISHED))


def settle(whole_id: int) -> None:
    """See to a job that waits for its parts: send it when all of them are done, end it when one of them has ended otherwise, and
    the others with it. However often and by whomever it is called, it is begun once."""
    waiting = Job.objects.filter(pk=whole_id, state=Job.State.QUEUED)
    parts = Job.objects.filter(whole=whole_id)
    ended = parts.filter(state__in=(Job.State.FAILED, Job.State.CANCELLED)).order_by("state", "pk").last()
    if ended is not None:
        what = {"state": ended.state, "error": ended.error, "message": ended.message, "finished_at": timezone.now()}
        waiting.update(**what)
        stop(parts)
    elif not parts.exclude(state=Job.State.DONE).exists():
        with transaction.atomic():
            if waiting.update(sent_at=timezone.now()):
                run_job.enqueue(whole_id, Job.objects.get(pk=whole_id).attempt)


def stop(jobs: QuerySet[Job]) -> None:
    """Cancel those of the jobs that wait; the others stop at their next report of progress."""
    jobs.filter(state=Job.State.QUEUED).update(
        state=Job.State.CANCELLED, cancel_requested=True, finished_at=timezone.now(), message="Cancelled."
    )
    jobs.filter(state=Job.State.RUNNING).update(cancel_requested=True)


def _add_up(whole_id: int) -> None:
    """Say of a job how far its parts are."""
    parts = Job.objects.filter(whole=whole_id)
    so_far = parts.aggregate(done=Sum("done"), total=Sum("total"))
    finished = parts.filter(state=Job.State.DONE).count()
    message = f"{finished:,} of {counted(parts.count(), 'part')} done"
    Job.objects.filter(pk=whole_id, state=Job.State.QUEUED).update(**so_far, message=message)


def claim(job_id: int, attempt: int) -> Job | None:
    """Take a queued attempt for this worker, or None when somebody else has it or it is no longer wanted."""
    now = timezone.now()
    waiting = Job.objects.filter(~has_parts_under_way(), pk=job_id, attempt=attempt, state=Job.State.QUEUED)
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
