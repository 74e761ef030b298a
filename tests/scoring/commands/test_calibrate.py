from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
OPTIONS = ("--original", "old", "--adversarial", "new", "--label", "said", "--preserved", "0")


@pytest.fixture
def decided(tmp_path: Path) -> Path:
    """Two tasks: one with decisions enough, one without."""
    path = tmp_path / "decided.csv"
    lines = [f"{n} towns by the sea,{n} towns by the seа,0.0,1,FC" for n in range(15)]
    lines += [f"{n} towns by the sea,nobody went to {n},1.0,1,FC" for n in range(15)]
    lines += ["a b,a c,0,1,PR", "a b,a d,,1,PR"]
    path.write_text("\n".join(["old,new,said,won,task", *lines]) + "\n")
    return path


def test_each_task_by_itself(run: Run, decided: Path) -> None:
    code, out, err = run("calibrate", decided, *OPTIONS, "--task-column", "task", "--confusion", "won", "--json")
    found = json.loads(out)
    assert (code, err, list(found["tasks"]), found["left_out"]) == (0, "", ["PR", "FC"], {"without a label": 1})
    assert found["tasks"]["FC"]["auc_calibrated"]["value"] == 1
    assert found["tasks"]["FC"]["weights"]["confusion"] is None
    assert found["tasks"]["PR"]["auc_plain"]["reason"]["code"] == "one_class"


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (("--task-column", "won"), "line 2, column won: '1' is not one of PR, FC, HN, RD, C19"),
        (("--task", "FC", "--confusion", "old"), "line 2, column old: '0 towns by the sea' is no number from 0 to 1"),
    ],
)
def test_poor_cells_are_named(run: Run, decided: Path, more: tuple[str, ...], problem: str) -> None:
    assert run("calibrate", decided, *OPTIONS, *more) == (2, "", f"scoring: decided.csv: {problem}\n")
