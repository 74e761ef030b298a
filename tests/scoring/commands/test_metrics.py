from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.scoring.texts import tiny

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PASSABLE_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "pairs.csv"
    rows = ["a b c,a b c,1", "a b c,a b d,2", "the film ran,the movie ran,2.5", "x y z,q r s,5", ",added,", "p q,p,4"]
    path.write_text("old,new,score\n" + "\n".join(rows) + "\n")
    return path


def test_the_command(run: Run, pairs: Path, tmp_path: Path) -> None:
    model, out = tiny.bleurt(tmp_path / "tiny-bleurt"), tmp_path / "metrics.csv"
    options = [
        "--original",
        "old",
        "--adversarial",
        "new",
        "--human",
        "score",
        "--bleurt",
        str(model),
        "--out",
        str(out),
        "--json",
    ]
    code, out_text, _ = run("metrics", pairs, *options)
    found = json.loads(out_text)
    assert code == 0
    assert (found["pairs"], found["originals"]) == (6, 5)
    assert found["computed_by"]["bleurt"]["name"] == "BLEURT (tiny-bleurt)"
    assert found["computed_by"]["bleu"].startswith("sacrebleu nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp")
    assert found["metrics"]["rouge1"]["mean"]["left_out"] == {"too few words": 1}
    assert found["metrics"]["rouge1"]["pearson"]["value"] < 0 < found["metrics"]["character_distance"]["pearson"]["value"]
    header, *lines = out.read_text().splitlines()
    assert header.split(",")[:2] == ["line", "bleu"]
    assert [line.split(",")[0] for line in lines] == ["2", "3", "4", "5", "6", "7"]
    assert dict(zip(header.split(","), lines[4].split(","), strict=True))["rouge1"] == ""
    for name, cell in zip(header.split(",")[1:], lines[0].split(",")[1:], strict=True):
        assert found["metrics"][name]["mean"]["n"] >= 4 and math.isfinite(float(cell))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--human", "new"], "pairs.csv: line 2, column new: 'a b c' is not a number"),
        (["--human", "none"], "pairs.csv: line 1, column none: required column is missing"),
        (["--bleurt", "/no/such/model"], "/no/such/model: there is no such folder"),
        (["--meaningbert", "."], "no config.json there"),
        (["--out", "/no/such/folder/metrics.csv"], "/no/such/folder/metrics.csv: cannot be written (No such file or directory)."),
    ],
)
def test_errors_are_one_line(run: Run, pairs: Path, options: list[str], message: str) -> None:
    code, out, err = run("metrics", pairs, "--original", "old", "--adversarial", "new", *options)
    assert (code, out, err.count("\n"), message in err) == (2, "", 1, True), err


def test_a_place_that_cannot_be_written_is_told_before_anything_is_computed(
    run: Run, pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scoring.commands.metrics.all_metrics", lambda *_: pytest.fail("computed"))
    for out, problem in ((tmp_path / "none" / "x.csv", "No such file or directory"), (tmp_path, "Is a directory")):
        code, _, err = run("metrics", pairs, "--original", "old", "--adversarial", "new", "--out", out)
        assert (code, err) == (2, f"scoring: {out}: cannot be written ({problem}).\n")


def test_a_command_that_fails_leaves_no_file(run: Run, pairs: Path, tmp_path: Path) -> None:
    out, kept = tmp_path / "new.csv", tmp_path / "old.csv"
    kept.write_text("mine")
    for path in (out, kept):
        options = ["--original", "old", "--adversarial", "new", "--out", path, "--bleurt", "/no/such/model"]
        assert run("metrics", pairs, *options)[0] == 2
    assert (out.exists(), kept.read_text()) == (False, "mine")


@pytest.mark.published_data
def test_the_680_published_pairs(run: Run, published_data: Callable[[str], Path]) -> None:
    file = str(published_data("incrediblae_manual_evaluation.csv"))
    options = ["--original", "original_samples", "--adversarial", "adversarial_samples", "--human", "agreed_labels", "--json"]
    code, out, _ = run("metrics", file, *options)
    found = json.loads(out)
    assert code == 0
    assert (found["pairs"], found["originals"]) == (680, 345)
    assert found["metrics"]["character_score"]["mean"]["value"] == pytest.approx(0.9665708471, abs=1e-10)
    assert found["metrics"]["character_score"]["pearson"]["value"] == pytest.approx(-0.3130, abs=1e-4)
