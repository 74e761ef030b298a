from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from attacks.__main__ import main
from attacks.tasks import Task, write_task
from attacks.victims import train_victim
from tests.attacks.toys import SuspicionByLength


@pytest.fixture
def command(weather: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    task = Task("weather", weather.train, weather.dev, weather.attack[:6])
    write_task(task, tmp_path / "task")
    train_victim(task, "linear", tmp_path / "victim")
    monkeypatch.setattr("regressors.storage.load", lambda path: SuspicionByLength())
    given = {"task-dir": "task", "victim": "victim", "suspicion": "model", "out": "study"}
    paths = [part for name, value in given.items() for part in (f"--{name}", str(tmp_path / value))]
    return ["study", *paths, "--attacker", "textattack:deepwordbug", "--semantic", "none"]


def test_a_study_tells_the_flow_and_writes_what_to_ask(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--tau", "5", "6.2"]) == 0
    shown = capsys.readouterr().out
    found = json.loads((tmp_path / "study" / "study.json").read_text("utf-8"))
    assert [each["tau"] for each in found] == [5.0, 6.2]
    for each in found:
        flow = each["flow"]
        assert (
            f"over tau           {flow['over']} without, {flow['lowered']} of them lowered, {flow['kept']} of these not set aside"
            in shown
        )
        with (tmp_path / "study" / f"pairs-tau-{each['tau']:g}.tsv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, dialect="excel-tab"))
        assert [int(row["id"]) for row in rows] == each["worth_asking"]
        assert len(rows) == flow["kept"]
        assert all(float(row["suspicion_free"]) > max(each["tau"], float(row["suspicion_bound"])) for row in rows)
    assert "BODEGA             not defined without" in shown
    assert shown.endswith(f"results: {tmp_path / 'study'}\n")


@pytest.mark.parametrize(
    ("more", "message"),
    [(["--tau", "5", "5"], "each --tau of a study must be a number of its own"), (["--tau", "5", "--texts", "2"], "")],
)
def test_faults_are_one_line(more: list[str], message: str, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, *more]) == (2 if message else 0)
    assert message in capsys.readouterr().err


def test_a_study_sets_the_limits_itself(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([*command, "--tau", "5", "--observe"])
    assert "unrecognized arguments: --observe" in capsys.readouterr().err
