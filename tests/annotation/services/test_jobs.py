"""Jobs: progress, cancelling, failing, and coming back after the worker was killed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.errors import AlreadyRunning, DomainError
from annotation.models import Job
from annotation.services import job_kinds, jobs
from annotation.services.jobs import Part, cancel, enqueue, go_on, reap
from annotation.services.running import JobCancelled, JobHandle, run_job

ran: list[dict[str, Any]] = []


def well(job: JobHandle, **arguments: Any) -> dict[str, Any]:
    job.progress(1, 2, "half")
    ran.append(arguments)
    return {"answer": 42}


def refuses(job: JobHandle) -> dict[str, Any]:
    raise DomainError("There is no campaign “x”.")


def breaks(job: JobHandle) -> dict[str, Any]:
    raise KeyError("inside")


def is_cancelled_half_way(job: JobHandle) -> dict[str, Any]:
    cancel(job=Job.objects.get(pk=job.id))
    job.progress(2, 2, "whole")
    raise AssertionError("went on after it was cancelled")


@pytest.fixture(autouse=True)
def kinds(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    for function in (well, refuses, breaks, is_cancelled_half_way):
        monkeypatch.setitem(job_kinds.KINDS, function.__name__, f"{__name__}:{function.__name__}")
    ran.clear()


def queued(kind: str, **arguments: Any) -> Job:
    return Job.objects.create(kind=kind, arguments=arguments)


def run(job: Job) -> Job:
    run_job.call(job.pk, job.attempt)
    job.refresh_from_db()
    return job


def test_a_job_runs_with_its_arguments_and_keeps_its_result() -> None:
    job = run(queued("well", campaign="harbour"))
    assert ran == [{"campaign": "harbour"}]
    assert (job.state, job.result, job.done, job.total, job.attempt) == ("done", {"answer": 42}, 1, 2, 1)
    assert job.finished_at is not None


def test_a_job_that_was_taken_is_not_run_again() -> None:
    job = run(queued("well"))
    run(job)
    assert len(ran) == 1


@pytest.mark.parametrize(
    ("kind", "error"),
    [("refuses", "There is no campaign “x”."), ("breaks", "The job stopped because of a fault in the program (KeyError).")],
)
def test_what_went_wrong_is_said_to_people(kind: str, error: str) -> None:
    job = run(queued(kind))
    assert job.state == "failed"
    assert job.error.startswith(error)


def test_a_running_job_stops_at_its_next_sign_of_progress() -> None:
    assert run(queued("is_cancelled_half_way")).state == "cancelled"


def test_a_waiting_job_is_cancelled_at_once_and_never_runs() -> None:
    job = queued("well")
    cancel(job=job)
    assert run(job).state == "cancelled"
    assert ran == []


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(DomainError, match="no kind of job called"):
        enqueue(kind="dream", arguments={})
    assert not Job.objects.exists()


def lost(kind: str, *, attempt: int, silent: timedelta) -> Job:
    beat = timezone.now() - silent
    return Job.objects.create(kind=kind, state="running", attempt=attempt, heartbeat_at=beat)


def test_a_lost_job_is_run_again_and_a_live_one_is_left_alone(settings: Any, django_capture_on_commit_callbacks: Any) -> None:
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend"}}
    dead, alive = lost("well", attempt=1, silent=jobs.DEAD_AFTER * 2), lost("well", attempt=1, silent=jobs.DEAD_AFTER / 2)
    assert reap() == [dead]
    for job in (dead, alive):
        job.refresh_from_db()
    assert (dead.state, dead.attempt, alive.state, alive.attempt) == ("done", 2, "running", 1)
    assert len(ran) == 1


def test_nobody_is_taken_for_dead_while_the_database_makes_everybody_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process holds the only lock there is: a live worker could not beat either."""
    job = lost("well", attempt=1, silent=jobs.DEAD_AFTER * 2)
    monkeypatch.setattr(jobs, "BUSY_FROM", 0.0)
    assert reap() == []
    job.refresh_from_db()
    assert (job.state, job.attempt) == ("running", 1)


def test_a_job_that_keeps_losing_its_worker_is_given_up() -> None:
    job = lost("well", attempt=jobs.MAX_ATTEMPTS, silent=jobs.DEAD_AFTER * 2)
    assert reap() == []
    job.refresh_from_db()
    assert job.state == "failed"
    assert job.error.startswith("The worker died 3 times")


def test_a_worker_that_wakes_up_after_its_job_was_given_away_stops() -> None:
    job = lost("well", attempt=1, silent=timedelta(0))
    handle = JobHandle(job)
    handle.progress(1, 10, "still here")
    Job.objects.filter(pk=job.pk).update(attempt=2)
    with pytest.raises(JobCancelled):
        JobHandle(job).progress(2, 10, "awake")
    job.refresh_from_db()
    assert (job.attempt, job.done) == (2, 1)


def stopped_worker(job: JobHandle) -> dict[str, Any]:
    raise SystemExit


def test_a_job_whose_worker_is_stopped_waits_for_the_next_one(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}
    monkeypatch.setitem(job_kinds.KINDS, "stopped_worker", f"{__name__}:stopped_worker")
    job = queued("stopped_worker")
    with pytest.raises(SystemExit):
        run(job)
    job.refresh_from_db()
    assert (job.state, job.attempt) == ("queued", 1)


def test_work_of_which_one_at_a_time_is_enough_is_queued_once() -> None:
    first = enqueue(kind="well", arguments={"a": 1}, alone="train:harbour")
    with pytest.raises(AlreadyRunning):
        enqueue(kind="well", arguments={"a": 2}, alone="train:harbour")
    other = enqueue(kind="well", arguments={}, alone="train:bridge")
    assert set(Job.objects.values_list("pk", flat=True)) == {first.pk, other.pk}
    Job.objects.filter(pk=first.pk).update(state=Job.State.DONE)
    assert enqueue(kind="well", arguments={}, alone="train:harbour").pk not in (first.pk, other.pk)


@pytest.fixture
def quiet(settings: Any) -> None:
    """What is sent is run when a test says so."""
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}


def in_parts(*kinds: str) -> tuple[Job, list[Job]]:
    whole = enqueue(kind="well", arguments={"whole": True}, parts=[Part(kind, {}, 5) for kind in kinds])
    return whole, list(whole.parts.order_by("pk"))


def test_a_job_is_begun_when_all_of_its_parts_are_done(quiet: None) -> None:
    whole, (first, second) = in_parts("well", "well")
    assert (whole.state, whole.total, first.total) == ("queued", 10, 5)
    run(first)
    assert run(whole).state == "queued"
    run(second)
    assert ran == [{}, {}]
    assert run(whole).state == "done"
    assert ran == [{}, {}, {"whole": True}]


def test_a_job_whose_part_fails_fails_with_it_and_stops_the_others(quiet: None) -> None:
    whole, parts = in_parts("well", "refuses", "well")
    run(parts[1])
    assert [run(each).state for each in (whole, parts[0], parts[2])] == ["failed", "cancelled", "cancelled"]
    assert whole.error == "There is no campaign “x”."
    assert ran == []


def test_cancelling_a_part_cancels_the_whole_and_the_other_way_round(quiet: None) -> None:
    for place in (0, 1):
        whole, parts = in_parts("well", "well")
        cancel(job=[whole, parts[0]][place])
        assert [run(each).state for each in (whole, *parts)] == ["cancelled"] * 3


def test_a_part_that_lost_its_worker_for_good_ends_the_whole(quiet: None) -> None:
    whole, (first, second) = in_parts("well", "well")
    old = timezone.now() - jobs.DEAD_AFTER * 2
    Job.objects.filter(pk=first.pk).update(state="running", heartbeat_at=old, attempt=jobs.MAX_ATTEMPTS)
    assert reap() == []
    assert [run(each).state for each in (whole, second)] == ["failed", "cancelled"]
    assert whole.error.startswith("The worker died 3 times")


def test_a_whole_that_was_not_told_of_its_last_part_is_sent_by_the_reaper(quiet: None) -> None:
    whole, _ = in_parts("well", "well")
    long_ago = timezone.now() - jobs.RESEND_AFTER * 2
    Job.objects.filter(pk=whole.pk).update(sent_at=long_ago)
    assert reap() == []  # it waits for its parts
    Job.objects.filter(whole=whole).update(state="done")
    assert reap() == [whole]
    assert run(whole).state == "done"


def test_what_is_gone_on_with_has_the_same_parts(quiet: None) -> None:
    whole, parts = in_parts("well", "refuses")
    run(parts[1])
    again = go_on(job=run(whole), by=None)  # type: ignore[arg-type]
    assert [(part.kind, part.total) for part in again.parts.order_by("pk")] == [("well", 5), ("refuses", 5)]
