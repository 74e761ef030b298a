"""The task queue on Celery, for when one machine is not enough: TASKS_ENGINE=celery and BROKER_URL."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone
from django_tasks.backends.base import BaseTaskBackend
from django_tasks.base import Task, TaskResult, TaskResultStatus
from django_tasks.utils import get_random_id, normalize_json


class CeleryBackend(BaseTaskBackend):
    """Sends the task's dotted name and arguments to Celery. Results are not kept there: a job's own row has them."""

    def enqueue(self, task: Task[Any, Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> TaskResult[Any]:
        from config.celery import run_task

        self.validate_task(task)
        id = get_random_id()
        message = [task.module_path, normalize_json(args), normalize_json(kwargs)]
        # After the commit: a worker that is told earlier may not find the row that the message speaks of.
        transaction.on_commit(lambda: run_task.apply_async(message, task_id=id))
        return TaskResult(
            task=task,
            id=id,
            status=TaskResultStatus.READY,
            enqueued_at=timezone.now(),
            started_at=None,
            last_attempted_at=None,
            finished_at=None,
            args=list(args),
            kwargs=kwargs,
            backend=self.alias,
            errors=[],
            worker_ids=[],
        )
