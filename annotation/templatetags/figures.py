"""Estimates, tables and counts on a page, in the same words and digits as in reports and on the terminal."""

from __future__ import annotations

import re
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from annotation.models import Upload
from annotation.protocols.analysis import Figure, Table
from annotation.queries.items import items_said
from attacks.names import victim_name
from scoring.result import Estimate
from scoring.wording import counted, digits, shown_cell, shown_circumstances, shown_number, shown_value

register = template.Library()


@register.filter
def thousands(number: int) -> str:
    """A count with separators: 1,626."""
    return f"{number:,}"


@register.filter
def value(figure: Figure) -> str:
    """The figure's value, or that there is none."""
    return shown_value(figure.estimate, figure.style)


@register.filter
def circumstances(figure: Figure) -> SafeString:
    """The interval or the reason, n, and what was left out; no line ends within “n = 21”."""
    parts = re.split(r"(n = [\d,]+)", shown_circumstances(figure.estimate, figure.style))
    kept = [format_html('<span class="nowrap">{}</span>', part) if number % 2 else part for number, part in enumerate(parts)]
    return format_html_join("", "{}", ((part,) for part in kept))


@register.filter
def number(given: float | None) -> str:
    """A plain number as reports show it."""
    return shown_cell(given)


@register.filter
def end(given: float) -> str:
    """An end of a scale, with no more decimals than it has."""
    return digits(given, "g")


@register.filter
def amount(given: float) -> str:
    """A sum of money, with two decimals."""
    return digits(given, ",.2f")


@register.filter
def whole(given: float | None) -> str:
    """Seconds, without decimals."""
    return shown_cell(None if given is None else round(given))


@register.filter
def count(number: int, words: str) -> str:
    """How many of what: `3|count:"answer"` is 3 answers; `2|count:"person,people"` gives both words."""
    return counted(number, *words.split(","))


@register.simple_tag
def items_of(upload: Upload) -> str:
    """How many items came of a file."""
    return items_said(upload.added - upload.known, upload.known)


@register.filter
def victim(name: str) -> str:
    """A victim's name as people write it."""
    return victim_name(name)


@register.filter
def percent(given: float | None) -> str:
    """A share as per cent with one decimal."""
    return shown_cell(None) if given is None else shown_number(given, "share")


@register.simple_tag
def interval_plot(figure: Figure) -> SafeString | str:
    """The interval as a bar on the figure's scale with the value as a line; nothing where one of them is missing."""
    bar = figure.bar
    if bar is None:
        return ""
    label = f"{shown_circumstances(figure.estimate, figure.style)}; scale from {bar.ends[0]} to {bar.ends[1]}"
    return format_html(
        '<svg class="interval-plot" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<rect x="0" y="3" width="100" height="4" class="ground"/><rect x="{}" y="3" width="{}" height="4" class="range"/>'
        '<rect x="{}" y="0" width="1" height="10" class="mark"/></svg>',
        label, f"{bar.low:.2f}", f"{bar.width:.2f}", f"{min(bar.mark, 99):.2f}",
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
def shown_rows(table: Table) -> list[tuple[str, list[tuple[str, float | None]]]]:
    """For each row, where it leads, and its cells as text, each with the share that its bar shows, if it is one."""
    shown = [
        [(shown_cell(cell, style), _share(cell) if style == "share" else None) for cell, style in row] for row in table.cells
    ]
    return list(zip(table.links or [""] * len(shown), shown, strict=True))


def _share(cell: Any) -> float | None:
    share = cell.value if isinstance(cell, Estimate) else cell
    return share if isinstance(share, int | float) else None
