"""The Celery backend tells workers of a job only once they can see it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction

from annotation.models import Job
from annotation.services.jobs import enqueue


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[list[Any]]:
    """What went to the broker, in order."""
    from config.celery import run_task

    settings.TASKS = {"default": {"BACKEND": "config.task_backends.CeleryBackend"}}
    messages: list[list[Any]] = []
    monkeypatch.setattr(run_task, "apply_async", lambda message, task_id: messages.append(message))
    return messages


@pytest.mark.django_db(transaction=True)
def test_a_job_is_published_after_the_commit(published: list[list[Any]]) -> None:
    with transaction.atomic():
        job = enqueue(kind="train", arguments={})
        assert published == []
    assert published == [["annotation.services.running.run_job", [job.pk, 1], {}]]


@pytest.mark.django_db(transaction=True)
def test_a_job_that_was_rolled_back_is_not_published(published: list[list[Any]]) -> None:
    with transaction.atomic():
        enqueue(kind="train", arguments={})
        transaction.set_rollback(True)
    assert published == []
    assert not Job.objects.exists()
