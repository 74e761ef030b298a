"""Constraint robustness curves as a plot: one line for each constraint (Morris 2020, figure 3), as Vega-Lite, SVG and PNG."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from attacks.results import write_atomically

SPECIFICATION, SVG, PNG = "curves.vl.json", "curves.svg", "curves.png"
Curves = Sequence[tuple[str, Iterable[tuple[float, float, float]]]]
"""By name of the constraint, its points from the strictest threshold to the loosest: threshold, first-, second-order rate."""
VEGA_LITE: Final = "6.4"
COLOURS: Final = ("#1f4f8f", "#a4491d", "#3a7d44", "#7a4d9a", "#8a6d1a")
DASHES: Final = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (4, 4))
SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross")


def values_of(curves: Curves) -> list[dict[str, Any]]:
    """The points in long form; ``place`` counts them along their curve, which may stand still in both directions."""
    return [
        {"constraint": name, "place": place, "threshold": threshold, "first": first, "second": second}
        for name, points in curves
        for place, (threshold, first, second) in enumerate(points)
    ]


def marks_of(names: Sequence[str]) -> dict[str, Any]:
    """Marks and encodings: colour, dashes and shape all say which constraint it is. After five they come again."""

    def one_of(kinds: Sequence[Any]) -> dict[str, Any]:
        scale = {"domain": list(names), "range": [kinds[place % len(kinds)] for place in range(len(names))]}
        return {"field": "constraint", "type": "nominal", "title": None, "scale": scale}

    share = {"type": "quantitative", "scale": {"domain": [0, 1]}, "axis": {"format": "%"}}
    encoding = {
        "x": {"field": "second", "title": "second order: the constraint accepts a spoiled text", **share},
        "y": {"field": "first", "title": "first order: the attack succeeds", **share},
        "color": one_of(COLOURS),
    }
    line = {
        "mark": {"type": "line", "strokeWidth": 2},
        "encoding": {"order": {"field": "place"}, "strokeDash": one_of([list(dash) for dash in DASHES])},
    }
    point = {
        "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
        "encoding": {"shape": one_of(SHAPES)},
    }
    return {"height": 300, "layer": [line, point], "encoding": encoding}


def write_plot(curves: Curves, out: Path) -> None:
    """Write the specification and its drawings into the folder ``out``."""
    import vl_convert

    whole = {
        "$schema": f"https://vega.github.io/schema/vega-lite/v{VEGA_LITE.partition('.')[0]}.json",
        "width": 400,
        **marks_of([name for name, _ in curves]),
        "data": {"values": values_of(curves)},
        "config": {"background": "white", "legend": {"orient": "top"}, "view": {"stroke": None}},
    }
    write_atomically(out / SPECIFICATION, json.dumps(whole, indent=2, allow_nan=False) + "\n")
    write_atomically(out / SVG, vl_convert.vegalite_to_svg(whole, vl_version=VEGA_LITE))
    (out / PNG).write_bytes(vl_convert.vegalite_to_png(whole, vl_version=VEGA_LITE, scale=2))
