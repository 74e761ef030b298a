"""/api/jobs/: one's own jobs; those of a campaign for its organisers."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Campaign, Job, User
from annotation.services.jobs import enqueue

from .conftest import NO_TOKEN, NOT_FOUND, WRONG_METHOD, Caller, problem


@pytest.fixture
def job(campaign: Campaign, organiser: User) -> Job:
    return enqueue(kind="train", arguments={"campaign": "harbour"}, by=organiser)


def test_the_list_holds_the_callers_own(job: Job, organiser: User, other_organiser: User, calling: Caller) -> None:
    theirs = enqueue(kind="train", arguments={"campaign": "elsewhere"}, by=other_organiser)
    lists = [[row["id"] for row in calling(who).get("/api/jobs/").json()["results"]] for who in (organiser, other_organiser)]
    assert lists == [[job.pk], [theirs.pk]]


def test_a_job_says_how_far_it_is(job: Job, organiser: User, calling: Caller) -> None:
    Job.objects.filter(pk=job.pk).update(done=3, total=12, state="running")
    body = calling(organiser).get(f"/api/jobs/{job.pk}/").json()
    assert [body[key] for key in ("id", "kind", "state", "percent", "arguments")] == [
        job.pk, "train", "running", 25, {"campaign": "harbour"},
    ]  # fmt: skip


def test_a_waiting_job_is_stopped_at_once(job: Job, organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    assert [client.post(f"/api/jobs/{job.pk}/cancel/").json()["state"] for _ in range(2)] == ["cancelled"] * 2


def test_a_job_of_others_does_not_exist(job: Job, strangers: list[Client]) -> None:
    for stranger in strangers:
        assert problem(stranger.get(f"/api/jobs/{job.pk}/")) == NOT_FOUND
        assert problem(stranger.post(f"/api/jobs/{job.pk}/cancel/")) == NOT_FOUND
        assert stranger.get("/api/jobs/").json()["results"] == []
    job.refresh_from_db()
    assert job.state == "queued"


@pytest.mark.parametrize("pk", ["0", "-1", "x", "99999999999999999999999999"])
def test_an_id_that_is_none_is_not_found(pk: str, job: Job, organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    assert [problem(client.get(f"/api/jobs/{pk}/")), problem(client.post(f"/api/jobs/{pk}/cancel/"))] == [NOT_FOUND] * 2


def test_other_methods_are_refused(job: Job, organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    knocks = [client.post("/api/jobs/"), client.delete(f"/api/jobs/{job.pk}/"), client.get(f"/api/jobs/{job.pk}/cancel/")]
    assert [problem(knock) for knock in knocks] == [WRONG_METHOD] * 3


def test_nobody_comes_in_without_a_token(job: Job, client: Client) -> None:
    knocks = [client.get("/api/jobs/"), client.get(f"/api/jobs/{job.pk}/"), client.post(f"/api/jobs/{job.pk}/cancel/")]
    assert [problem(knock) for knock in knocks] == [NO_TOKEN] * 3


def test_queries_do_not_grow_with_the_list(campaign: Campaign, organiser: User, calling: Caller) -> None:
    client, counts = calling(organiser), []
    for wanted in (1, 3, 30):
        for _ in range(wanted - Job.objects.count()):
            enqueue(kind="train", arguments={"campaign": "harbour"}, by=organiser)
        with CaptureQueriesContext(connection) as captured:
            assert len(client.get("/api/jobs/").json()["results"]) == wanted
        counts.append(len(captured))
    assert len(set(counts)) == 1, counts
