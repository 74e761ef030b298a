"""Whatever is wrong with the input, every command says so in one line, or gives a named reason in place of a figure."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.model_folder import read_model_folder, write_model_folder

from .conftest import DATA

Run = Callable[..., tuple[int, str, str]]

ORIGINAL = ["--original", "original"]
REFUSED = {
    "a score outside the scale": ("text,score\nfine,2\nfine too,7\n", [], "line 3, column score: 7 is outside the scale 1 to 5"),
    "a score that is no number": ("text,score\nfine,seven\n", [], "line 2, column score: 'seven' is not a number"),
    "no score": ("text,score\nfine,\n", [], "line 2, column score: the cell is empty"),
    "an empty text": ("text,score\n ,2\n", [], "line 2, column text: the text is empty"),
    "a text of 100,000 characters": (
        f"text,score\n{'b' * 100_000},1\n",
        [],
        "line 2, column text: the text has 100,000 characters",
    ),
    "no rows": ("text,score\n", [], "line 1: there is a header, but no row under it"),
    "no column of originals": ("text,score\na,1\n", ORIGINAL, "required column is missing: original"),
    "no original in a row": ("text,score,original\na,1,x\nb,2, \n", ORIGINAL, "line 3, column original: the cell is empty"),
    "no variant in a row": ("text,score,variant\na,1,\n", ["--variant", "variant"], "line 2, column variant: the cell is empty"),
}


@pytest.fixture(params=["train", "evaluate", "compare"])
def of_data(request: pytest.FixtureRequest, model: Path, tmp_path: Path) -> Callable[..., list[object]]:
    """A command on a table, with options."""

    def arguments(table: Path, *options: str) -> list[object]:
        quick = ["--models", "ridge", "--baseline", "ridge", "--groups", "lexical", "--learner", "ridge", "--repeats", "1"]
        return {
            "train": ["train", table, *DATA, *options, "--model", "ridge", "--out", tmp_path / "new" / "out"],
            "evaluate": ["evaluate", model, table, *DATA, *options],
            "compare": ["compare", table, *DATA, *options, *quick, "--out", tmp_path / "new" / "out"],
        }[request.param]

    return arguments


@pytest.mark.parametrize("problem", REFUSED)
def test_a_table_that_cannot_be_used_is_one_line_and_leaves_nothing(
    run: Run, of_data: Callable[..., list[object]], tmp_path: Path, problem: str
) -> None:
    content, options, message = REFUSED[problem]
    (tmp_path / "bad.csv").write_text(content, encoding="utf-8")

    code, out, err = run(*of_data(tmp_path / "bad.csv", *options))

    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert [entry.name for entry in tmp_path.iterdir()] == ["bad.csv"]


def table_of(path: Path, scores: list[int], originals: list[str]) -> Path:
    lines = [
        f"text number {n} {'qx' * n} here,{score},{name}" for n, (score, name) in enumerate(zip(scores, originals, strict=True))
    ]
    path.write_text("text,score,original\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


DEGENERATE = {
    "three rows": ([1, 2, 3], ["x", "y", "z"]),
    "constant scores": ([2] * 12, [*"abcdefghijkl"]),
    "one original": ([1, 2, 3] * 4, ["x"] * 12),
}
SAID: dict[str, dict[str, str]] = {
    "train": {
        "three rows": "At least 10 different texts are needed to train a model, not 3",
        "constant scores": "Every text has the score 2: there is nothing to learn",
    },
    "compare": {
        "three rows": "At least 10 different texts are needed to train a model, not 3",
        "constant scores": "Every text has the score 2: there is nothing to learn",
        "one original": "All texts are variants of one original, so none can be set apart",
    },
}


@pytest.mark.parametrize(("command", "problem"), [(command, problem) for command, said in SAID.items() for problem in said])
def test_data_that_nothing_can_be_learned_from_are_said(run: Run, tmp_path: Path, command: str, problem: str) -> None:
    table = table_of(tmp_path / "few.csv", *DEGENERATE[problem])

    code, out, err = run(command, table, *DATA, *ORIGINAL, "--out", tmp_path / "out")

    assert (code, out, err.count("\n")) == (2, "", 1)
    assert SAID[command][problem] in err
    assert not (tmp_path / "out").exists()


def test_one_original_trains_a_model_whose_figures_have_reasons(run: Run, tmp_path: Path) -> None:
    table = table_of(tmp_path / "one.csv", *DEGENERATE["one original"])

    code, out, _ = run("train", table, *DATA, *ORIGINAL, "--model", "ridge", "--out", tmp_path / "out", "--json")
    card = json.loads(out)
    said = run("predict", tmp_path / "out", table, "--text", "text")

    assert code == 0
    assert {card["evaluation"][name]["reason"]["code"] for name in ("r", "spearman", "rmse", "share_of_ceiling")} == {
        "one_original"
    }
    assert card["calibration"]["reason"]["code"] == "too_few_residuals"
    assert [sorted(json.loads(line)) for line in said[1].splitlines()] == [["score", "text"]] * 12


@pytest.mark.parametrize(
    ("problem", "part", "code"),
    [
        ("three rows", "no_interval", "few_originals"),
        ("constant scores", "reason", "constant_labels"),
        ("one original", "no_interval", "few_originals"),
    ],
)
def test_an_evaluation_on_few_or_equal_data_has_reasons(
    run: Run, model: Path, tmp_path: Path, problem: str, part: str, code: str
) -> None:
    table = table_of(tmp_path / "few.csv", *DEGENERATE[problem])

    found = json.loads(run("evaluate", model, table, *DATA, *ORIGINAL, "--json")[1])

    assert found["r"][part]["code"] == found["spearman"][part]["code"] == code
    assert found["r"]["interval"] is None


@pytest.mark.parametrize("command", ["evaluate", "predict", "explain"])
@pytest.mark.parametrize("problem", ["no folder", "no card", "another version", "another format", "a changed file"])
def test_a_model_that_must_not_be_used_is_refused(
    run: Run, model: Path, tables: Path, tmp_path: Path, command: str, problem: str
) -> None:
    folder, message = _spoilt(model, tmp_path / "spoilt", problem)
    rest: dict[str, list[Any]] = {
        "evaluate": [tables / "test.csv", *DATA],
        "predict": [tables / "test.csv", "--text", "text"],
        "explain": ["a text"],
    }

    code, out, err = run(command, folder, *rest[command])

    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def _spoilt(model: Path, folder: Path, problem: str) -> tuple[Path, str]:
    if problem == "no folder":
        return folder, "has no card.json"
    shutil.copytree(model, folder)
    stored = read_model_folder(folder)
    if problem == "no card":
        (folder / "card.json").unlink()
        return folder, "has no card.json"
    if problem == "a changed file":
        (folder / "ridge.safetensors").write_bytes(b"something else")
        return folder, "'ridge.safetensors' does not match its hash"
    changed: dict[str, Any] = {"format": 1}
    if problem == "another version":
        changed = {"libraries": stored.card["libraries"] | {"scikit-learn": "0.9"}}
    write_model_folder(folder, card=stored.card | changed, files=stored.files, replace=True)
    return folder, "scikit-learn 0.9" if problem == "another version" else "has format 1 of model folders"


@pytest.mark.parametrize(("text", "message"), [(" ", "the text is empty"), ("b" * 100_000, "the text has 100,000 characters")])
def test_a_text_without_a_score_has_a_reason(run: Run, model: Path, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "texts.csv").write_text(f"text\n{text}\nfine\n", encoding="utf-8")

    code, out, _ = run("predict", model, tmp_path / "texts.csv", "--text", "text")
    first, second = map(json.loads, out.splitlines())
    assert code == 0
    assert first["score"] is None
    assert message in first["reason"]
    assert 1 <= second["low"] <= second["score"] <= second["high"] <= 5

    code, out, err = run("explain", model, text)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
