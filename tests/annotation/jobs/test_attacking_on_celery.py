"""A divided attack on two real Celery workers, one of which is killed in the middle: the run ends complete, nothing doubled."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.on_celery import CeleryInstallation, wait

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
REAP = """
import django; django.setup()
import time
from datetime import timedelta
from annotation.services.jobs import reap
while True:
    reap(dead_after=timedelta(seconds=12))
    time.sleep(0.5)
"""
RESULT = """
import django; django.setup()
from pathlib import Path
from annotation.models import AttackRun, Outcome
run = AttackRun.objects.get()
print(list(run.outcomes.order_by("number").values_list("number", flat=True)))
print(len((Path(run.folder) / "results.jsonl").read_text().splitlines()), run.summary["statuses"]["error"])
"""


@pytest.mark.broker
@pytest.mark.slow
def test_a_divided_attack_survives_the_death_of_a_worker(broker_url: str, tmp_path: Path, migrated: Path) -> None:
    installation = CeleryInstallation(tmp_path, migrated, broker_url)
    installation.python(START)
    with installation.working("first", "second", beside=REAP) as (first, *_):
        # Killed as soon as both are at work on a part.
        wait(lambda: [job.state for job in installation.jobs()].count("running") == 2, seconds=WITHIN)
        first.send_signal(signal.SIGKILL)
        wait(lambda: installation.jobs()[0].state not in ("queued", "running"), seconds=WITHIN)
    whole, *parts = installation.jobs()
    assert (whole.kind, whole.state, whole.error) == ("attack", "done", "")
    assert sorted(job.attempt for job in parts) == [1, 1, 1, 2]
    numbers, counts = installation.python(RESULT).splitlines()
    assert numbers == str(list(range(1, 13)))
    assert counts == "12 0"
