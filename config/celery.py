"""Celery's application. Workers: `celery --app config.celery worker` with the same settings as the web process."""

from __future__ import annotations

import os
from typing import Any

import django
from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

app = Celery("passable", broker=settings.BROKER_URL)
app.conf.update(
    task_ignore_result=True,
    task_default_queue=settings.CELERY_QUEUE,
    # Acknowledged when taken: a job whose worker dies is found by its heartbeat and queued again, once, by the reaper.
    task_acks_late=False,
    worker_prefetch_multiplier=1,
    broker_connection_retry_on_startup=True,
)


@app.task(name="passable.run_task")
def run_task(module_path: str, args: list[Any], kwargs: dict[str, Any]) -> None:
    """Run the task function with that dotted name; only names that carry a task of ours are run."""
    from django.utils.module_loading import import_string
    from django_tasks.base import Task

    task = import_string(module_path)
    if not isinstance(task, Task):
        raise TypeError(f"{module_path} is not a task")
    task.call(*args, **kwargs)
