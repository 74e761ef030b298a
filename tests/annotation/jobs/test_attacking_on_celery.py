"""A divided attack on two real Celery workers, one of which is killed in the middle: the run ends complete, nothing doubled."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
WITHIN = 240.0

START = """
import django; django.setup()
from pathlib import Path
from annotation.models import User
from annotation.services.attacking import AttackWanted, start_attack
from tests.annotation.attacks_made import keep_small_victim
from annotation.services.attacking import keep_task
keep_task(folder=Path("attacks/tasks/headlines"), name="headlines")
keep_small_victim()
wanted = AttackWanted(name="divided", task="headlines", victim="small", attacker="genetic", parameters={}, texts=12, parts=4)
start_attack(wanted=wanted, by=User.objects.create(username="olga", is_organiser=True))
"""
READ = """
import django; django.setup()
from annotation.models import Job
for job in Job.objects.order_by("pk"): print(job.kind, job.state, job.attempt, job.done, job.error, sep="|")
"""
REAP = """
import django; django.setup()
from datetime import timedelta
from annotation.services.jobs import reap
reap(dead_after=timedelta(seconds=12))
"""
RESULT = """
import django; django.setup()
from pathlib import Path
from annotation.models import AttackRun, Outcome
run = AttackRun.objects.get()
print(list(run.outcomes.order_by("number").values_list("number", flat=True)))
print(len((Path(run.folder) / "results.jsonl").read_text().splitlines()), run.summary["statuses"]["error"])
"""


def wait(until: Callable[[], bool], each: Callable[[], object] = lambda: None) -> None:
    deadline = time.monotonic() + WITHIN
    while not until():
        assert time.monotonic() < deadline, "it takes too long"
        each()
        time.sleep(0.5)


@pytest.mark.broker
@pytest.mark.slow
def test_a_divided_attack_survives_the_death_of_a_worker(broker_url: str, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PASSABLE_DATA": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}",
        "TASKS_ENGINE": "celery",
        "BROKER_URL": broker_url,
        "CELERY_QUEUE": f"passable-test-{uuid.uuid4().hex}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LOG_LEVEL": "ERROR",
    }

    def python(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments], env=environment, cwd=ROOT, capture_output=True, text=True, check=True, timeout=90
        )
        return done.stdout.strip()

    def worker(name: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "celery", "--app", "config.celery", "worker", "--pool", "solo", "--loglevel", "ERROR",
             "--hostname", f"{name}@%h"],
            env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def jobs() -> list[list[str]]:
        return [line.split("|") for line in python("-c", READ).splitlines()]

    python("manage.py", "migrate", "--verbosity", "0")
    python("-c", START)
    workers = [worker("first"), worker("second")]
    try:
        # Killed as soon as both are at work on a part.
        wait(lambda: sum(state == "running" for _, state, *_ in jobs()) == 2)
        workers[0].send_signal(signal.SIGKILL)
        wait(lambda: jobs()[0][1] not in ("queued", "running"), each=lambda: python("-c", REAP))
    finally:
        for each in workers:
            each.terminate()
            each.wait(timeout=30)
    whole, *parts = jobs()
    assert (whole[:2], whole[4]) == (["attack", "done"], "")
    assert sorted(attempt for _, _, attempt, *_ in parts) == ["1", "1", "1", "2"]
    numbers, counts = python("-c", RESULT).splitlines()
    assert numbers == str(list(range(1, 13)))
    assert counts == "12 0"
