"""/api/runs/: what there is to attack, starting a run, its figures and its texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.models import AttackRun, Job, User
from annotation.services.runs import record_run
from tests.annotation.attacks_made import keep_small_task, keep_small_victim
from tests.annotation.services.test_runs import TEXTS, run_folder

from .conftest import NOT_FOUND, Caller, problem

START = {"task": "ferries", "victim": "small", "attacker": "deepwordbug"}


@pytest.fixture
def attacked(db: None, settings: Any, tmp_path: Path) -> AttackRun:
    settings.DATA_DIR = tmp_path
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}
    keep_small_task()
    keep_small_victim()
    return record_run(run_folder(tmp_path / "plain"))


def test_what_there_is_to_attack(attacked: AttackRun, organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    [task], [victim] = (client.get(f"/api/{kind}/").json()["results"] for kind in ("tasks", "victims"))
    assert (task["name"], task["counts"]["attack"]) == ("ferries", [6, 6])
    assert (victim["name"], victim["kind"], victim["trained_on"]) == ("small", "linear", "ferries")


def test_a_run_with_its_figures_and_texts(attacked: AttackRun, organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    [row] = client.get("/api/runs/").json()["results"]
    whole = client.get(f"/api/runs/{attacked.pk}/").json()
    assert {name: whole[name] for name in row} == row
    assert (whole["summary"], whole["baseline"], whole["comparison"]) == (attacked.summary, None, {})
    texts = client.get(f"/api/runs/{attacked.pk}/texts/").json()["results"]
    assert [(text["number"], text["original"], text["altered"]) for text in texts] == [
        (number, before, after) for number, (before, after) in enumerate(TEXTS, start=1)
    ]
    assert (texts[0]["semantic_score"], texts[1]["semantic_score"], texts[1]["asked"]) == (0.5, None, 11)
    failed = client.get(f"/api/runs/{attacked.pk}/texts/?status=failed").json()["results"]
    assert [text["number"] for text in failed] == [2]
    assert problem(client.get(f"/api/runs/{attacked.pk}/texts/?status=lost")) == (400, "invalid")
    assert problem(client.get("/api/runs/0/")) == problem(client.get("/api/runs/0/texts/")) == NOT_FOUND


def test_a_run_is_started_once(attacked: AttackRun, organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    body = START | {"name": "mine", "texts": 6, "budget": 90, "targeted": True, "parts": 3}
    started = client.post("/api/runs/", body, content_type="application/json")
    assert (started.status_code, started.json()["kind"], started.json()["total"]) == (202, "attack", 6)
    arguments = Job.objects.get(kind="attack").arguments
    assert {name: arguments[name] for name in ("name", "texts", "budget", "targeted", "parts", "model", "constraints")} == {
        "name": "mine", "texts": 6, "budget": 90, "targeted": True, "parts": 3, "model": None, "constraints": {},
    }  # fmt: skip
    assert problem(client.post("/api/runs/", body, content_type="application/json")) == (409, "already_running")
    assert [job["kind"] for job in client.get("/api/jobs/").json()["results"]] == ["attack"]


def test_constraints_and_parameters_are_those_of_the_page(attacked: AttackRun, organiser: User, calling: Caller) -> None:
    body = START | {
        "attacker": "homoglyphs",
        "parameters": {"share": 0.5, "memory": False},
        "similarity": 0.8,
        "keep_numbers": True,
    }
    assert calling(organiser).post("/api/runs/", body, content_type="application/json").status_code == 202
    told = Job.objects.get(kind="attack").arguments
    assert (told["parameters"], told["constraints"]) == ({"share": 0.5, "memory": False}, {"similarity": 0.8, "keep": "numbers"})
    for parameters, pointer in (
        ({"speed": 3}, "/attacker"),
        ({"share": 7}, "/parameters/share"),
        ({"most": "x"}, "/parameters/most"),
    ):
        refused = calling(organiser).post("/api/runs/", body | {"parameters": parameters}, content_type="application/json")
        assert [error["pointer"] for error in refused.json()["errors"]] == [pointer]


@pytest.mark.parametrize(
    "wrong",
    [{"task": "nothing"}, {"attacker": "nobody"}, {"budget": 1}, {"tau": 2.0}, {"model": "x"}, {"name": "plain"}, {"seed": "1"}],
)
def test_what_cannot_be_run_is_refused(wrong: dict[str, Any], attacked: AttackRun, organiser: User, calling: Caller) -> None:
    refused = calling(organiser).post("/api/runs/", START | wrong, content_type="application/json")
    assert problem(refused) == (400, "invalid")
    assert not Job.objects.exists()


def test_annotators_are_not_let_in(attacked: AttackRun, annotator: User, calling: Caller) -> None:
    client: Client = calling(annotator)
    for address in ("tasks/", "victims/", "runs/", f"runs/{attacked.pk}/", f"runs/{attacked.pk}/texts/"):
        assert client.get(f"/api/{address}").status_code == 403
    assert client.post("/api/runs/", START, content_type="application/json").status_code == 403
