"""`select` and `versions`: from the command line to a table, and side by side."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from regressors.selection import inclusion_probabilities
from regressors.storage import load

from .conftest import DATA, write_table

Run = Callable[..., tuple[int, str, str]]
NAMED = [*DATA, "--original", "original"]


@pytest.fixture(scope="module")
def forest(tables: Path) -> Path:
    from regressors.__main__ import main

    out = tables / "forest"
    assert main(["train", str(tables / "train.csv"), *NAMED, "--model", "forest", "--repeats", "1", "--out", str(out)]) == 0
    return out


def read(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as opened:
        return list(csv.DictReader(opened))


def test_select_writes_rows_with_the_probability_that_they_had(run: Run, tables: Path, forest: Path, tmp_path: Path) -> None:
    out = tmp_path / "next.csv"
    arguments = ["select", tables / "test.csv", "--text", "text", "--models", forest, "--by", "uncertain", "--size", "6"]
    code, printed, _ = run(*arguments, "--out", out)
    rows = read(out)
    all_texts = [row["text"] for row in read(tables / "test.csv")]
    sizes = load(forest).uncertainty(all_texts)
    expected = dict(zip(all_texts, inclusion_probabilities(sizes, 6), strict=True))

    assert (code, printed) == (0, f"6 of 30 texts in {out}\n")
    assert list(rows[0]) == ["text", "score", "original", "variant", "annotator", "size", "probability"]
    assert [float(row["probability"]) for row in rows] == pytest.approx([expected[row["text"]] for row in rows])
    code, _, err = run(*arguments, "--out", tmp_path / "again.csv", "--size", "31")
    assert (code, (tmp_path / "again.csv").exists()) == (2, False)
    assert "From 30 texts, 1 to 30 can be selected, not 31" in err


def test_select_refuses_a_column_of_its_own_name(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "texts.csv"
    table.write_text("text,probability\nFerries run.,1\n")
    code, _, err = run("select", table, "--text", "text", "--by", "random", "--size", "1", "--out", tmp_path / "next.csv")
    assert code == 2
    assert "the column 'probability' would be written twice" in err


def test_versions_stand_side_by_side(run: Run, tables: Path, model: Path, forest: Path) -> None:
    arguments = ["versions", tables / "test.csv", *NAMED, "--models", model, forest]
    code, printed, _ = run(*arguments)
    found = json.loads(run(*arguments, "--json")[1])
    first, second = found["versions"]
    gain = second["r_gain"]

    assert code == 0
    assert [first["name"], second["name"], first["r_gain"]] == [str(model), str(forest), None]
    assert printed.startswith("30 texts, 30 judgements, 10 originals (original)\n")
    assert f"  change of r         {gain['value']:.3f}  [{gain['interval']['low']:.3f}, " in printed
    code, _, err = run("versions", tables / "test.csv", *NAMED, "--models", model, model)
    assert (code, "named twice" in err) == (2, True)


def test_versions_refuse_texts_that_one_has_seen(run: Run, tables: Path, model: Path, tmp_path: Path) -> None:
    code, _, err = run("versions", write_table(tmp_path / "seen.csv", 20, seed=1), *NAMED, "--models", model)
    assert code == 2
    assert f"{model}: 60 of the 60 texts are among those that the model was trained on" in err
