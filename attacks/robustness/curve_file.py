"""Constraint robustness curves from tables that were made elsewhere."""

from __future__ import annotations

from pathlib import Path

from attacks.robustness.curve import Curve, Loosest, curve_of
from scoring.table import TableError, read_table


def read_curve(path: Path, columns: tuple[str, str, str], *, loosest: Loosest | None = None) -> Curve:
    """The curve in a CSV or TSV file with a row for each threshold; ``columns`` name the threshold, the first- and the
    second-order rate. Raises `TableError` with the place of what is wrong, and what `curve_of` raises."""
    table = read_table(path, required=columns)
    thresholds, first, second = ([table.number(row, name) for row in table.rows] for name in columns)
    for row, rates in zip(table.rows, zip(first, second, strict=True), strict=True):
        if min(rates) < 0:
            raise table.error(row, columns[1 + rates.index(min(rates))], "a rate must not be negative")
    if len(table.rows) < 2:
        raise TableError(path.name, "a curve needs two thresholds or more")
    return curve_of(thresholds, first, second, loosest=loosest)
