from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]


def result(run: Run, *arguments: object) -> dict[str, Any]:
    code, out, err = run(*arguments, "--json")
    assert (code, err) == (0, "")
    found: dict[str, Any] = json.loads(out, parse_constant=lambda constant: pytest.fail(f"{constant} in the output"))
    return found


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], Path]:
    def write(content: str) -> Path:
        path = tmp_path / "F"
        path.write_text(content)
        return path

    return write


def test_eighteen_of_twenty_three(run: Run, file: Callable[[str], Path]) -> None:
    """Tonni, Faustini and Dras 2024, section 5.2: p = 0.0106."""
    rows = [f"{i},{'new' if i < 18 else 'old'},{'left' if i % 2 else 'right'}" for i in range(23)]
    path = file("\n".join(["pair,chosen,side", *rows]) + "\n")
    found = result(run, "preference", path, "--item", "pair", "--choice", "chosen", "--side", "side")
    assert round(found["p_value"]["value"], 4) == 0.0106
    assert (found["first"], found["for_first"], found["for_second"], found["tied"]) == ("new", 18, 5, 0)
    assert found["left_share"]["value"] == pytest.approx(11 / 23)
    assert found["dependence"]["reason"]["code"] == "not_repeated"
    turned = result(run, "preference", path, "--item", "pair", "--choice", "chosen", "--choices", "old,new")
    assert (turned["for_first"], turned["left_share"]["reason"]["code"]) == (5, "sides_unknown")


def test_votes_are_gathered_by_item(run: Run, file: Callable[[str], Path]) -> None:
    path = file("pair,chosen\n1,a\n1,b\n1,a\n2,b\n3,a\n3,b\n4,\n")
    found = result(run, "preference", path, "--item", "pair", "--choice", "chosen")
    assert (found["items"], found["for_first"], found["for_second"]) == (4, 1, 1)
    assert found["p_value"]["left_out"] == {"tied": 1, "not judged": 1}


def test_suspected(run: Run, file: Callable[[str], Path]) -> None:
    rows = [f"t{i},{kind},{vote}" for i in range(6) for kind, votes in (("orig", "001"), ("bae", "110")) for vote in votes]
    path = file("\n".join(["text,kind,vote", *rows]) + "\n")
    found = result(run, "suspected", path, "--item", "text", "--vote", "vote", "--group", "kind")
    assert found["overall"]["value"] == 0.5
    assert [(v["variant"], v["items"], v["share"]["value"]) for v in found["variants"]] == [
        ("bae", 6, pytest.approx(2 / 3)),
        ("orig", 6, pytest.approx(1 / 3)),
    ]
    assert found["variants"][0]["p_value"]["reason"]["code"] == "no_spread"
    assert found["items"][0] == {"item": "t0", "variant": "orig", "votes": 3, "score": pytest.approx(1 / 3)}
    named = file("text,said\na,computer\na,human\nb,human\n")
    assert result(run, "suspected", named, "--item", "text", "--vote", "said", "--yes", "computer")["overall"]["value"] == 1 / 3


def test_ranking(run: Run, file: Callable[[str], Path]) -> None:
    kept = {"a": 2, "b": 9, "c": 6}
    rows = [f"{team},{0 if i < count else 1},o{i},{0.1 * count}" for team, count in kept.items() for i in range(10)]
    path = file("\n".join(["team,label,text,bodega", *rows, "a,,o1,"]) + "\n")
    columns = ("--attacker", "team", "--label", "label", "--preserved", "0", "--original", "text", "--automatic", "bodega")
    found = result(run, "ranking", path, *columns)
    assert (found["examples"], found["without_a_label"]) == (31, 1)
    assert [(row["attacker"], row["place"], row["automatic_place"]) for row in found["attackers"]] == [
        ("b", 1, 1),
        ("c", 2, 2),
        ("a", 3, 3),
    ]
    assert found["spearman"]["value"] == pytest.approx(1.0)
    assert "McNemar" in found["comparisons"][0]["p_value"]["method"]


@pytest.mark.parametrize(
    ("command", "content", "message"),
    [
        ("preference F --item a --choice b", "a,b\n1,x\n2,y\n3,z\n", "F: line 4, column b: 'z' is a third choice"),
        ("preference F --item a --choice b", "a,b\n1,x\n", "F: column b: one choice was found, 'x'; name both with --choices"),
        ("preference F --item a --choice b", "a,b\n1,\n", "F: column b: no cell holds a choice"),
        ("preference F --item a --choice b --choices x", "a,b\n1,x\n", "--choices takes two different names"),
        ("preference F --item a --choice b --choices x,y", "a,b\n1,z\n", "F: line 2, column b: 'z' is not one of x, y"),
        ("preference F --item a --choice b --choices x,y --side c", "a,b,c\n1,x,up\n", "'up' is not one of left, right"),
        (
            "preference F --item a --choice b --choices x,y --cluster c",
            "a,b,c\n1,x,p\n1,x,q\n",
            "line 3, column c: this item is in",
        ),
        ("preference F --item a --choice b --cluster c", "a,b,c\n1,x,p\n2,y,\n", "F: line 3, column c: the cell is empty"),
        ("preference F --item a --choice b --choices x,,y", "a,b\n1,x\n", "'x,,y' holds an empty label"),
        ("suspected F --item a --vote b --yes=", "a,b\n1,yes\n", "--yes is given without a value"),
        ("preference F --item a --choice b", "", "F: the file is empty"),
        ("suspected F --item a --vote b", "a,b\n1,maybe\n", "line 2, column b: 'maybe' is not one of true, false"),
        ("suspected F --item a --vote b --yes x", "a,b\n1,y\n", "F: column b: no cell says 'x'"),
        ("ranking F --attacker a --label b --preserved 0", "a,b\nx,1\n", "F: no row has the label 0; found 1"),
        ("ranking F --attacker a --label b --preserved 0", "a,b\nx,\n", "F: column b: no cell holds a label"),
        ("ranking F --attacker a --label b --preserved 0", "a,b\n,0\n", "F: line 2, column a: the cell is empty"),
        ("ranking F --attacker a --label b --preserved 0 --automatic c", "a,b,c\nx,0,inf\n", "column c: 'inf' is not a number"),
        (
            "ranking F --attacker a --label b --preserved 0 --automatic c",
            "a,b,c\nx,0,1_000\n",
            "column c: '1_000' is not a number",
        ),
        ("ranking F --attacker a --label b --preserved 0 --automatic c", "a,b,c\nx,0,1e300\n", "column c: '1e300' is too large"),
    ],
)
def test_errors_say_where_and_what_to_do(run: Run, file: Callable[[str], Path], command: str, content: str, message: str) -> None:
    path = file(content)
    code, out, err = run(*[path if word == "F" else word for word in command.split()])
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_labels_are_written_in_the_command_as_in_the_file(run: Run, file: Callable[[str], Path]) -> None:
    path = file("item,said\na,1.0\nb,0.0\nc,0\n")
    for one, zero in (("1", "0"), ("1.0", "0.0")):
        assert result(run, "suspected", path, "--item", "item", "--vote", "said", "--yes", one)["overall"]["value"] == 1 / 3
        ranked = result(run, "ranking", path, "--attacker", "item", "--label", "said", "--preserved", zero)
        assert [row["preserved"]["value"] for row in ranked["attackers"]] == [1, 1, 0]
        chosen = result(run, "preference", path, "--item", "item", "--choice", "said", "--choices", f"{one},{zero}")
        assert (chosen["first"], chosen["for_first"], chosen["for_second"]) == ("1", 1, 2)
