from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.scoring.texts import tiny

Run = Callable[..., tuple[int, str, str]]
COLUMNS = ("--original", "old", "--adversarial", "new")


@pytest.fixture
def pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PASSABLE_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "pairs.csv"
    path.write_text("old,new\nthe movie was great,the film was great\nrain is expected,rain was expected\n")
    return path


@pytest.mark.parametrize(("kind", "make"), [("bleurt", tiny.bleurt), ("bertscore", tiny.bert)])
def test_a_semantic_scorer_by_path_is_named(
    run: Run, pairs: Path, tmp_path: Path, kind: str, make: Callable[[Path], Path]
) -> None:
    model = make(tmp_path / "tiny-model")
    code, out, err = run("bodega", pairs, *COLUMNS, "--task", "PR", "--semantic", f"{kind}:{model}", "--json")
    found = json.loads(out)
    assert (code, err, found["segmenter"], found["semantic"]["n"]) == (0, "", "whole text", 2)
    assert "tiny-model" in found["semantic_scorer"]["name"]
    assert len(found["semantic_scorer"]["sha256"]) == 64
    assert 0 <= found["semantic"]["value"] <= 1


@pytest.mark.parametrize(
    ("options", "content", "message"),
    [
        (["--semantic", "bleurt:/no"], "old,new\nx,y\n", "/no: there is no such folder; give the folder that holds config.json"),
        (["--semantic", "glove"], "old,new\nx,y\n", "'glove' is no semantic scorer: it is one of none, encoder, bleurt:PATH"),
        (["--compat", "bodega"], "old,new\n ,\n", "BODEGA divides by zero on successful pair 1: neither text has a token"),
    ],
)
def test_errors_are_one_line(run: Run, tmp_path: Path, options: list[str], content: str, message: str) -> None:
    path = tmp_path / "F.csv"
    path.write_text(content)
    code, out, err = run("bodega", path, *COLUMNS, *options)
    assert (code, out, err.count("\n"), message in err) == (2, "", 1, True), err
