from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]
COLUMNS = ("--item", "text", "--score", "score")


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """Eight texts, each in two variants under two instructions."""
    path = tmp_path / "judged.csv"
    rows = ["text,score,group,asked"]
    for i in range(8):
        for j, group in enumerate(("orig", "bae")):
            rows += [f"t{i},{1 + j + (i + k) % 3},{group},{asked}" for k, asked in enumerate(("long", "short", "short"))]
    path.write_text("\n".join(rows) + "\n")
    return path


def result(run: Run, *arguments: object) -> dict[str, Any]:
    code, out, err = run(*arguments, "--json")
    assert (code, err) == (0, "")
    found: dict[str, Any] = json.loads(out, parse_constant=lambda constant: pytest.fail(f"{constant} in the output"))
    return found


def test_deviation_tells_its_bounds(run: Run, judged: Path) -> None:
    found = result(run, "deviation", judged, *COLUMNS, "--group", "group", "--scale", "1,5")
    assert (found["scale"], found["scale_from"], found["overall"]["n"]) == ([1, 5], "--scale", 16)
    assert found["bounds"] == [{"judgements": 3, "low": 0.0, "high": pytest.approx(4 / 3)}]
    assert result(run, "deviation", judged, *COLUMNS)["scale"] == [1, 4]


def test_the_published_counts_as_a_file(run: Run, tmp_path: Path) -> None:
    """Tonni, Faustini and Dras 2024, Table 6: C·δ of 315 texts with three judgements each; prints δ = 0.61."""
    of_three = {0: "222", 1: "223", 2: "123", 3: "124", 4: "135"}
    counts = {0: 43, 1: 104, 2: 57, 3: 88, 4: 23}
    path = tmp_path / "counts.csv"
    rows = [f"{sum_}-{i},{score}" for sum_, count in counts.items() for i in range(count) for score in of_three[sum_]]
    path.write_text("\n".join(["text,score", *rows]) + "\n")
    found = result(run, "deviation", path, *COLUMNS)
    assert (round(found["overall"]["value"], 3), found["counts"]) == (0.607, list(counts.values()))


def test_likert(run: Run, judged: Path) -> None:
    found = result(run, "likert", judged, *COLUMNS, "--group", "group", "--scale", "1,5")
    assert [(v["variant"], v["counts"], v["mean"]["value"]) for v in found["variants"]] == [
        ("bae", [0, 8, 8, 8, 0], 3.0),
        ("orig", [8, 8, 8, 0, 0], 2.0),
    ]
    assert found["splits"]["all"]["symmetric"]["left_out"] == {"at the middle": 16}
    assert found["anova"]["degrees_of_freedom"] == [1, 46]
    assert [(c["first"], c["second"], c["difference"]["value"]) for c in found["tukey"]] == [("bae", "orig", 1.0)]
    # Every text differs by exactly one between its variants, which leaves no spread within originals.
    assert found["within_originals"]["f"]["reason"]["code"] == "all_equal"
    assert "anova" not in result(run, "likert", judged, *COLUMNS)


def test_instructions(run: Run, judged: Path) -> None:
    found = result(run, "instructions", judged, *COLUMNS, "--group", "group", "--instruction", "asked")
    assert (found["first"], found["second"], list(found["variants"])) == ("long", "short", ["bae", "orig"])
    assert found["interaction_p"]["reason"] or 0 <= found["interaction_p"]["value"] <= 1


@pytest.mark.parametrize(
    ("command", "content", "message"),
    [
        ("likert F --item a --score b --scale 1,5", "a,b\nx,6\n", "F: line 2, column b: '6' is not one of 1, 2, 3, 4, 5"),
        ("likert F --item a --score b --scale 5,1", "a,b\nx,6\n", "'5,1' does not rise"),
        ("deviation F --item a --score b --scale 1", "a,b\nx,6\n", "'1' is not LOW,HIGH, such as 1,5"),
        ("deviation F --item a --score b --scale 1,²", "a,b\nx,6\n", "is not LOW,HIGH"),
        (
            "likert F --item a --score b --scale 0,1001",
            "a,b\nx,6\n",
            "A scale from 0 to 1001 has 1,002 points; 1,001 are the most",
        ),
        (
            "likert F --item a --score b",
            "a,b\nx,1000\ny,1000000\n",
            "F: column b: A scale from 1000 to 1000000 has 999,001 points; 1,001 are the most. Are these scores? Name the ends",
        ),
        (
            "likert F --item a --score b --original c",
            "a,b,c\nx,1,p\nx,2,q\n",
            "F: line 3, column c: this item has another original",
        ),
        ("instructions F --item a --score b --group c --instruction c", "a,b,c\nx,1,p\n", "two instructions are compared, not 1"),
        (
            "instructions F --item a --score b --group c --instruction d",
            "a,b,c,d\nx,1,p,1\nx,1,q,2\n",
            "No variant was judged under both instructions",
        ),
    ],
)
def test_errors_say_where_and_what_to_do(run: Run, tmp_path: Path, command: str, content: str, message: str) -> None:
    path = tmp_path / "F"
    path.write_text(content)
    code, out, err = run(*[path if word == "F" else word for word in command.split()])
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize(
    "content", ["text,score,group\na,1,x\n", "text,score,group\na,1,x\nb,1,x\na,1,y\nb,1,y\n"], ids=["one", "equal"]
)
@pytest.mark.parametrize("command", ["likert", "deviation"])
def test_poor_files_give_reasons(run: Run, tmp_path: Path, content: str, command: str) -> None:
    path = tmp_path / "poor.csv"
    path.write_text(content)
    result(run, command, path, *COLUMNS, "--group", "group")


def test_a_scale_may_begin_below_zero(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("text,score\na,-5\nb,5\n")
    for scale in (("--scale", "-5,5"), ("--scale=-5,5",)):
        assert result(run, "likert", path, *COLUMNS, *scale)["counts"] == [1, *[0] * 9, 1]
