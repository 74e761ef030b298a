"""Estimates, tables and counts on a page, in the same words and digits as in reports and on the terminal."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotation.exchange.wording import shown_cell, shown_circumstances, shown_number, shown_value
from annotation.protocols.analysis import Figure
from scoring.result import Estimate

register = template.Library()

SHARES = ("share", "kept")
"""Columns of an analysis' tables that hold a part of a whole, from 0 to 1: these also get a bar."""


@register.filter
def thousands(number: int) -> str:
    """A count with separators: 1,626."""
    return f"{number:,}"


@register.filter
def value(figure: Figure) -> str:
    """The figure's value, or that there is none."""
    return shown_value(figure.estimate, figure.style)


@register.filter
def circumstances(figure: Figure) -> str:
    """The interval or the reason, n, and what was left out."""
    return shown_circumstances(figure.estimate, figure.style)


@register.filter
def number(given: float | None) -> str:
    """A plain number as reports show it."""
    return shown_cell(given)


@register.filter
def percent(given: float | None) -> str:
    """A share as per cent with one decimal."""
    return shown_cell(None) if given is None else shown_number(given, "share")


@register.simple_tag
def interval_plot(figure: Figure) -> SafeString | str:
    """The interval as a bar on the figure's scale with the value as a line; nothing where one of them is missing."""
    estimate, scale = figure.estimate, figure.scale
    if estimate.value is None or estimate.interval is None or scale is None:
        return ""
    low, high, at = (_place(bound, scale) for bound in (estimate.interval.low, estimate.interval.high, estimate.value))
    label = f"{shown_circumstances(estimate, figure.style)}; scale from {scale[0]:g} to {scale[1]:g}"
    return format_html(
        '<svg class="interval-plot" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<rect x="0" y="3" width="100" height="4" class="ground"/><rect x="{}" y="3" width="{}" height="4" class="range"/>'
        '<rect x="{}" y="0" width="1" height="10" class="mark"/></svg>',
        label, f"{low:.2f}", f"{high - low:.2f}", f"{min(at, 99):.2f}",
    )  # fmt: skip


@register.simple_tag
def share_bar(share: float) -> SafeString:
    """A bar as long as the share, from 0 to 1."""
    return format_html(
        '<svg class="share-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="100" height="6" class="ground"/><rect width="{}" height="6" class="mark"/></svg>',
        f"{100 * min(max(share, 0.0), 1.0):.2f}",
    )


@register.filter
def shown_rows(table: Any) -> list[list[tuple[str, float | None]]]:
    """The table's cells as text, each with the share that its bar shows, if it is one."""
    return [[_cell(cell, column) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows]


def _cell(cell: Any, column: str) -> tuple[str, float | None]:
    if column not in SHARES:
        return shown_cell(cell), None
    share = cell.value if isinstance(cell, Estimate) else cell
    if not isinstance(cell, Estimate):
        return percent(share), share
    interval = cell.interval and f" ({shown_number(cell.interval.low, 'share')} to {shown_number(cell.interval.high, 'share')})"
    return shown_value(cell, "share") + (interval or ""), share


def _place(bound: float, scale: tuple[float, float]) -> float:
    low, high = scale
    return 100 * (min(max(bound, low), high) - low) / (high - low)
