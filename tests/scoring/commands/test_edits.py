from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.__main__ import main
from scoring.texts.edit_kinds import KINDS

FILE = "before,after,who\na clean room,a c lean room,one\nthe end,teh end,two\nsame,same,two\n"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(FILE)
    return path


def run(pairs: Path, *more: str) -> int:
    return main(["edits", str(pairs), "--original", "before", "--adversarial", "after", *more])


def counted(**wanted: int) -> dict[str, int]:
    return {kind: wanted.get(kind, 0) for kind in KINDS}


def test_counts_and_edits_as_json(pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(pairs, "--by", "who", "--json") == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    listed = result.pop("pairs")
    assert result == {
        "named_entities_by": "capitalised span",
        "all": {"pairs": 3, "changed": 2, "edits": counted(split=1, swap=1)},
        "by": {
            "one": {"pairs": 1, "changed": 1, "edits": counted(split=1)},
            "two": {"pairs": 2, "changed": 1, "edits": counted(swap=1)},
        },
    }
    assert [(pair["line"], pair["counts"]) for pair in listed] == [(2, counted(split=1)), (3, counted(swap=1)), (4, counted())]
    assert listed[0]["edits"] == [
        {
            "kind": "split",
            "original_span": [3, 3],
            "modified_span": [3, 4],
            "original": "",
            "modified": " ",
            "words": ["clean", "c lean"],
            "method": "",
        }
    ]


def test_counts_to_read_leave_single_edits_out(pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(pairs) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["named_entities_by: capitalised span", "all.pairs: 3", "all.changed: 2"]
    assert len(lines) == 3 + len(KINDS)


def test_a_missing_column_is_named(pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(pairs, "--by", "team") == 2
    assert "column team: required column is missing: team; found before, after, who" in capsys.readouterr().err
