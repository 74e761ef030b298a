from __future__ import annotations

import csv
import shutil
from pathlib import Path
from typing import Any

import pytest

from annotation.protocols.analysis import Table
from annotation.reproduction.bodega import DECISION_COLUMNS, PARTS, SIMULATED, sections
from annotation.reproduction.given import Given
from attacks.__main__ import main as attack
from attacks.tasks.layout import read_task
from scoring.table import TableError
from tests.annotation.reproduction.shown import here, printed, tables_of

HEADLINES = Path(__file__).resolve().parents[3] / "attacks" / "tasks" / "headlines"
FIGURES = """Subset size: 400
Success score: {success}
Semantic score: 0.7
Character score: 0.9
BODEGA score: {bodega}
Queries per example: 120.5
Total attack time: 5.0
Time per example: 0.1
Total evaluation time: 11.5
"""


def results(folder: Path, name: str, bodega: str, success: float = 0.5) -> None:
    folder.mkdir(exist_ok=True)
    (folder / f"results_{name}.txt").write_text(FIGURES.format(bodega=bodega, success=success))


def tables(data: Path) -> dict[str, Table]:
    return tables_of(sections(Given(data)))


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A task, a victim, and a run with BODEGA's files beside it."""
    folder = tmp_path_factory.mktemp("own")
    setting = ["--task-dir", str(HEADLINES)]
    assert attack(["train-victim", *setting, "--kind", "linear", "--out", str(folder / "victim")]) == 0
    wanted = ["--attacker", "deepwordbug", "--texts", "3", "--semantic", "none", "--out", str(folder / "run")]
    assert attack(["run", *setting, "--victim", str(folder / "victim"), *wanted]) == 0
    results(folder / "run", "headlines_False_deepwordbug_linear", "0.9")
    shutil.copytree(HEADLINES, folder / "headlines")
    return folder


def test_of_nothing_every_part_says_what_it_lacks(tmp_path: Path) -> None:
    found = list(sections(Given(tmp_path)))
    assert [section.part for section in found] == list(PARTS)
    assert all(section.lacks and not section.tables for section in found)


def test_a_task_a_victim_and_a_run_are_found(own: Path) -> None:
    found = tables(own)
    task = read_task(HEADLINES)
    assert here(found["table-1"]) == {
        "headlines, train": len(task.train), "headlines, dev": len(task.dev), "headlines, attack": len(task.attack),
        "headlines, non-credible": 0.5,
    }  # fmt: skip
    (victim,) = found["table-3"].rows
    assert (victim[0], victim[3], victim[1].interval is not None) == ("headlines, linear", len(task.dev), True)
    assert found["figure-2"].rows == [["headlines, linear", victim[1]]]
    (run,) = found["table-4"].rows
    assert (run[0], run[1], run[7], run[8]) == ("headlines, linear, deepwordbug", "edit_distance", 3, "none")
    assert found["leaderboard"].rows == []  # headlines are none of the domains


def test_runs_of_a_measurement_are_left_out(own: Path, tmp_path: Path) -> None:
    shutil.copytree(own / "run", tmp_path / "robustness" / "character" / "at-0.9")
    assert "table-4" in tables(tmp_path)
    (tmp_path / "robustness" / "robustness.json").write_text("{}")
    assert "table-4" not in tables(tmp_path)


def test_results_files_by_scenario_and_the_best_of_each_victim(tmp_path: Path) -> None:
    results(tmp_path, "FC_False_BERTattack_BERT", "0.31")
    results(tmp_path, "FC_False_PWWS_BERT", "0.42")
    results(tmp_path, "FC_True_PWWS_BERT", "0.2")
    results(tmp_path, "HN_True_PWWS_BERT", "nan", success=0)
    found = tables(tmp_path)
    rows = [[row[0], row[2].value, row[3].value, row[6].estimate.value, row[7]] for row in found["table-4"].rows]
    assert rows == [["FC, BERT, BERTattack", 0.31, 0.5, 120.5, 400], ["FC, BERT, PWWS", 0.42, 0.5, 120.5, 400]]
    assert [row[0] for row in found["table-5"].rows] == ["FC, BERT, PWWS", "HN, BERT, PWWS"]
    best = [(row[0], row[1], row[2].value) for row in found["figure-3"].rows]
    assert best == [("FC, BERT, targeted", "PWWS", 0.2), ("FC, BERT, untargeted", "PWWS", 0.42)]


def test_cells_count_alike_on_the_leaderboard_and_targeted_ones_not(tmp_path: Path) -> None:
    for task in ("PR2", "FC", "RD", "HN", "C19"):
        for place, victim in enumerate(("BiLSTM", "BERT", "surprise")):
            results(tmp_path, f"{task}_False_whole_{victim}", f"0.{place + 1}")
    results(tmp_path, "FC_False_part_BERT", "0.9")
    results(tmp_path, "PR_False_part_BERT", "0.1")
    results(tmp_path, "HN_True_part_BERT", "0.9")
    results(tmp_path / "again", "FC_False_part_BERT", "0.5")
    found = tables(tmp_path)
    assert found["leaderboard"].rows == [
        ["part", pytest.approx((0.7 + 0.1) / 2), "2 of 15"],
        ["whole", pytest.approx(0.2), "15 of 15"],
    ]
    assert printed(found["leaderboard-printed"]) == {"OpenFact": ("0.7458", None), "BERT-ATTACK": ("0.4261", None)}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("results.txt", FIGURES.format(bodega="0.3", success=1), r"results\.txt: the name says not what was attacked"),
        (
            "results_FC_False_PWWS_BERT.txt",
            FIGURES.format(bodega="x", success=1),
            r"line 5, column BODEGA score: “x” is no number",
        ),
        (
            "results_FC_False_PWWS_BERT.txt",
            "\n".join(FIGURES.format(bodega="0.3", success=1).splitlines()[:4]),
            "these figures are missing",
        ),
    ],
)
def test_a_broken_results_file_is_named(name: str, content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(TableError, match=message):
        tables(tmp_path)


def decisions(folder: Path, *rows: tuple[str, str, str]) -> None:
    with (folder / "decisions.csv").open("w", newline="") as file:
        csv.writer(file).writerows([DECISION_COLUMNS, *rows])


def test_types_of_modification_by_task(tmp_path: Path) -> None:
    decisions(
        tmp_path, ("FC", "typographic", "False"), ("FC", "semantic_large", "False"), ("HN", "local", "False"), ("HN", "", "False")
    )
    found = tables(tmp_path)
    assert found["table-6"].columns == ["type", "FC", "HN", "all"]
    assert {row[0]: row[1:] for row in found["table-6"].rows if row[-1]} == {
        "typographic": [1, 0, 1], "semantic, large": [1, 0, 1], "local": [0, 1, 1],
    }  # fmt: skip
    assert here(found["table-6-kept"]) == {"meaning kept": pytest.approx(2 / 3)}
    assert printed(found["table-6-kept"])["meaning kept"] == ("82.5 %", pytest.approx(2 / 3 - 0.825))
    assert found["table-6"].note == ""


def test_simulated_decisions_are_told_and_those_of_other_campaigns_passed_over(tmp_path: Path) -> None:
    decisions(tmp_path, ("FC", "preserve", "False"))
    assert "table-6" not in tables(tmp_path)
    decisions(tmp_path, ("FC", "local", "True"))
    found: Any = tables(tmp_path)
    assert found["table-6"].note == found["table-6-kept"].note == SIMULATED
