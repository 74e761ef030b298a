"""The command line; `test_train_as_json_is_the_card` has the embedded encoder from end to end."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from regressors.__main__ import main
from regressors.rows import TrainingRows

Lines = list[dict[str, object]]


def write_table(path: Path, rows: TrainingRows) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "score", "original"])
        writer.writerows(zip(rows.texts, rows.scores, rows.originals or [], strict=True))
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("command-line")


@pytest.fixture
def model(folder: Path, make_rows: Callable[..., TrainingRows], capsys: pytest.CaptureFixture[str]) -> Path:
    out = folder / "model"
    if not out.exists():
        data = write_table(folder / "train.csv", make_rows(20, judgements=2))
        options = ["--text", "text", "--score", "score", "--original", "original", "--model", "ridge", "--seed", "5"]
        assert main(["train", str(data), *options, "--out", str(out)]) == 0
        (folder / "printed.txt").write_text(capsys.readouterr().out)
    return out


def test_train_prints_r_interval_and_ceiling(model: Path, folder: Path) -> None:
    card = json.loads((model / "card.json").read_text())
    printed = (folder / "printed.txt").read_text().splitlines()

    r, ceiling = card["evaluation"]["r"], card["evaluation"]["noise_ceiling"]
    assert printed[0] == "60 texts, 120 judgements, 20 originals (original); label: median"
    assert printed[1].split() == [
        "Pearson", "r", f"{r['value']:.3f}", f"[{r['interval']['low']:.3f},", f"{r['interval']['high']:.3f}]", "n", "=", "60",
    ]  # fmt: skip
    assert printed[2].startswith(f"Spearman            {card['evaluation']['spearman']['value']:.3f}")
    assert printed[3].startswith(f"noise ceiling       {ceiling['value']:.3f}")
    assert printed[-1] == f"Saved to {model}, SHA-256 {card['sha256']}"
    assert card["seed"] == 5


def test_train_as_json_is_the_card(
    folder: Path, make_rows: Callable[..., TrainingRows], capsys: pytest.CaptureFixture[str]
) -> None:
    data = write_table(folder / "few.csv", make_rows(5))
    arguments = [str(data), "--text", "text", "--score", "score", "--out", str(folder / "few"), "--json", "--scale", "0", "6"]

    assert main(["train", *arguments]) == 0
    card = json.loads(capsys.readouterr().out)
    assert {**card, "files": None} == {**json.loads((folder / "few" / "card.json").read_text()), "files": None}
    assert card["data"]["scale"] == [0, 6]
    assert card["data"]["grouping"] == "near duplicates"


def test_predict_a_file(model: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = folder / "new.tsv"
    data.write_text('body\nthe council opened the bridge\n"  "\nteh cuoncilqx opneedqx teh brigdeqx\n', encoding="utf-8")

    assert main(["predict", str(model), str(data), "--text", "body"]) == 0
    lines: Lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert [line["text"] for line in lines] == ["the council opened the bridge", "  ", "teh cuoncilqx opneedqx teh brigdeqx"]
    assert lines[1] == {"text": "  ", "score": None, "reason": "the text is empty"}
    for line in (lines[0], lines[2]):
        assert 1 <= line["low"] <= line["score"] <= line["high"] <= 5  # type: ignore[operator]
    assert lines[0]["score"] < lines[2]["score"]  # type: ignore[operator]


def test_predict_lines_of_standard_input(
    model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are UTF-8 whatever the locale says, with a byte order mark or without."""
    said = "one line\r\nanother — line\n"
    given = [io.StringIO(said)]
    for encoding, errors in (("utf-8", "strict"), ("latin-1", "strict"), ("ascii", "surrogateescape")):
        for mark in ("", "\ufeff"):
            given.append(io.TextIOWrapper(io.BytesIO(f"{mark}{said}".encode()), encoding=encoding, errors=errors))
    for stream in given:
        monkeypatch.setattr(sys, "stdin", stream)
        assert main(["predict", str(model)]) == 0
        assert [json.loads(line)["text"] for line in capsys.readouterr().out.splitlines()] == ["one line", "another — line"]

    for encoding in ("utf-8", "latin-1"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"tea\ncaf\xe9\n"), encoding=encoding))
        assert main(["predict", str(model)]) == 2
        said_of_it = capsys.readouterr().err
        assert said_of_it == "python -m regressors predict: Standard input is not UTF-8 (line 2, byte 0xe9).\n"


def test_evaluate_as_json_and_as_text(
    model: Path, folder: Path, make_rows: Callable[..., TrainingRows], capsys: pytest.CaptureFixture[str]
) -> None:
    data = write_table(folder / "test.csv", make_rows(15, seed=9))
    arguments = ["evaluate", str(model), str(data), "--text", "text", "--score", "score", "--original", "original"]

    assert main([*arguments, "--json"]) == 0
    evaluation = json.loads(capsys.readouterr().out)
    assert evaluation["r"]["value"] > 0.6
    assert evaluation["noise_ceiling"]["reason"]["code"] == "not_repeated"
    assert evaluation["model"]["sha256"] == json.loads((model / "card.json").read_text())["sha256"]

    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert f"Pearson r           {evaluation['r']['value']:.3f}" in printed
    assert "noise ceiling       none: " in printed


def test_evaluating_on_the_training_data_is_refused(model: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(model), str(folder / "train.csv"), "--text", "text", "--score", "score"]) == 2
    assert "60 of the 60 texts are among those that the model was trained on" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("text,score\nfine,2\nfine too,seven\n", [], "bad.csv: line 3, column score: 'seven' is not a number"),
        ("text,score\nfine,2\nfine too,7\n", [], "bad.csv: line 3, column score: 7 is outside the scale 1 to 5"),
        ("text,score\nfine,nan\n", [], "bad.csv: line 2, column score: 'nan' is not a number"),
        ("text,score\n ,2\n", [], "bad.csv: line 2, column text: the text is empty"),
        ("text,score\nfine,\n", [], "bad.csv: line 2, column score: the cell is empty"),
        ("text,mark\nfine,2\n", [], "column score: required column is missing: score; found text, mark"),
        ("text,score\n", [], "bad.csv: line 1: there is a header, but no row under it"),
        ("text,score\na,1\nb,2\nc,3\n", [], "At least 10 different texts are needed"),
        ("text,score,original\na,1,x\nb,2,\n", ["--original", "original"], "line 3, column original: the cell is empty"),
        ("text,score\na,1\n", ["--scale", "5", "1"], "The scale 5 to 1 does not rise"),
        (f"text,score\n{'b' * 100_000},1\n", [], "line 2, column text: the text has 100,000 characters"),
    ],
)
def test_bad_data_are_one_line_and_write_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, options: list[str], message: str
) -> None:
    data = tmp_path / "bad.csv"
    data.write_text(content, encoding="utf-8")
    arguments = ["train", str(data), "--text", "text", "--score", "score", *options, "--out", str(tmp_path / "model")]

    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert [entry.name for entry in tmp_path.iterdir()] == ["bad.csv"]


def test_bad_commands_are_one_line(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        (["predict", str(tmp_path)], "has no card.json"),
        (["predict", str(model), "file.csv"], "Give a FILE together with --text COL"),
        (["predict", str(model), str(tmp_path / "none.csv"), "--text", "text"], "there is no such file"),
        (["train", "data.csv", "--text", "t", "--score", "s", "--out", str(tmp_path)], "exists already"),
        (
            ["train", "data.csv", "--text", "t", "--score", "s", "--out", "/dev/null/model"],
            "/dev/null/model cannot be made",
        ),
    ):
        assert main(arguments) == 2
        captured = capsys.readouterr()
        assert message in captured.err
        assert captured.err.count("\n") == 1


def test_bad_options_end_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--seed", "-1"], ["--jobs", "0"], ["--scale", "1", "inf"], ["--label", "mode"]):
        with pytest.raises(SystemExit) as ended:
            main(["train", "data.csv", "--text", "t", "--score", "s", "--out", "x", *options])
        assert ended.value.code == 2
    assert "invalid" in capsys.readouterr().err


def test_the_module_runs_and_help_loads_no_torch() -> None:
    code = "import sys, regressors.__main__, regressors.training, regressors.storage; print('torch' in sys.modules)"
    root = Path(__file__).parents[2]

    printed = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == "False"
    helped = subprocess.run([sys.executable, "-m", "regressors", "--help"], cwd=root, capture_output=True, text=True, check=True)
    assert all(command in helped.stdout for command in ("train", "evaluate", "compare", "predict", "explain"))
