from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.judgements.agreement import cohen_kappa
from scoring.judgements.pools import krippendorff_alpha

Run = Callable[..., tuple[int, str, str]]

ANSWERS = {"t1": "aab", "t2": "bbb", "t3": "ab", "t4": "ccc", "t5": "bca", "t6": "a"}
POOLS = {"x": "experts", "y": "experts", "z": "crowd"}
LONG = ("--item", "text", "--annotator", "who", "--label", "said")


@pytest.fixture
def long(tmp_path: Path) -> Path:
    path = tmp_path / "long.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "who", "said", "sure", "pool", "original"])
        for text, labels in ANSWERS.items():
            for who, label in zip("xyz", labels, strict=False):
                writer.writerow([text, who, label, ord(label) % 5, POOLS[who], int(text[1]) // 2])
    return path


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    path = tmp_path / "wide.csv"
    rows = [",".join([text, *labels.ljust(3)]) for text, labels in ANSWERS.items()]
    path.write_text("\n".join(["text,x,y,z", *rows]) + "\n")
    return path


def result(run: Run, *arguments: object) -> dict[str, Any]:
    code, out, err = run("agreement", *arguments, "--json")
    assert (code, err) == (0, "")
    found: dict[str, Any] = json.loads(out, parse_constant=lambda constant: pytest.fail(f"{constant} in the output"))
    return found


def test_both_forms_of_a_file_give_the_same(run: Run, long: Path, wide: Path) -> None:
    by_columns, by_rows = result(run, wide, "--annotators", "x,y,z"), result(run, long, *LONG)
    assert (by_columns.pop("rows"), by_rows.pop("rows")) == (6, 15)
    for found in (by_columns, by_rows):
        assert found["items"] == 6
    assert {key: by_columns[key] for key in ("labels", "annotators")} == {key: by_rows[key] for key in ("labels", "annotators")}
    assert [pair["confusion"] for pair in by_columns["pairs"]] == [pair["confusion"] for pair in by_rows["pairs"]]
    assert {name: value["value"] for name, value in by_columns["pool"].items() if name != "confusion"} == {
        name: value["value"] for name, value in by_rows["pool"].items() if name != "confusion"
    }


def test_the_pool_is_that_of_the_library(run: Run, wide: Path) -> None:
    units = [dict(zip("xyz", labels, strict=False)) for labels in ANSWERS.values()]
    found = result(run, wide, "--annotators", "x,y,z", "--level", "ordinal", "--weights", "linear", "--labels", "a,b,c")
    assert found["pool"]["krippendorff_alpha"]["value"] == krippendorff_alpha(units, ["a", "b", "c"], level="ordinal").value
    assert found["pool"]["krippendorff_alpha"]["left_out"] == {"judged fewer than twice": 1}
    assert found["pool"]["fleiss_kappa"]["reason"]["code"] == "unequal_raters"
    first, second = ([unit.get(who) for unit in units] for who in "xy")
    kappa = cohen_kappa(first, second, ["a", "b", "c"], weights="linear")
    assert found["pairs"][0]["cohen_kappa"]["value"] == kappa.value


def test_labels_that_are_numbers_are_in_their_order(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("a,b\n10,9\n2.0,2\n10,10\n9,2\n")
    found = result(run, path, "--annotators", "a,b", "--level", "interval")
    assert found["labels"] == ["2", "9", "10"]
    units = [{"a": a, "b": b} for a, b in [("10", "9"), ("2", "2"), ("10", "10"), ("9", "2")]]
    expected = krippendorff_alpha(units, found["labels"], level="interval", values=[2, 9, 10])
    assert found["pool"]["krippendorff_alpha"]["value"] == expected.value


def test_confidence_and_two_pools(run: Run, long: Path) -> None:
    found = result(run, long, *LONG, "--confidence", "sure", "--pool", "pool", "--cluster", "original")
    assert [level["confidence"] for level in found["confidence"]["levels"]] == [2, 3, 4]
    assert "3 clusters" in found["pool"]["krippendorff_alpha"]["interval"]["method"]
    assert set(found["pools"]) == {"kappa", "alpha", "deviation"}
    assert found["pools"]["kappa"]["pools"]["crowd"]["reason"]["code"] == "no_common_item"


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("text,who,said\na,x,1\na,x,2\n", LONG, "F: line 3, column who: 'x' has already judged this item in line 2"),
        ("text,who,said\na,,1\n", LONG, "F: line 2, column who: the cell is empty"),
        ("text,who,said\na,x,\n", LONG, "F: no cell of said holds a label"),
        ("text,who,said\na,x,1\n", LONG[:4], "Give --annotators, or all of --item, --annotator and --label"),
        ("text,who,said\na,x,1\n", (*LONG, "--annotators", "a,b"), "Give --annotators, or all of"),
        ("text,who,said\na,x,1\n", (), "--annotators needs at least two different columns"),
        ("a,b\n1,2\n", ("--annotators", "a,b", "--confidence", "a"), "--confidence and --pool go with --item"),
        ("text,who,said\na,x,huh\n", (*LONG, "--level", "interval"), "F: the label 'huh' is no number"),
        ("text,who,said\na,x,nan\n", (*LONG, "--level", "interval"), "F: the label 'nan' is no number"),
        ("a,b\n1_0,10\n2,2\n", ("--annotators", "a,b", "--level", "interval"), "F: the label '1_0' is no number"),
        (
            "a,b\n1e1,10\n2,2\n",
            ("--annotators", "a,b", "--level", "interval"),
            "F: the labels '10' and '1e1' are the same number",
        ),
        ("a,b\n1e300,2\n2,2\n", ("--annotators", "a,b", "--level", "interval"), "F: the label '1e300' is no number up to 1e+100"),
        ("a,b,c\n1,2,p\n2,2, \n", ("--annotators", "a,b", "--cluster", "c"), "F: line 3, column c: the cell is empty"),
        ("text,who,said,c\na,x,1,\n", (*LONG, "--cluster", "c"), "F: line 2, column c: the cell is empty"),
        ("a,b\n1,2\n", ("--annotators", "a,b", "--labels", ""), "--labels is given without a value"),
        ("a,b\n1,2\n", ("--annotators", "a,b", "--cluster", ""), "--cluster is given without a value"),
        ("a,b\n1,2\n", ("--annotators", "a,b", "--labels", "1,,2"), "'1,,2' holds an empty label"),
        ("a,b\n1,2\n", ("--annotators", "a,b", "--labels", "1,1.0,2"), "--labels names a label twice"),
        ("text,who,said,c\na,x,1,p\na,y,1,q\n", (*LONG, "--cluster", "c"), "line 3, column c: this item is in another cluster"),
        ("text,who,said,c\na,x,1,p\nb,x,1,q\n", (*LONG, "--pool", "c"), "line 3, column c: 'x' is in another pool"),
        ("text,who,said,c\na,x,1,p\nb,x,1,p\n", (*LONG, "--pool", "c"), "Two pools are compared, not 1"),
        ("text,who,said,c\na,x,1,high\n", (*LONG, "--confidence", "c"), "line 2, column c: 'high' is not a whole number"),
        ("a,b\n1,2\n", ("--annotators", "a,b", "--labels", "1"), "line 2, column b: '2' is not one of 1"),
        ("a,b\n" + "".join(f"x{i},y{i}\n" for i in range(400)), ("--annotators", "a,b"), "are they labels?"),
    ],
)
def test_errors_say_where_and_what_to_do(run: Run, tmp_path: Path, content: str, options: tuple[str, ...], message: str) -> None:
    path = tmp_path / "F"
    path.write_text(content)
    code, out, err = run("agreement", path, *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize(
    "content",
    ["a,b\n1,1\n1,1\n", "a,b\n1,\n,1\n", "a,b\n1,2\n", f"a,b\n{'x' * 100_000},1\n1,1\n", "a,b\n1,\U0001f600\n\u202e,1\n"],
    ids=["one label", "no common item", "one item", "long labels", "odd characters"],
)
@pytest.mark.parametrize("form", [["--json"], []])
def test_poor_files_give_reasons_and_never_a_traceback(run: Run, tmp_path: Path, content: str, form: list[str]) -> None:
    path = tmp_path / "poor.csv"
    path.write_text(content)
    code, out, err = run("agreement", path, "--annotators", "a,b", *form)
    assert (code, err) == (0, "")
    assert "nan" not in out.lower().replace("annotator", "")


def test_bytes_that_are_no_text_are_written_out(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "judged.csv"
    path.write_text("a,b\n1,1\n1,1\n")
    code, out, _ = run("agreement", path, "--annotators", "a,b", "--labels", "1,\udcff")
    assert code == 0
    assert "labels: 1 \\udcff" in out.splitlines()


def test_labels_are_written_in_the_command_as_in_the_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "judged.csv"
    path.write_text("a,b\n0.0,-1\n1.0,1\n-1,0\n")
    plain, decimal = (result(run, path, "--annotators", "a,b", "--labels", named) for named in ("-1,0,1", "-1.0,0.0,1.0"))
    assert plain == decimal
    assert plain["labels"] == ["-1", "0", "1"]
