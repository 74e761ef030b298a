"""An installation of its own whose jobs are done by Celery workers, in processes that tests start."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]


class JobRow(NamedTuple):
    """What the tests look at of a job."""

    kind: str
    state: str
    attempt: int
    error: str


class CeleryInstallation:
    """A data folder with a copy of the `migrated` database, and a queue at the broker that nobody else reads."""

    def __init__(self, folder: Path, migrated: Path, broker_url: str) -> None:
        self._database = folder / "db.sqlite3"
        shutil.copy(migrated, self._database)
        self.environment = {
            **os.environ,
            "PASSABLE_DATA": str(folder),
            "DATABASE_URL": f"sqlite:///{self._database}",
            "TASKS_ENGINE": "celery",
            "BROKER_URL": broker_url,
            "CELERY_QUEUE": f"passable-test-{uuid.uuid4().hex}",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LOG_LEVEL": "ERROR",
        }

    def python(self, code: str) -> str:
        """What the code prints."""
        done = subprocess.run(
            [sys.executable, "-c", code], env=self.environment, cwd=ROOT, capture_output=True, text=True, check=True, timeout=90
        )
        return done.stdout.strip()

    def jobs(self) -> list[JobRow]:
        """All jobs, the oldest first: read without Django, which takes a second to start each time that one looks."""
        with closing(sqlite3.connect(self._database, timeout=60)) as database:
            rows = database.execute("SELECT kind, state, attempt, error FROM annotation_job ORDER BY id").fetchall()
        return [JobRow(*row) for row in rows]

    @contextmanager
    def working(self, *names: str, beside: str = "") -> Iterator[list[subprocess.Popen[bytes]]]:
        """Workers of these names, and a process that runs the code `beside`, if there is any."""
        celery = ["-m", "celery", "--app", "config.celery", "worker", "--pool", "solo", "--loglevel", "ERROR", "--hostname"]
        commands = [[*celery, f"{name}@%h"] for name in names] + ([["-c", beside]] if beside else [])
        processes = [
            subprocess.Popen(
                [sys.executable, *command],
                env=self.environment,
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for command in commands
        ]
        try:
            yield processes
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait(timeout=30)


def wait(until: Callable[[], bool], *, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.1)
