"""A small model and its data, made once for the tests of all commands."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from regressors.__main__ import main
from tests.regressors.conftest import judged_texts

DATA = ["--text", "text", "--score", "score"]


def write_table(path: Path, originals: int, seed: int) -> Path:
    """Three texts of each original, by "plain", "=one" and "two" in turn, judged by "Ann"."""
    rows = judged_texts(originals, seed=seed)
    variants = ["plain", "=one", "two"] * originals
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "score", "original", "variant", "annotator"])
        writer.writerows((*row, "Ann") for row in zip(rows.texts, rows.scores, rows.originals or [], variants, strict=True))
    return path


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with train.csv and test.csv, of different originals."""
    folder = tmp_path_factory.mktemp("tables")
    write_table(folder / "train.csv", 20, seed=1)
    write_table(folder / "test.csv", 10, seed=2)
    return folder


@pytest.fixture(scope="session")
def model(tables: Path) -> Path:
    """A folder; nobody may change it."""
    out = tables / "model"
    options = [*DATA, "--original", "original", "--variant", "variant", "--annotator", "annotator", "--model", "ridge"]
    assert main(["train", str(tables / "train.csv"), *options, "--out", str(out)]) == 0
    return out


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Exit code, standard output and standard error of a command."""

    def run(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run
