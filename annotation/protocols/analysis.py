"""Figures and tables as values: the same analysis becomes a page, a report, or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.result import Estimate


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that stands with its interval and n. `scale` is the range that its interval is drawn on."""

    key: str
    title: str
    estimate: Estimate
    style: str = "number"
    detail: str = ""
    scale: tuple[float, float] | None = None

    def as_dict(self) -> dict[str, Any]:
        return {"title": self.title, "detail": self.detail, **self.estimate.as_dict()}


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first column names the row. Cells are text, whole numbers, floats or Estimates."""

    key: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "note": self.note,
            "columns": list(self.columns),
            "rows": [[cell.as_dict() if isinstance(cell, Estimate) else cell for cell in row] for row in self.rows],
        }


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
