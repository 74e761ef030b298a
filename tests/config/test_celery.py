"""The same task function on Celery, with a real worker and broker."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.on_celery import CeleryInstallation, wait

ENQUEUE = """
import django; django.setup()
from annotation.services.jobs import enqueue
print(enqueue(kind="train", arguments={"campaign": "nowhere", "seed": 0, "name": "m"}).pk)
"""


@pytest.mark.broker
def test_a_job_goes_through_the_broker_to_a_celery_worker(broker_url: str, tmp_path: Path, migrated: Path) -> None:
    installation = CeleryInstallation(tmp_path, migrated, broker_url)
    installation.python(ENQUEUE)
    with installation.working("only"):
        wait(lambda: installation.jobs()[0].state not in ("queued", "running"), seconds=90)
    (job,) = installation.jobs()
    assert (job.kind, job.state, job.attempt) == ("train", "failed", 1)
    assert "nowhere" in job.error
