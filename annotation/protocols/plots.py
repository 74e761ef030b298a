"""How tables are drawn: Vega-Lite marks and encodings over values in long form. Order, words or position say whatever colour
says. Width, fonts and the colours of axes are the business of whoever draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scoring.result import Estimate
from scoring.wording import shown_cell

STEPS: Final = ("#e6eef8", "#c3d7ef", "#97b9e0", "#6a98cd", "#3f73b0", "#285a97", "#163f73")
"""From little to much. Words on the first four are dark, on the others light."""
DARK_WORDS, LIGHT_WORDS, MARK, QUIET = "#1d2129", "#ffffff", "#1f4f8f", "#5c6470"
LIGHT_FROM: Final = 4
NARROWEST: Final = 0.04
"""The part of a bar from which on its own name fits into it."""
LONGEST_LEVEL: Final = 4
"""So many characters of a name stand level below its columns; longer ones would meet, and are turned."""


@dataclass(frozen=True, slots=True)
class Plot:
    """Values and how they are drawn. `about` says in words what can be seen, without the values: these are in the table."""

    about: str
    values: Sequence[Mapping[str, Any]]
    marks: Mapping[str, Any]


def parts(rows: Sequence[tuple[str, Sequence[int]]], names: Sequence[str], *, row: str, part: str) -> Plot | None:
    """For each row a bar cut into its parts, in their order, each with its name in it where there is room."""
    values: list[dict[str, Any]] = []
    for title, counts in rows:
        total, before = sum(counts), 0
        for place, count in enumerate(counts):
            if count:
                values.append({
                    "row": title, "part": names[place], "low": before / total, "high": (before + count) / total,
                    "middle": (before + count / 2) / total, "words": names[place] if _fits(names[place], count / total) else "",
                    "light": step(place, len(names)) >= LIGHT_FROM,
                })  # fmt: skip
            before += count
    if not values:
        return None
    shades = [STEPS[step(place, len(names))] for place in range(len(names))]
    colour = {"field": "part", "type": "nominal", "title": part, "scale": {"domain": list(names), "range": shades}}
    words = {"condition": {"test": "datum.light", "value": LIGHT_WORDS}, "value": DARK_WORDS}
    share = {"type": "quantitative", "title": "share", "axis": {"format": "%"}, "scale": {"domain": [0, 1]}}
    bars = {
        "mark": {"type": "bar", "stroke": LIGHT_WORDS, "strokeWidth": 1},
        "encoding": {"x": {"field": "low", **share}, "x2": {"field": "high"}, "color": colour},
    }
    inside = {
        "mark": {"type": "text", "baseline": "middle", "fontSize": 11},
        "encoding": {"x": {"field": "middle", "type": "quantitative"}, "text": {"field": "words"}, "color": words},
    }
    lines = {"field": "row", "type": "nominal", "title": row, "sort": [title for title, _ in rows]}
    about = f"Bars cut by {part}, one for each {row}."
    return Plot(about, values, {"layer": [bars, inside], "encoding": {"y": lines}})


def intervals(
    rows: Iterable[tuple[str, Estimate]],
    *,
    row: str,
    value: str,
    style: str = "number",
    scale: tuple[float, float] | None = None,
    against: float | None = None,
) -> Plot | None:
    """For each row its value as a point on its interval; a broken line where all of them are compared with one number."""
    found = [(title, each) for title, each in rows if each.value is not None]
    spans = [
        (title, each.value, *((each.interval.low, each.interval.high) if each.interval else (each.value, each.value)))
        for title, each in found
    ]
    about = f"For each {row} a point at its {value}, and a line as long as the interval."
    return spanned(spans, row=row, value=value, style=style, scale=scale, against=against, about=about)


def spanned(
    rows: Sequence[tuple[str, Any, Any, Any]],
    *,
    row: str,
    value: str,
    about: str,
    style: str = "number",
    scale: tuple[float, float] | None = None,
    against: float | None = None,
) -> Plot | None:
    """Rows of a name, a value and the two ends of a line around it."""
    if not rows:
        return None
    values = [{"row": title, "value": at, "low": low, "high": high} for title, at, low, high in rows]
    bounds = {"scale": {"domain": list(scale)} if scale else {"zero": False, "nice": True}}
    axis = {"axis": {"format": "%"}} if style == "share" else {}
    x = {"type": "quantitative", "title": value, **bounds, **axis}
    line = {"type": "rule", "strokeWidth": 2, "color": MARK}
    point = {"type": "point", "filled": True, "size": 80, "opacity": 1, "color": MARK}
    layers: list[dict[str, Any]] = [
        {"mark": line, "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}}},
        {"mark": point, "encoding": {"x": {"field": "value", **x}}},
    ]
    if against is not None:
        broken = {"type": "rule", "strokeDash": [4, 4], "color": QUIET}
        layers.insert(0, {"mark": broken, "encoding": {"x": {"datum": against, **x}, "y": None}})
        about += f" A broken line stands at {shown_cell(float(against), style)}."
    lines = {"field": "row", "type": "nominal", "title": row, "sort": [title for title, *_ in rows]}
    for layer in layers:
        layer["encoding"].setdefault("y", lines)
    return Plot(about, values, {"layer": layers})


def matrix(cells: Sequence[tuple[str, str, float, str]], names: Sequence[str], *, value: str) -> Plot | None:
    """A square for every two names, darker where the value is higher, with the value in it. Cells: row, column, value, words."""
    if not cells:
        return None
    values = [
        {"row": row, "column": column, "words": words, "shade": STEPS[shade], "light": shade >= LIGHT_FROM}
        for row, column, at, words in cells
        for shade in [step(round(max(at, 0.0) * (len(STEPS) - 1)), len(STEPS))]
    ]
    square = {
        "mark": {"type": "rect", "stroke": LIGHT_WORDS},
        "encoding": {"color": {"field": "shade", "type": "nominal", "scale": None}},
    }
    words = {"condition": {"test": "datum.light", "value": LIGHT_WORDS}, "value": DARK_WORDS}
    inside = {"mark": {"type": "text"}, "encoding": {"text": {"field": "words"}, "color": words}}
    about = f"A square for every two of {', '.join(names)}, darker where their {value} is higher, which is written into it."
    side = {"type": "nominal", "title": None, "sort": list(names)}
    top = {"axis": {"labelAngle": 0, "orient": "top"}}
    sides = {"x": {"field": "column", **side, **top}, "y": {"field": "row", **side}}
    return Plot(about, values, {"width": {"step": 52}, "height": {"step": 32}, "layer": [square, inside], "encoding": sides})


def over_time(rows: Sequence[tuple[str, int]], *, value: str) -> Plot | None:
    """A line that climbs from day to day, if there are two. Rows: the day as 2026-01-31, and how many there were by its end."""
    if len(rows) < 2:
        return None
    values = [{"day": day, "value": count} for day, count in rows]
    ticks = {"format": "%-d %b %Y", "labelOverlap": "greedy", "labelSeparation": 12, "tickCount": {"interval": "day", "step": 1}}
    days = {
        "field": "day", "type": "temporal", "title": "day (UTC)", "timeUnit": "utcyearmonthdate", "scale": {"type": "utc"},
        "axis": ticks,
    }  # fmt: skip
    count = {"field": "value", "type": "quantitative", "title": value, "axis": {"tickMinStep": 1}}
    mark = {"type": "line", "interpolate": "linear", "color": MARK, "point": {"color": MARK, "filled": True}}
    about = f"A line of the {value} from {rows[0][0]} to {rows[-1][0]}."
    return Plot(about, values, {"height": 180, "mark": mark, "encoding": {"x": days, "y": count}})


def bars(rows: Sequence[tuple[str, int]], *, row: str, value: str) -> Plot | None:
    """For each row a bar as long as its count."""
    if not any(count for _, count in rows):
        return None
    values = [{"row": title, "value": count} for title, count in rows]
    lines = {"field": "row", "type": "nominal", "title": row, "sort": [title for title, _ in rows]}
    length = {"field": "value", "type": "quantitative", "title": value, "axis": {"tickMinStep": 1}}
    mark = {"type": "bar", "color": MARK}
    return Plot(f"A bar of {value} for each {row}.", values, {"mark": mark, "encoding": {"y": lines, "x": length}})


def scattered(rows: Sequence[tuple[str, Estimate, Estimate]], *, row: str, across: str, up: str) -> Plot | None:
    """For each row, named by a few letters, a point at its two values with a line as long as the interval of the one that rises;
    rows that lack a value are left out."""
    known = [(name, x.value, y) for name, x, y in rows if x.value is not None and y.value is not None]
    if not known:
        return None
    values = [
        {"name": name, "x": x, "y": y.value, "low": y.interval.low if y.interval else y.value,
         "high": y.interval.high if y.interval else y.value}
        for name, x, y in known
    ]  # fmt: skip
    along = {"field": "x", "type": "quantitative", "title": across, "scale": {"zero": True, "nice": True}}
    rising = {"type": "quantitative", "title": up, "scale": {"domain": [0, 1]}}
    line = {
        "mark": {"type": "rule", "strokeWidth": 2, "color": MARK},
        "encoding": {"y": {"field": "low", **rising}, "y2": {"field": "high"}},
    }
    point = {
        "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1, "color": MARK},
        "encoding": {"y": {"field": "y", **rising}},
    }
    words = {
        "mark": {"type": "text", "align": "left", "dx": 8, "dy": -8, "color": DARK_WORDS},
        "encoding": {"y": {"field": "y", **rising}, "text": {"field": "name"}},
    }
    about = f"For each {row} a point: to the right its {across}, upwards its {up}, with a line as long as the interval."
    return Plot(about, values, {"height": 240, "layer": [line, point, words], "encoding": {"x": along}})


def over_limits(
    rows: Sequence[tuple[float, Estimate]], *, limit: str, value: str, without: Estimate, scale: tuple[float, float] | None = None
) -> Plot | None:
    """A line of the value over limits, each point with its interval; a broken line where it is without any limit."""
    known = [(at, each) for at, each in rows if each.value is not None]
    if not known:
        return None
    values = [
        {"limit": at, "value": each.value, "low": each.interval.low if each.interval else each.value,
         "high": each.interval.high if each.interval else each.value}
        for at, each in known
    ]  # fmt: skip
    x = {"field": "limit", "type": "quantitative", "title": limit, "scale": {"zero": False, "nice": True, "padding": 20}}
    x |= {"axis": {"values": [at for at, _ in known]}}
    y = {"type": "quantitative", "title": value, "scale": {"domain": list(scale)} if scale else {"zero": True, "nice": True}}
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "rule", "strokeWidth": 2, "color": MARK},
            "encoding": {"x": x, "y": {"field": "low", **y}, "y2": {"field": "high"}},
        },
        {
            "mark": {"type": "line", "color": MARK, "point": {"color": MARK, "filled": True, "size": 80}},
            "encoding": {"x": x, "y": {"field": "value", **y}},
        },
    ]
    about = f"A line of the {value} over the {limit}, each point with a line as long as its interval."
    if without.value is not None:
        broken = {"type": "rule", "strokeDash": [4, 4], "color": QUIET}
        layers.insert(0, {"mark": broken, "encoding": {"y": {"datum": without.value, **y}}})
        about += " A broken line stands where it is without any limit."
    return Plot(about, values, {"height": 200, "layer": layers})


def paired(rows: Sequence[tuple[float, float]], names: tuple[str, str], *, value: str, against: float) -> Plot | None:
    """For each pair a line from its first to its second value, unbroken where it falls; a broken line at what both are compared
    with."""
    if not rows:
        return None
    values = [
        {"pair": place, "side": side, "value": at, "how": "lower" if second < first else "not lower"}
        for place, (first, second) in enumerate(rows)
        for side, at in zip(names, (first, second), strict=True)
    ]
    x = {"field": "side", "type": "nominal", "title": None, "sort": list(names), "axis": {"labelAngle": 0}}
    y = {"type": "quantitative", "title": value, "scale": {"zero": False, "nice": True}}
    how = {
        "field": "how",
        "type": "nominal",
        "title": None,
        "scale": {"domain": ["lower", "not lower"], "range": [[1, 0], [2, 3]]},
    }
    lines = {
        "mark": {"type": "line", "color": MARK, "opacity": 0.6, "point": {"color": MARK, "filled": True, "size": 30}},
        "encoding": {
            "x": x,
            "y": {"field": "value", **y},
            "detail": {"field": "pair"},
            "strokeDash": {**how, "legend": {"symbolType": "stroke", "symbolStrokeWidth": 2}},
        },
    }
    rule = {"mark": {"type": "rule", "strokeDash": [4, 4], "color": QUIET}, "encoding": {"y": {"datum": against, **y}}}
    about = f"For each pair a line from its {value} {names[0]} to that {names[1]}, unbroken where it falls. "
    about += f"A broken line stands at {against:g}."
    return Plot(about, values, {"width": 240, "height": 280, "layer": [rule, lines]})


def side_by_side(rows: Sequence[tuple[str, Sequence[int]]], names: Sequence[str], *, row: str, value: str) -> Plot | None:
    """For each row, from left to right, a column for each name, in their order and as high as its count."""
    if not any(any(counts) for _, counts in rows):
        return None
    values = [
        {"row": title, "name": name, "value": count} for title, counts in rows for name, count in zip(names, counts, strict=True)
    ]
    shades = [STEPS[2], MARK] if len(names) == 2 else [STEPS[step(place, len(names))] for place in range(len(names))]
    titles = [title for title, _ in rows]
    level = {"labelAngle": -40 if max(map(len, titles)) > LONGEST_LEVEL else 0}
    encoding = {
        "x": {"field": "row", "type": "nominal", "title": row, "sort": titles, "axis": level},
        "xOffset": {"field": "name", "type": "nominal", "sort": list(names)},
        "y": {"field": "value", "type": "quantitative", "title": value, "axis": {"tickMinStep": 1}},
        "color": {
            "field": "name", "type": "nominal", "title": None, "scale": {"domain": list(names), "range": shades},
        },
    }  # fmt: skip
    about = f"For each {row}, from left to right, columns of {value}: {', '.join(names)}."
    return Plot(about, values, {"height": 200, "mark": {"type": "bar"}, "encoding": encoding})


def step(place: int, of: int) -> int:
    """Which of the shades the part at this place has, where there are so many parts."""
    return round(place * (len(STEPS) - 1) / (of - 1)) if of > 1 else 0


def _fits(words: str, share: float) -> bool:
    return share >= max(NARROWEST, len(words) * 0.016)
