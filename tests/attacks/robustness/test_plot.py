from __future__ import annotations

import json
from pathlib import Path

from attacks.robustness.plot import DASHES, marks_of, values_of, write_plot

CURVES = [
    ("suspicion", [(1.5, 0.0, 0.0), (2.5, 0.5, 0.0), (5.0, 0.9, 0.25)]),
    ("character", [(0.9, 0.2, 0.4), (0.0, 0.9, 1.0)]),
]


def test_all_curves_stand_in_one_plot(tmp_path: Path) -> None:
    write_plot(CURVES, tmp_path)
    whole = json.loads((tmp_path / "curves.vl.json").read_text())
    assert whole["data"]["values"] == [
        {"constraint": name, "place": place, "threshold": threshold, "first": first, "second": second}
        for name, points in CURVES
        for place, (threshold, first, second) in enumerate(points)
    ]
    assert (whole["encoding"]["x"]["field"], whole["encoding"]["y"]["field"]) == ("second", "first")
    svg = (tmp_path / "curves.svg").read_text()
    assert all(f">{name}</text>" in svg for name, _ in CURVES)
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_a_curve_without_a_name_of_its_own_is_still_told_apart() -> None:
    names = [f"c{number}" for number in range(7)]
    line, point = marks_of(names)["layer"]
    for encoding, kinds in ((line["encoding"]["strokeDash"], 5), (point["encoding"]["shape"], 5)):
        assert encoding["scale"]["domain"] == names
        assert len({json.dumps(kind) for kind in encoding["scale"]["range"][:5]}) == kinds == len(DASHES)
        assert encoding["scale"]["range"][5:] == encoding["scale"]["range"][:2]
    assert values_of([("none", [])]) == []
