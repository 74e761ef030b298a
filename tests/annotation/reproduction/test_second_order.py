from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from annotation.protocols.analysis import Table
from annotation.reproduction.given import Given, ReproductionError
from annotation.reproduction.second_order import JUDGEMENT_COLUMNS, PARTS, SIMULATED, sections
from attacks.robustness.curve import accs, curve_of
from tests.annotation.reproduction.shown import here, printed, tables_of


def tables(data: Path) -> dict[str, Table]:
    return tables_of(sections(Given(data)))


def measured(folder: Path) -> None:
    curve = {"threshold": [0.9, 0.5, 0.0], "first": [0.0, 0.4, 0.8], "second": [0.0, 0.2, 0.5]}
    found = accs(curve_of(*curve.values(), loosest="lowest")).as_dict()
    each = {"name": "encoder", "curve": curve, "accs": found, "examples": 10, "too_short": 0}
    folder.mkdir(parents=True)
    (folder / "robustness.json").write_text(json.dumps({"settings": {}, "constraints": [each]}))


def test_the_printed_examples_need_no_data(tmp_path: Path) -> None:
    found = list(sections(Given(tmp_path)))
    assert [section.part for section in found] == list(PARTS)
    assert [bool(section.lacks) for section in found] == [False, True, True, True, True]
    examples = tables_of(found)["figure-2"]
    assert list(here(examples).values()) == [pytest.approx(value, abs=1e-3) for value in (0.091, 0.5, 0.909, 0.5)]
    assert [difference for _, difference in printed(examples).values()] == [pytest.approx(0, abs=1e-3)] * 4
    assert here(tables_of(found)["table-2"]) == {"nine votes for a person, one for a computer": 0.1}


def test_curves_below_the_folder_are_found(tmp_path: Path) -> None:
    measured(tmp_path / "some" / "where")
    found = tables(tmp_path)
    assert found["curves"].rows == [
        ["encoder", 0.9, 0.0, 0.0, 10],
        ["encoder", 0.5, 0.4, 0.2, 10],
        ["encoder", 0.0, 0.8, 0.5, 10],
    ]
    drawn = found["curves"].plot
    assert drawn is not None
    assert [(each["first"], each["second"]) for each in drawn.values] == [(0.0, 0.0), (0.4, 0.2), (0.8, 0.5)]
    assert here(found["accs"]) == {"encoder": pytest.approx((0.04 + 0.18) / 0.4)}


@pytest.mark.parametrize("content", ["{}", "[", '{"constraints": [{}]}'])
def test_a_report_that_is_none_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "robustness.json").write_text(content)
    with pytest.raises(ReproductionError, match=r"robustness\.json: this is no report of a measurement"):
        tables(tmp_path)


def test_votes_by_variant(tmp_path: Path) -> None:
    rows: list[tuple[Any, ...]] = [
        *((1, "o1", "", "original", label, True, False) for label in ("human", "human", "human", "altered")),
        *((2, "o1", "", "bae", label, True, False) for label in ("altered", "human")),
        (2, "o1", "", "bae", "altered", False, False),
    ]
    with (tmp_path / "judgements.csv").open("w", newline="") as file:
        csv.writer(file).writerows([JUDGEMENT_COLUMNS, *rows])
    table = tables(tmp_path)["votes"]
    assert [[row[0], row[1], row[2].value, row[2].n] for row in table.rows] == [
        ["bae", 1, 0.5, 2], ["original", 1, 0.25, 4], ["all", 2, pytest.approx(2 / 6), 6],
    ]  # fmt: skip
    assert table.note == ""
    with (tmp_path / "judgements.csv").open("a", newline="") as file:
        csv.writer(file).writerow((3, "o2", "", "bae", "human", True, True))
    assert tables(tmp_path)["votes"].note == SIMULATED


def test_a_pair_is_of_the_variant_of_its_second_text(tmp_path: Path) -> None:
    with (tmp_path / "judgements.csv").open("w", newline="") as file:
        csv.writer(file).writerows([JUDGEMENT_COLUMNS, (1, "o1", "bae", "original", "human", True, False)])
    assert [row[0] for row in tables(tmp_path)["votes"].rows] == ["bae", "all"]


def test_judgements_of_another_protocol_are_passed_over(tmp_path: Path) -> None:
    with (tmp_path / "judgements.csv").open("w", newline="") as file:
        csv.writer(file).writerows([JUDGEMENT_COLUMNS, (1, "o1", "", "bae", "preserve", True, False)])
    assert "votes" not in tables(tmp_path)
