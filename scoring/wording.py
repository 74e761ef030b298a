"""Numbers in words: how pages, reports and terminals show counts, estimates and table cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.result import Estimate

NOT_DEFINED = "not defined"
EMPTY = "–"


def counted(count: int, one: str, more: str = "") -> str:
    """How many of what: 1 answer, 1,626 answers. `more` is the word for several where that is not `one` with an s."""
    return f"{count:,} {one if count == 1 else more or f'{one}s'}"


def digits(value: float, spec: str) -> str:
    """The number as the format says, with a real minus sign, and none before what is only zeros."""
    return f"{value:z{spec}}".replace("-", "\N{MINUS SIGN}")


def shown_number(value: float, style: str = "number") -> str:
    """Three decimals, per cent with one for the style 'share', percentage points with one for the style 'points' (a difference of
    shares), or one for the style 'count'. A p-value too small for that is told as such."""
    if style == "p" and value < 0.001:
        return "< 0.001"
    if style == "share":
        return f"{digits(100 * value, '.1f')} %"
    if style == "points":
        return f"{digits(100 * value, '.1f')} pp"
    return digits(value, ",.1f" if style == "count" else ".3f")


def shown_value(estimate: Estimate, style: str = "number") -> str:
    """The value alone, or that there is none."""
    return NOT_DEFINED if estimate.value is None else shown_number(estimate.value, style)


def shown_interval(estimate: Estimate, style: str = "number") -> str:
    """The interval with its level; empty where there is none."""
    if estimate.interval is None:
        return ""
    low, high = (shown_number(bound, style) for bound in (estimate.interval.low, estimate.interval.high))
    return f"{100 * estimate.interval.level:g} % interval {low} to {high}"


def shown_circumstances(estimate: Estimate, style: str = "number") -> str:
    """Why there is no value, or the interval or why there is none; then n and what was left out."""
    missing = estimate.reason or estimate.no_interval
    first = missing.message.rstrip(".") if missing else shown_interval(estimate, style)
    return "; ".join(part for part in (first, f"n = {estimate.n:,}", _left_out(estimate.left_out)) if part)


def shown_cell(cell: Any, style: str = "number") -> str:
    """One cell of an analysis' table, by the style of its column: of the style "n", estimates tell their n."""
    if cell is None:
        return EMPTY
    if isinstance(cell, Estimate):
        bounds = cell.interval and [shown_number(bound, style) for bound in (cell.interval.low, cell.interval.high)]
        also = [" to ".join(bounds)] if bounds else []
        if style == "n":
            also.append(f"n = {cell.n:,}")
        return shown_value(cell, style) + (f" ({'; '.join(also)})" if also else "")
    if isinstance(cell, float):
        return shown_number(cell, style)
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def _left_out(left_out: Mapping[str, int]) -> str:
    parts = ", ".join(f"{count:,} {cause}" for cause, count in left_out.items() if count)
    return f"left out: {parts}" if parts else ""
