"""The same task function on Celery, with a real worker and broker."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WITHIN = 90.0

ENQUEUE = """
import django; django.setup()
from annotation.services.jobs import enqueue
print(enqueue(kind="train", arguments={"campaign": "nowhere", "seed": 0, "name": "m"}).pk)
"""
READ = """
import django; django.setup()
from annotation.models import Job
job = Job.objects.get()
print(job.state, job.attempt, job.error, sep="|")
"""


@pytest.mark.broker
def test_a_job_goes_through_the_broker_to_a_celery_worker(broker_url: str, tmp_path: Path) -> None:
    queue = f"passable-test-{uuid.uuid4().hex}"
    environment = {
        **os.environ,
        "PASSABLE_DATA": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}",
        "TASKS_ENGINE": "celery",
        "BROKER_URL": broker_url,
        "CELERY_QUEUE": queue,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }

    def python(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments], env=environment, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
        )
        return done.stdout.strip()

    python("manage.py", "migrate", "--verbosity", "0")
    python("-c", ENQUEUE)
    worker = subprocess.Popen(
        [sys.executable, "-m", "celery", "--app", "config.celery", "worker", "--pool", "solo", "--loglevel", "ERROR"],
        env=environment,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + WITHIN
        while (row := python("-c", READ)).startswith(("queued", "running")) and time.monotonic() < deadline:
            time.sleep(0.5)
    finally:
        worker.terminate()
        worker.wait(timeout=20)
    state, attempt, error = row.split("|")
    assert (state, attempt) == ("failed", "1")
    assert "nowhere" in error
