"""Files are found by their columns; what cannot be used is named."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from annotation.exchange import incrediblae
from annotation.reproduction.given import Given, ReproductionError
from annotation.reproduction.incrediblae import sections
from scoring.table import TableError
from tests.annotation.exchange.files import INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS, as_bytes, changed

Rows = Sequence[Sequence[str]]


def found(folder: Path) -> str:
    return Given(folder).table(incrediblae.COLUMNS, "incrediblae").file


def test_a_file_is_found_by_its_columns_among_others(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    (tmp_path / "notes.txt").write_bytes(as_bytes(INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS))
    (tmp_path / "below").mkdir()
    file = tmp_path / "below" / "any name.tsv"
    file.write_bytes(as_bytes(INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS, "\t"))
    assert found(tmp_path) == found(file) == str(file)


def test_none_and_several_are_told(tmp_path: Path) -> None:
    with pytest.raises(
        ReproductionError, match=r"no CSV or TSV file here has the columns adversarial_samples, .*fetch incrediblae"
    ):
        found(tmp_path)
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_bytes(as_bytes(INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS))
    with pytest.raises(ReproductionError, match=r"several files .*one\.csv, .*two\.csv\. Name the one meant"):
        found(tmp_path)


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ReproductionError, match="no such file or folder"):
        Given(tmp_path / "nowhere")
    with pytest.raises(ReproductionError, match="study: there is no such file or folder"):
        Given(tmp_path, study=tmp_path / "study")


def without(column: str) -> bytes:
    place = INCREDIBLAE_COLUMNS.index(column)
    rows = [[*row[:place], *row[place + 1 :]] for row in (INCREDIBLAE_COLUMNS, *INCREDIBLAE_ROWS)]
    return as_bytes(rows[0], rows[1:])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (without("annotator2_stance"), r"file\.csv: line 1, column annotator2_stance: required column is missing"),
        (as_bytes(INCREDIBLAE_COLUMNS, ()), r"file\.csv: line 1: there are no rows below the header"),
        (as_bytes(INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS)[:-30], r"file\.csv: line 5: "),
        (
            as_bytes(INCREDIBLAE_COLUMNS, changed(INCREDIBLAE_ROWS, 1, 2, "7")),
            r"file\.csv: line 3, column annotator1_stance: .*7.* is not one of 0, 1, 2",
        ),
        (
            as_bytes(INCREDIBLAE_COLUMNS, changed(INCREDIBLAE_ROWS, 0, 3, "9")),
            r"file\.csv: line 2, column annotator1_confidence: ",
        ),
    ],
)
def test_a_broken_file_is_named_with_line_and_column(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "file.csv").write_bytes(content)
    with pytest.raises(TableError, match=message):
        list(sections(Given(tmp_path)))


def test_a_table_of_other_columns_is_passed_over(tmp_path: Path) -> None:
    with (tmp_path / "file.csv").open("w") as file:
        csv.writer(file).writerows([["original_samples", "x"], ["a", "b"]])
    assert Given(tmp_path).tables(incrediblae.COLUMNS) == []


def test_folders_hold_all_of_the_names(tmp_path: Path, touched: Callable[..., None]) -> None:
    touched("b/run.json", "b/results.jsonl", "a/run.json", "c/d/run.json", "c/d/results.jsonl")
    assert list(Given(tmp_path).folders_with("run.json", "results.jsonl")) == [tmp_path / "b", tmp_path / "c" / "d"]
    assert list(Given(tmp_path).named("run.json")) == [tmp_path / name / "run.json" for name in ("a", "b", "c/d")]


@pytest.fixture
def touched(tmp_path: Path) -> Callable[..., None]:
    def touch(*names: str) -> None:
        for name in names:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).touch()

    return touch
