"""An attack as a job: whole, in parts, stopped and gone on with, beside the same attack without the constraint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from annotation.errors import AlreadyRunning, DomainError
from annotation.jobs import attacking
from annotation.models import AttackRun, Job, LearnedModel, Outcome, Suspicion, Task, User, Victim
from annotation.services.attacking import AttackWanted, ask_suspicion, start_attack
from annotation.services.jobs import cancel, go_on
from annotation.services.running import JobCancelled, run_job
from attacks.settings import RunSettings
from tests.annotation.attacks_made import keep_small_task, keep_small_victim
from tests.annotation.models_made import keep_model

WANTED = AttackWanted(name="first", task="ferries", victim="small", attacker="deepwordbug", parameters={}, texts=6)


@pytest.fixture(autouse=True)
def small(db: None, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No encoder: what it says is tested elsewhere."""
    settings.DATA_DIR = tmp_path
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}
    keep_small_task()
    keep_small_victim()
    whole = attacking.settings_of
    monkeypatch.setattr(attacking, "settings_of", lambda wanted: replace(whole(wanted), semantic="none"))


def run(job: Job) -> Job:
    job.refresh_from_db()
    run_job.call(job.pk, job.attempt)
    job.refresh_from_db()
    return job


def figures(run: AttackRun) -> list[tuple[object, ...]]:
    rows = run.outcomes.order_by("number").values_list("number", "status", "example__after__text", "asked", "unique", "sent")
    return list(rows)


def test_an_attack_becomes_a_run_with_all_its_outcomes(organiser: User, tmp_path: Path) -> None:
    job = run(start_attack(wanted=WANTED, by=organiser))
    assert (job.state, job.error, job.result) == ("done", "", {"run": "first"})
    made = AttackRun.objects.get()
    assert (made.task, made.victim, made.attacker, made.constraint, made.model) == (
        "ferries", "linear", "deepwordbug", "", None,
    )  # fmt: skip
    assert [number for number, *_ in figures(made)] == [1, 2, 3, 4, 5, 6]
    assert {status: made.outcomes.filter(status=status).count() for status in ("success", "failed")} == {
        status: made.summary["statuses"][status] for status in ("success", "failed")
    }
    assert made.outcomes.filter(status="success", example__isnull=False).count() > 0
    assert Path(made.folder).parent == tmp_path / "runs" and (Path(made.folder) / "results.jsonl").exists()
    assert list((tmp_path / "attacking").iterdir()) == []
    # The worker was lost before it could say so.
    assert attacking.run(SimpleNamespace(id=job.pk, progress=None), **job.arguments) == {"run": "first"}  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="already an attack run named “first”"):
        start_attack(wanted=WANTED, by=organiser)


def test_in_parts_it_comes_to_the_same(organiser: User) -> None:
    run(start_attack(wanted=WANTED, by=organiser))
    job = start_attack(wanted=replace(WANTED, name="divided", parts=4), by=organiser)
    parts = list(job.parts.order_by("pk"))
    assert [(part.arguments["number"], part.total) for part in parts] == [(1, 2), (2, 2), (3, 1), (4, 1)]
    assert run(job).state == "queued"  # it waits for its parts, whoever sends it too early
    for part in parts[:3]:
        assert run(part).state == "done"
    job.refresh_from_db()
    assert (job.state, job.done, job.total, job.message) == ("queued", 5, 6, "2 of 4 parts done")
    assert run(parts[3]).state == "done"
    assert run(job).state == "done"
    first, divided = AttackRun.objects.order_by("pk")
    assert figures(divided) == figures(first)
    assert {**divided.summary, "versions": {}} == {**first.summary, "versions": {}}


def test_one_that_was_stopped_goes_on_where_it_was(organiser: User, monkeypatch: pytest.MonkeyPatch) -> None:
    job = start_attack(wanted=replace(WANTED, parts=2), by=organiser)
    first, second = job.parts.order_by("pk")
    run(first)
    cancel(job=job)
    assert run(second).state == "cancelled"
    job.refresh_from_db()
    assert job.state == "cancelled"
    again = go_on(job=job, by=organiser)
    assert [part.arguments for part in again.parts.order_by("pk")] == [first.arguments, second.arguments]
    with pytest.raises(AlreadyRunning):
        start_attack(wanted=replace(WANTED, parts=2), by=organiser)
    asked = []
    monkeypatch.setattr("attacks.engine.lockstep.answer_queries", counting(asked))
    done, rest = again.parts.order_by("pk")
    run(done)
    assert asked == []
    run(rest)
    assert asked != []
    assert run(again).state == "done"
    assert len(figures(AttackRun.objects.get())) == 6


def counting(asked: list[int]) -> Callable[..., None]:
    from attacks.engine.queries import answer_queries

    def answer(walks: Any, *args: Any, **how: Any) -> None:
        asked.extend([len(walks)] if walks else [])
        answer_queries(walks, *args, **how)

    return answer


def test_a_part_that_fails_ends_all(organiser: User, monkeypatch: pytest.MonkeyPatch) -> None:
    job = start_attack(wanted=replace(WANTED, parts=3), by=organiser)
    first, second, third = job.parts.order_by("pk")
    Task.objects.update(sha256="0" * 64)
    assert run(second).error == "The files of the task “ferries” were changed since it was brought in; it is not used."
    states = [run(each).state for each in (first, third, job)]
    assert states == ["cancelled", "cancelled", "failed"]
    assert job.error == second.error


def test_a_victim_that_was_changed_is_not_attacked(organiser: User) -> None:
    Victim.objects.update(sha256="0" * 64)
    assert "The folder of the victim “small” was changed" in run(start_attack(wanted=WANTED, by=organiser)).error


def test_cancelling_stops_between_two_steps(organiser: User) -> None:
    job = start_attack(wanted=WANTED, by=organiser)

    def progress(done: int, total: int, message: str) -> None:
        raise JobCancelled

    with pytest.raises(JobCancelled):
        attacking.run(SimpleNamespace(id=job.pk, progress=progress), **job.arguments)  # type: ignore[arg-type]
    assert not AttackRun.objects.exists()


@pytest.fixture
def model() -> LearnedModel:
    return keep_model("readers")


def test_the_constraint_is_kept_and_set_beside_the_same_attack_without(organiser: User, model: LearnedModel) -> None:
    run(start_attack(wanted=WANTED, by=organiser))
    job = run(
        start_attack(
            wanted=replace(WANTED, name="held", model="readers", constraints={"suspicion": "readers", "tau": 2.0}), by=organiser
        )
    )
    assert job.error == ""
    plain, held = AttackRun.objects.order_by("pk")
    assert (held.constraint, held.model, held.baseline) == ("suspicion at most 2", model, plain)
    assert held.comparison["first"]["success"]["value"] == plain.summary["success"]["value"]
    for row in (plain, held):
        said = Suspicion.objects.filter(outcome__run=row, model=model)
        assert said.count() == row.outcomes.filter(status="success").count()
    limits = Suspicion.objects.filter(outcome__run=held).values_list("before", "after")
    assert all(after <= max(2.0, before) for before, after in limits)


def test_a_model_may_only_say_afterwards_what_it_finds(organiser: User, model: LearnedModel) -> None:
    job = run(start_attack(wanted=replace(WANTED, model="readers"), by=organiser))
    assert job.error == ""
    made = AttackRun.objects.get()
    assert (made.constraint, made.model, made.baseline) == ("", None, None)
    assert Suspicion.objects.count() == Outcome.objects.filter(status="success").count() > 0


def test_another_model_can_be_asked_later(organiser: User, model: LearnedModel) -> None:
    run(start_attack(wanted=WANTED, by=organiser))
    made = AttackRun.objects.get()
    job = ask_suspicion(run=made, model=model, by=organiser)
    with pytest.raises(AlreadyRunning):
        ask_suspicion(run=made, model=model, by=organiser)
    assert run(job).result == {"run": "first", "model": "readers"}
    said = list(Suspicion.objects.order_by("pk").values_list("before", "after"))
    assert len(said) == made.outcomes.filter(status="success").count() > 0
    run(ask_suspicion(run=made, model=model, by=organiser))
    assert list(Suspicion.objects.order_by("pk").values_list("before", "after")) == said


def test_the_settings_are_those_that_were_wanted(model: LearnedModel, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    settings.ATTACK_RESOURCES = {"masked_lm": "bert"}
    task, victim = Task.objects.get(), Victim.objects.get()
    settings.MODELS_DIR = Path(model.folder).parent
    (settings.MODELS_DIR / "encoder").mkdir()
    (settings.MODELS_DIR / "encoder" / "config.json").write_text("{}")
    constraints = {"suspicion": "readers", "margin": 0.5, "bertscore": "encoder", "f1": 0.8, "keep": "numbers"}
    wanted = replace(WANTED, model="readers", constraints=constraints, targeted=True, budget=50, seed=7)
    assert attacking.settings_of(wanted) == RunSettings(
        task_dir=task.folder, victim=victim.folder, attacker="deepwordbug", resources={"masked_lm": "bert"},
        constraints=constraints | {"suspicion": model.folder, "bertscore": str(settings.MODELS_DIR / "encoder")},
        targeted=True, budget=50, seed=7, texts=6,
    )  # fmt: skip
    settings.MODELS_DIR = None
    with pytest.raises(DomainError, match="no model in a folder “encoder”"):
        attacking.settings_of(wanted)


def test_an_observed_run_is_not_set_beside_itself(organiser: User, model: LearnedModel) -> None:
    run(start_attack(wanted=WANTED, by=organiser))
    observed = {"suspicion": "readers", "observe": True}
    assert run(start_attack(wanted=replace(WANTED, name="seen", model="readers", constraints=observed), by=organiser)).error == ""
    plain, seen = AttackRun.objects.order_by("pk")
    assert (seen.constraint, seen.model, seen.baseline, seen.comparison) == ("suspicion observed", model, None, {})
    assert figures(seen) == figures(plain)


def test_what_else_both_runs_were_held_to_does_not_keep_them_apart(organiser: User, model: LearnedModel) -> None:
    also = {"words_changed": 0.6}
    run(start_attack(wanted=replace(WANTED, constraints=also), by=organiser))
    held = {"suspicion": "readers", "margin": 0.5, **also}
    assert run(start_attack(wanted=replace(WANTED, name="held", model="readers", constraints=held), by=organiser)).error == ""
    first, second = AttackRun.objects.order_by("pk")
    assert (first.constraint, second.baseline) == ("words changed at most 0.6", first)
    assert second.constraint == "words changed at most 0.6, suspicion at most 0.5 above the original’s"
