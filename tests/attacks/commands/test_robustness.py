from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attacks.__main__ import main
from attacks.tasks import Task, write_task
from attacks.victims import train_victim


@pytest.fixture
def command(weather: Task, tmp_path: Path) -> list[str]:
    task = Task("weather", weather.train, weather.dev, [*weather.attack[:3], weather.attack[3]])
    write_task(task, tmp_path / "task")
    train_victim(task, "linear", tmp_path / "victim")
    paths = [
        part for name in ("task", "victim", "out") for part in (f"--{name}".replace("task", "task-dir"), str(tmp_path / name))
    ]
    return ["robustness", *paths, "--attacker", "textattack:deepwordbug", "--semantic", "none", "--damages", "1", "--beam", "2"]


def test_a_curve_for_each_constraint(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--constraint", "character", "--thresholds", "0.9", "0"]) == 0
    shown = capsys.readouterr().out
    (found,) = json.loads((tmp_path / "out" / "robustness.json").read_text("utf-8"))["constraints"]
    assert found["curve"]["threshold"] == [0.9, 0.0]
    for threshold, first, second in zip(*found["curve"].values(), strict=True):
        assert f"  {threshold:<11g} {first:<13.3f} {second:.3f}\n" in shown
    row = next(line for line in shown.splitlines() if line.startswith("character "))
    assert row.split() == [
        "character",
        *_value(found["accs"]),
        *(f"{found['curve'][rate][-1]:.3f}" for rate in ("first", "second")),
        "4",
    ]
    assert (tmp_path / "out" / "character" / "curve.csv").read_text().splitlines()[0] == "threshold,first,second"


def _value(accs: dict[str, Any]) -> list[str]:
    interval = accs["interval"]
    return [f"{accs['value']:.3f}", *([f"{interval['low']:.3f}", "to", f"{interval['high']:.3f}"] if interval else ["none"])]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--constraint", "fluency"], "unknown kind of constraint 'fluency'"),
        (["--constraint", "suspicion"], "suspicion:PATH"),
        (["--constraint", "character", "--constraint", "encoder", "--thresholds", "0.5"], "go with one constraint"),
    ],
)
def test_faults_are_one_line(more: list[str], message: str, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, *more]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error
