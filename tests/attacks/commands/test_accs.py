from __future__ import annotations

import json
from pathlib import Path

import pytest

from attacks.__main__ import main

CURVE = "tau,victim,constraint\n1.5,0,0\n2.0,0.35,0.15\n2.5,0.7,0.3\n"


def written(folder: Path, content: str) -> str:
    file = folder / "curve.csv"
    file.write_text(content, encoding="utf-8")
    return str(file)


def command(file: str, *more: str) -> list[str]:
    return ["accs", file, "--threshold", "tau", "--first", "victim", "--second", "constraint", *more]


def test_the_figure_and_how_it_came_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, CURVE)
    assert main(command(file)) == 0
    assert capsys.readouterr().out == "ACCS 0.500 (3 thresholds)\n"
    assert main(command(file, "--json")) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["value"], found["n"], found["no_interval"]["code"]) == (pytest.approx(0.5), 3, "only_rates")


def test_no_figure_has_a_reason_and_is_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command(written(tmp_path, "tau,victim,constraint\n1,0,0\n2,1,0\n"))) == 0
    assert capsys.readouterr().out.startswith("ACCS not defined: No second-order example was found")


def test_the_loosest_end_can_be_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, "tau,victim,constraint\n1,0.2,0.1\n2,0.5,0.1\n3,0.2,0.1\n")
    assert main(command(file)) == 2
    assert "say which is the loosest" in capsys.readouterr().err
    assert main(command(file, "--loosest", "lowest")) == 0
    assert capsys.readouterr().out == "ACCS 0.000 (3 thresholds)\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("tau,victim\n1,2\n", "constraint"),
        ("tau,victim,constraint\n1,0,0\n2,x,0\n", "line 3, column victim"),
        ("tau,victim,constraint\n1,0,0\n2,1,-0.5\n", "line 3, column constraint: a rate must not be negative"),
        ("tau,victim,constraint\n1,0,nan\n", "line 2, column constraint"),
        ("tau,victim,constraint\n1,0,0\n", "a curve needs two thresholds or more"),
    ],
)
def test_a_wrong_file_is_told_by_its_place(
    content: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(written(tmp_path, content))) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error
