from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]
COLUMNS = ("--original", "old", "--adversarial", "new")
DECIDED = (*COLUMNS, "--label", "said", "--preserved", "0")
FEW = ("--repeats", "1", "--folds", "3")
NOUNS = ("river", "garden", "window", "bridge", "market", "forest")


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["old", "new", "said"])
        for number in range(12):
            noun, other = NOUNS[number % 6], NOUNS[(number + 1) % 6]
            old = f"{number} people saw the {noun}"
            writer.writerow([old, old.replace("e", "е"), "0.0"])
            writer.writerow([old, old.replace(noun, other), "1.0" if number else ""])
    return path


def test_evaluates_trains_and_predicts(run: Run, pairs: Path, tmp_path: Path) -> None:
    code, out, err = run("meaning", "evaluate", pairs, *DECIDED, *FEW, "--json")
    found: dict[str, Any] = json.loads(out)
    assert (code, err, found["pairs"], found["preserved"], found["left_out"]) == (0, "", 23, 12, {"without a label": 1})
    assert found["auc"]["value"] > 0.8
    model = tmp_path / "model"
    code, out, err = run("meaning", "train", pairs, *DECIDED, *FEW, "--out", model, "--json")
    card = json.loads(out)
    assert (code, err, card["kind"], card["evaluation"]["auc"]) == (0, "", "meaning model", found["auc"])
    code, out, err = run("meaning", "predict", model, pairs, *COLUMNS, "--json")
    predicted = json.loads(out)
    assert (code, err, predicted["model"]["sha256"]) == (0, "", card["sha256"])
    values = [pair["preserved"] for pair in predicted["pairs"]]
    assert (len(values), predicted["pairs"][0]["line"]) == (24, 2)
    assert min(values[0::2]) > max(values[1::2])
    code, _, err = run("meaning", "train", pairs, *DECIDED, "--out", model)
    assert (code, err) == (2, f"scoring: {model} exists already. Choose another folder with --out.\n")


@pytest.mark.parametrize(("seed", "says"), [(2**32 - 1, ""), (-1, "'-1' is not a whole number from 0 to 4294967295")])
def test_a_seed_that_no_generator_takes_is_refused_before_anything_is_read(run: Run, pairs: Path, seed: int, says: str) -> None:
    code, out, err = run("meaning", "evaluate", pairs, *DECIDED, "--repeats", 1, "--folds", 2, "--seed", seed)
    assert (code, bool(out), err.endswith(f"argument --seed: {says}\n")) == (2 if says else 0, not says, bool(says))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("old,new,said\na,b,\n", "pairs.csv: column said: no row has a label"),
        ("old,new,said\na,b,1\n", "pairs.csv: column said: no row has the label '0'; found 1"),
        ("old,new,said\n", "pairs.csv: line 1: there is a header, but no row under it"),
        ("old,new\na,b\n", "pairs.csv: line 1, column said: required column is missing: said; found old, new"),
    ],
)
def test_poor_files_are_named(run: Run, tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(text)
    assert run("meaning", "evaluate", path, *DECIDED) == (2, "", f"scoring: {problem}\n")


def test_a_folder_that_holds_no_model_is_named(run: Run, pairs: Path, tmp_path: Path) -> None:
    code, _, err = run("meaning", "predict", tmp_path, pairs, *COLUMNS)
    assert (code, err) == (2, f"scoring: {tmp_path} has no card.json, so it is not a model folder.\n")


def test_cross_validation_needs_two_folds(run: Run, pairs: Path) -> None:
    code, _, err = run("meaning", "evaluate", pairs, *DECIDED, "--folds", "1")
    assert (code, err) == (2, "python -m scoring meaning evaluate: argument --folds: '1' is not a whole number from 2 to 1000\n")


def test_a_folder_that_cannot_be_made_is_told_before_the_training(run: Run, pairs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.texts.meaning.trained.train", lambda *_, **__: pytest.fail("trained"))
    out = pairs / "deep" / "model"
    code, _, err = run("meaning", "train", pairs, *DECIDED, "--out", out)
    assert (code, err) == (2, f"scoring: {out} cannot be made: {pairs} is no folder that you may write to.\n")


@pytest.mark.parametrize("terminal", [True, False])
def test_a_person_is_told_how_far_it_is(run: Run, pairs: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    code, out, err = run("meaning", "evaluate", pairs, *DECIDED, "--repeats", "2", "--folds", "3", "--json")
    assert (code, json.loads(out)["pairs"]) == (0, 23)
    told = ["Cross-validation 1 of 2 (0 of 3", "Cross-validation 2 of 2 (1 of 3", "Calibration (2 of 3"]
    assert err.splitlines() == ([f"{line} steps are done)" for line in told] if terminal else [])
