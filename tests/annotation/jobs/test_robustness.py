"""Measuring constraints as a job: it records curves and texts, goes on where it was stopped, and is told apart from others."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from annotation.errors import AlreadyRunning, DomainError
from annotation.jobs import robustness
from annotation.models import Job, RobustnessMeasurement, User
from annotation.services.attacking import AttackWanted
from annotation.services.jobs import go_on
from annotation.services.robustness import RobustnessWanted, start_measurement
from annotation.services.running import JobCancelled, run_job
from attacks.robustness.kinds import KINDS
from tests.annotation.attacks_made import keep_small_task, keep_small_victim
from tests.annotation.models_made import keep_model
from tests.annotation.robustness_made import wanted


@pytest.fixture(autouse=True)
def small(db: None, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}
    keep_small_task()
    keep_small_victim()


def run(job: Job) -> Job:
    run_job.call(job.pk, job.attempt)
    job.refresh_from_db()
    return job


def test_curves_and_texts_are_recorded(organiser: User, tmp_path: Path) -> None:
    model = keep_model("readers", simulated=True)
    job = run(start_measurement(wanted=wanted(constraints=[("suspicion", "readers"), ("character", "")]), by=organiser))
    assert (job.state, job.error, job.result) == ("done", "", {"measurement": "first"})
    made = RobustnessMeasurement.objects.get()
    assert (made.created_by, made.simulated, list(made.learned.all())) == (organiser, True, [model])
    assert made.constraints == [["suspicion", "readers"], ["character", ""]]
    assert made.asked["damages"] == 1 and made.asked["attacker"] == "deepwordbug"
    assert Path(made.folder).parent == tmp_path / "robustness"
    report = json.loads((Path(made.folder) / "robustness.json").read_text())
    assert made.result == report["constraints"]
    assert report["settings"]["semantic"] == "none"
    assert list((tmp_path / "attacking").iterdir()) == []
    for found in made.result:
        assert found["curve"]["threshold"] == sorted(KINDS[found["name"]].thresholds, reverse=found["name"] == "character")
        lines = (Path(made.folder) / found["name"] / "second-order.jsonl").read_text().splitlines()
        texts = [each for line in lines if (each := json.loads(line))["text"] is not None]
        sign = -1 if found["name"] == "suspicion" else 1
        assert [
            (each["id"] + 1, each["original"], each["text"], pytest.approx(sign * each["accepted"]), each["damages"])
            for each in texts
        ] == list(made.spoiled.filter(constraint=found["name"]).values_list("number", "original", "text", "score", "damages"))
    assert made.spoiled.filter(constraint="suspicion").count() == 3
    # The worker was lost before it could say so.
    again = robustness.run(SimpleNamespace(id=job.pk, progress=None), **job.arguments)  # type: ignore[arg-type]
    assert again == {"measurement": "first"}
    with pytest.raises(DomainError, match="already a measurement named “first”"):
        start_measurement(wanted=wanted(), by=organiser)


def test_one_that_was_stopped_goes_on_where_it_was(organiser: User, tmp_path: Path) -> None:
    job = start_measurement(wanted=wanted(), by=organiser)
    with pytest.raises(AlreadyRunning):
        start_measurement(wanted=wanted(), by=organiser)

    def stop(done: int, total: int, message: str) -> None:
        if "at 0.9:" in message:
            raise JobCancelled

    with pytest.raises(JobCancelled):
        robustness.run(SimpleNamespace(id=job.pk, progress=stop), **job.arguments)  # type: ignore[arg-type]
    assert not RobustnessMeasurement.objects.exists()
    [folder] = (tmp_path / "attacking").iterdir()
    finished = (folder / "character" / "at-0.98" / "results.jsonl").stat().st_mtime_ns
    Job.objects.update(state="cancelled")
    again = run(go_on(job=job, by=organiser))
    assert again.state == "done"
    kept = Path(RobustnessMeasurement.objects.get().folder)
    assert (kept / "character" / "at-0.98" / "results.jsonl").stat().st_mtime_ns == finished


def test_what_is_not_there_any_more_is_named(organiser: User) -> None:
    job = run(start_measurement(wanted=wanted(constraints=[("suspicion", "gone")]), by=organiser))
    assert (job.state, job.error) == ("failed", "There is no model named “gone” any more.")
    assert not RobustnessMeasurement.objects.exists()


def test_another_wish_works_in_another_folder() -> None:
    one: RobustnessWanted = wanted()
    others = [wanted(damages=2), wanted(constraints=[("encoder", "")]), wanted(texts=5)]
    assert len({one.folder, wanted().folder}) == 1
    assert len({each.folder for each in [one, *others]}) == 4
    assert isinstance(one.setting, AttackWanted) and one.setting.texts == 3
