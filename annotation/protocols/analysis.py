"""Figures and tables as values: the same analysis becomes a page, a report, or JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor
from typing import Any

from scoring.result import Estimate
from scoring.wording import digits

from .plots import Plot

LONG = 12
"""A cell's text of more characters than these is long."""


@dataclass(frozen=True, slots=True)
class Bar:
    """An estimate on its scale, in per cent of the width: the interval from `low` on, the value at `mark`, the scale's ends."""

    low: float
    width: float
    mark: float
    ends: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that stands with its interval and n. `scale` is the range that its interval is drawn on."""

    key: str
    title: str
    estimate: Estimate
    style: str = "number"
    detail: str = ""
    scale: tuple[float, float] | None = None

    @property
    def bar(self) -> Bar | None:
        """The interval and the value on the scale, which is widened where they reach past it: nothing is cut off."""
        value, interval = self.estimate.value, self.estimate.interval
        if value is None or interval is None or self.scale is None:
            return None
        low, high = min(self.scale[0], floor(min(interval.low, value))), max(self.scale[1], ceil(max(interval.high, value)))
        start, end, mark = (100 * (at - low) / (high - low) for at in (interval.low, interval.high, value))
        return Bar(start, end - start, mark, (digits(low, "g"), digits(high, "g")))

    @property
    def method(self) -> str:
        """How the value and its interval were computed, without repeating what the title says; empty where nothing is left."""
        name = self.title.split(", ")[0].lower()
        parts = [part for part in self.estimate.method.split(", ") if part.lower() != name]
        interval = self.estimate.interval
        return "; ".join(part for part in (", ".join(parts), f"interval: {interval.method}" if interval else "") if part)

    def as_dict(self) -> dict[str, Any]:
        return {"title": self.title, "detail": self.detail, **self.estimate.as_dict()}


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first column names the row. Cells are text, whole numbers, floats, Estimates, Figures or None.

    `styles` says of a column what its numbers are where they are not plain ones: "share" (a part of a whole, from 0 to 1, shown
    as per cent with a bar), "points" (a difference of shares, shown in percentage points), "p" (a p-value) or "n" (each with
    its own n, where no column has it); a Figure brings its own. Page, report and terminal all show a cell by its style. A table
    that can be seen better than read brings its plot. `links` are the addresses on this site that rows lead to from a page, if
    they lead anywhere: as many as rows.
    """

    key: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    note: str = ""
    styles: Mapping[str, str] = field(default_factory=dict)
    plot: Plot | None = None
    links: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.links and len(self.links) != len(self.rows):
            raise ValueError(f"The table {self.key} has {len(self.rows)} rows and {len(self.links)} links.")
        if unknown := set(self.styles) - set(self.columns):
            raise ValueError(f"The table {self.key} has no column {', '.join(sorted(unknown))} to style.")

    @property
    def wide(self) -> bool:
        """Whether half a page is too narrow for it: it has many columns, several with long texts, or more than one with
        intervals or bars."""
        cells = [(column, cell) for row in self.rows for column, cell in zip(self.columns, row, strict=True)]
        shown = [(column, *_styled(cell, self.styles.get(column, "number"))) for column, cell in cells]
        roomy = {column for column, cell, style in shown if getattr(cell, "interval", None) or style == "share"}
        long = {column for column, cell in cells if column != self.columns[0] and _is_long(cell)}
        return len(self.columns) > 5 or len(roomy) > 1 or len(long) > 2

    @property
    def worded(self) -> frozenset[int]:
        """The places of the columns behind the first that hold texts, long ones among them, and are read from the left."""
        columns = list(zip(*self.rows, strict=True))
        texts = (place for place, cells in enumerate(columns) if place and all(isinstance(cell, str) for cell in cells))
        return frozenset(place for place in texts if any(map(_is_long, columns[place])))

    @property
    def cells(self) -> list[list[tuple[Any, str]]]:
        """The rows, each cell with its style."""
        styles = [self.styles.get(column, "number") for column in self.columns]
        return [[_styled(cell, style) for cell, style in zip(row, styles, strict=True)] for row in self.rows]

    def as_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "note": self.note,
            "columns": list(self.columns),
            "styles": dict(self.styles),
            "rows": [[_as_value(cell) for cell in row] for row in self.rows],
        }


def _is_long(cell: Any) -> bool:
    return isinstance(cell, str) and len(cell) > LONG


def _styled(cell: Any, style: str) -> tuple[Any, str]:
    return (cell.estimate, cell.style) if isinstance(cell, Figure) else (cell, style)


def _as_value(cell: Any) -> Any:
    if isinstance(cell, Figure):
        return cell.estimate.as_dict()
    return cell.as_dict() if isinstance(cell, Estimate) else cell


@dataclass(frozen=True, slots=True)
class Analysis:
    """All that follows from a campaign's judgements, with the method in words."""

    method: str
    figures: Sequence[Figure]
    tables: Sequence[Table] = field(default=())

    def as_dict(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "figures": {figure.key: figure.as_dict() for figure in self.figures},
            "tables": {table.key: table.as_dict() for table in self.tables},
        }
