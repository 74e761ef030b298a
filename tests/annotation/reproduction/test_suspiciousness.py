from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.exchange import mturk
from annotation.protocols.analysis import Table
from annotation.reproduction import suspicion_models
from annotation.reproduction.given import Given, ReproductionError
from annotation.reproduction.suspiciousness import (
    AGGREGATE_COLUMNS,
    PARTS,
    SINGLE,
    deviation,
    judgements,
    material,
    nearest_originals,
    scores,
    sections,
)
from scoring.table import TableError, read_table
from tests.annotation.exchange.files import MTURK_COLUMNS, as_bytes, opinion
from tests.annotation.reproduction.shown import estimate, here, printed, tables_of

FIRST, SECOND = "a warm and very funny film about two brothers .", "the plot is thin and its jokes are older than the cast ."
TWISTED = FIRST.replace("warm", "wram")
SWAPPED = SECOND.replace("thin", "lean")
ROWS = (
    opinion(FIRST, 1, "orig"),
    opinion(SECOND, 2, "orig"),
    opinion(SWAPPED, 2, "textfooler"),
    opinion(SWAPPED, 2, "alzantot"),
    *(opinion(TWISTED, score, "pruthi_common") for score in (2, 5, 4)),
    opinion("nothing like any other text in this file at all", 5, "bae"),
)
LABELS = ((FIRST, 1, "orig"), (TWISTED, 5, "pruthi"), (SWAPPED, 2, "textfooler"))
STUDY = [{
    "tau": 2.5, "flow": {"over": 4, "lowered": 3, "kept": 2},
    "intervals": {"bounds": [], "before": [0, 0, 1, 2, 1, 0, 0, 0], "after": [1, 2, 1, 0, 0, 0, 0, 0]},
    "scores": [[3, 1.5, 2.75, 2.0], [7, 1.25, 3.0, 1.75]],
}]  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "single.csv").write_bytes(as_bytes(MTURK_COLUMNS, ROWS))
    return folder


@pytest.fixture
def aggregate(data: Path) -> Path:
    path = data / "aggregate.csv"
    path.write_bytes(as_bytes(AGGREGATE_COLUMNS, [(text, f"{score}", group, "TRUE") for text, score, group in LABELS]))
    return data


def tables(data: Path, **more: Any) -> dict[str, Table]:
    return tables_of(sections(Given(data, **more)))


def test_every_part_is_there_and_says_what_it_lacks(data: Path) -> None:
    found = list(sections(Given(data)))
    assert [section.part for section in found] == list(PARTS)
    lacking = {section.part.name: section.lacks for section in found if section.lacks}
    assert list(lacking) == [
        "Tables 1 to 4", "Table 5", "Table 9", "Table 11", "Table 12", "Table 13", "Table 14", "Table 15", "Figure 3",
    ]  # fmt: skip
    assert lacking["Table 5"].startswith("the aggregate file (columns text, suspicion.score, group, common)")


def test_labels_are_medians_and_texts_of_two_attackers_count_twice(data: Path) -> None:
    found = tables(data)
    assert list(here(found["material"]).values()) == [8, 5, 5, 4, 1, 3]
    scores = here(found["table-5"])
    assert [scores[f"score {point}"] for point in range(1, 6)] == [1, 3, 0, 1, 1]
    assert (scores["texts"], scores["mean, pruthi"], scores["mean, original"]) == (6, 4.0, 1.5)
    assert here(found["table-6"])["δ"] == 1.0
    assert [row[1:6] for row in found["table-5-distribution"].rows if row[0] == "original"] == [[1, 1, 0, 0, 0]]
    assert (here(found["tables-7-8"])["4 or 5, all"], here(found["tables-7-8"])["2 or more, all"]) == (2 / 6, 5 / 6)


def test_the_aggregate_file_stands_beside_it(aggregate: Path) -> None:
    found = tables(aggregate)
    assert [here(found["table-5-aggregate"])[f"score {point}"] for point in range(1, 6)] == [1, 1, 0, 0, 1]
    assert list(here(found["aggregate-labels"]).values()) == [1, 0, 1]


def test_an_aggregate_file_with_a_wrong_cell_is_refused(aggregate: Path) -> None:
    path = aggregate / "aggregate.csv"
    path.write_bytes(path.read_bytes().replace(b'"5"', b'"6"'))
    with pytest.raises(TableError, match=r"aggregate\.csv: line 3, column suspicion\.score"):
        tables(aggregate)


def test_a_text_is_compared_with_the_nearest_original(data: Path) -> None:
    judged = judgements(read_table(data / "single.csv", required=()))
    nearest = {judged.text_of[item]: original for item, original in nearest_originals(judged).items()}
    assert nearest == {SWAPPED: SECOND, TWISTED: FIRST, "nothing like any other text in this file at all": None}
    assert tables(data)["table-10"].note.startswith("3 of 4 adversarial texts have an original")


def test_what_follows_from_printed_counts(data: Path) -> None:
    found = tables(data)
    assert here(found["table-6"])["δ from the printed counts alone"] == pytest.approx(0.607, abs=5e-4)
    flow = printed(found["table-14"])
    assert here(found["table-14"])["lowered, 42 of 61"] == pytest.approx(0.6885, abs=5e-5)
    assert flow["lowered, 42 of 61"] == ("80.32 %", pytest.approx(-0.1147, abs=5e-5))
    assert flow["lowered, 20 of 27"] == ("74.07 %", pytest.approx(0, abs=5e-5))
    votes = found["table-15"]
    assert here(votes)["p, exact two-sided binomial test"] == pytest.approx(0.0106, abs=5e-5)
    assert here(votes)["pairs of which the constrained text was preferred"] == 18


def test_a_study_fills_table_14_and_figure_3(data: Path, tmp_path: Path) -> None:
    (tmp_path / "study.json").write_text(json.dumps(STUDY))
    found = tables(data, study=tmp_path)
    table = found["table-14-at-2.5"]
    assert list(here(table).values())[:3] == [4, 3, 2]
    assert estimate(table, "share lowered").value == 0.75
    assert [row[1:] for row in found["table-14-scores-at-2.5"].rows] == [
        [0, 1], [0, 2], [1, 1], [2, 0], [1, 0], [0, 0], [0, 0], [0, 0],
    ]  # fmt: skip
    drawn = found["figure-3-at-2.5"].plot
    assert drawn is not None
    assert [(each["side"], each["value"]) for each in drawn.values] == [
        ("without", 2.75), ("with", 2.0), ("without", 3.0), ("with", 1.75),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, r"there is no study\.json here"),
        ("[{}]", r"study\.json: this is no report of a study"),
        ("{", "no report of a study"),
    ],
)
def test_a_folder_without_a_study_is_refused(content: str | None, message: str, data: Path, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "study.json").write_text(content)
    with pytest.raises(ReproductionError, match=message):
        tables(data, study=tmp_path)


def test_regressors_are_compared_and_the_best_one_stands_beside_print(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}
    told = {"value": 0.2, "reason": None, "n": 9, "method": "r", "left_out": {}, "interval": None, "labels_declared": [],
            "labels_seen": [], "no_interval": None}  # fmt: skip
    lower = told | {"value": 0.1}
    report = {
        "selected": "boosting",
        "models": [
            {"model": "boosting", "r": told, "noise_ceiling": told},
            {"model": "linear", "r": lower, "noise_ceiling": told},
        ],
        "ablation": [{"set": "all", "r": told}],
        "transfer": [{"trained_on": "bae", "tested_on": "pruthi", "r": lower}],
    }

    def compare(rows: Any, folder: Path, settings: Any, *, progress: Any) -> dict[str, Any]:
        asked.update(rows=rows, folder=folder, settings=settings)
        return report | {"settings": settings.as_dict()}

    monkeypatch.setattr("regressors.comparison.report.compare", compare)
    found = tables(data, regressors="quick", kept=tmp_path / "kept")
    asked["settings"].check()
    assert {name: getattr(asked["settings"], name) for name in suspicion_models.QUICK} == suspicion_models.QUICK
    assert (len(asked["rows"].texts), sorted(asked["rows"].scores)) == (8, [1, 2, 2, 2, 2, 4, 5, 5])
    assert asked["rows"].originals[0] == asked["rows"].originals[4]  # an original and its variant
    assert printed(found["table-11"])["r, boosting"] == ("0.515", pytest.approx(-0.315))
    assert printed(found["table-11"])["r, linear"][0] == "not at hand"
    assert here(found["table-13"]) == {"r, bae to pruthi": 0.1}
    assert "3 folds" in found["table-12"].note


@pytest.mark.published_data
def test_the_part_of_the_released_file(published_data: Callable[[str], Path]) -> None:
    judged = judgements(Given(published_data("suspicion_mturk_dev.csv")).table(mturk.COLUMNS, "suspiciousness"))
    assert list(here(material(judged)).values()) == [2880, 2700, 2700, 2676, 60, 180]
    sums = here(deviation(judged)[0])
    assert (round(sums["δ"], 4), [sums[f"texts with C·δ = {total}"] for total in range(5)]) == (0.5556, [14, 16, 9, 18, 3])
    found = {table.key: table for table in scores({SINGLE: judged})}
    assert sum(here(found["table-5"])[f"score {point}"] for point in range(1, 6)) == 2760
    f_test = {row[0]: row[1].value for row in found["table-5-variance"].rows}
    assert f_test["analysis of variance, judgements taken as independent"] == pytest.approx(
        22.693653, abs=1e-6
    )  # SciPy's f_oneway
    assert printed(found["table-5-close"]).keys() == {"Tukey’s p, alzantot and original", "Tukey’s p, original and textfooler"}
    assert sum(original is not None for original in nearest_originals(judged).values()) == 2159
