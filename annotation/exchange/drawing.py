"""Plots as SVG: Vega-Lite draws them, on this machine, from the values alone and in a font that comes with the product."""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.utils.html import escape

from annotation.protocols.plots import DARK_WORDS, QUIET, Plot

log = logging.getLogger(__name__)

FONTS = "static/vendor/dejavu"
FONT = "DejaVu Sans"
VEGA_LITE = "6.4"
KEPT_FOR = 24 * 3600
LONGEST = 60
"""Seconds after which drawing has failed. All plots of a report take one or two."""
LINE = "#e3dfd6"
SVG = "http://www.w3.org/2000/svg"
UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Categories of characters that nobody sees. Some of them end the process that draws."""
_HIDDEN = re.compile(r'<(text|line)\b[^<>]* opacity="0"[^<>]*(?:/>|>[^<>]*</\1>)')
"""Labels for which there was no room. In a PDF they would become layers, in another order each time."""
_ROLES = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"(?=[^<>]*>)')
"""The plot is one picture with one text."""
_WORDS = {"labelColor": DARK_WORDS, "titleColor": QUIET, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"}
_CONFIG: dict[str, Any] = {
    "font": FONT,
    "background": None,
    "aria": False,  # the figure as a whole has a text, and the numbers stand in a table
    "view": {"stroke": None},
    "axis": {**_WORDS, "gridColor": LINE, "domainColor": QUIET, "tickColor": QUIET, "labelLimit": 200},
    "legend": {**_WORDS, "orient": "top", "symbolType": "square", "symbolStrokeWidth": 0, "columns": 7, "labelLimit": 140},
    "text": {"fontSize": 12},
}


def svgs_of(plots: Sequence[Plot]) -> list[str]:
    """Each plot as an SVG element of a page; empty where it could not be drawn.

    Its colours hold on a light ground; `static/css/plots.css` turns them where a page is dark. Drawing takes a second or more,
    so what was drawn is kept.
    """
    keys = [_key(plot) for plot in plots]
    known: dict[str, str] = cache.get_many(keys)
    new = {key: plot for key, plot in zip(keys, plots, strict=True) if key not in known}
    if new:
        found = _drawn(new)
        cache.set_many(found, KEPT_FOR)
        known |= found
    return [known.get(key, "") for key in keys]


def are_drawn(plots: Sequence[Plot]) -> bool:
    """Whether they can all be shown without drawing."""
    keys = {_key(plot) for plot in plots}
    return keys == cache.get_many(keys).keys()


def pdfs_of(plots: Sequence[Plot], printable: Callable[[str], str]) -> list[bytes | None]:
    """For each plot one page of PDF as large as it is, in lines and letters; None where it could not be drawn. `printable` writes
    out what the font lacks."""
    svgs = svgs_of([Plot(plot.about, _said(plot.values, printable), _said(plot.marks, printable)) for plot in plots])
    alone = [svg.replace("<svg ", f'<svg xmlns="{SVG}" ', 1) for svg in svgs if svg]
    pages = iter(_asked(svgs=alone) if alone else [])
    return [base64.b64decode(page) if svg and (page := next(pages, None)) else None for svg in svgs]


def written_out(text: str) -> str:
    """The text with every character that nobody sees as its code point: [U+200B]."""
    return "".join(f"[U+{ord(char):04X}]" if unicodedata.category(char) in UNSEEN else char for char in text)


def specification(plot: Plot) -> Mapping[str, Any]:
    """The whole Vega-Lite specification."""
    whole: Mapping[str, Any] = {
        "$schema": f"https://vega.github.io/schema/vega-lite/v{VEGA_LITE.partition('.')[0]}.json",
        "width": 400,
        "height": {"step": 34},
        **_said(plot.marks, written_out),
        "data": {"values": _said(plot.values, written_out)},
        "config": _CONFIG,
    }
    return whole


def _said(part: Any, say: Callable[[str], str]) -> Any:
    """The part of a specification with every text in it as `say` says it."""
    if isinstance(part, str):
        return say(part)
    if isinstance(part, Mapping):
        return {name: _said(each, say) for name, each in part.items()}
    return [_said(each, say) for each in part] if isinstance(part, list | tuple) else part


def _drawn(plots: Mapping[str, Plot]) -> dict[str, str]:
    """The elements by their keys; none where the process failed."""
    svgs = _asked(specifications=[specification(plot) for plot in plots.values()], version=VEGA_LITE)
    return {key: _element(plot, svg) for (key, plot), svg in zip(plots.items(), svgs, strict=False)}


def _element(plot: Plot, svg: str) -> str:
    about = f'<svg class="plot" role="img" aria-label="{escape(written_out(plot.about))}"'
    return re.sub(r'^<svg [^>]*?class="marks"', lambda _: about, _ROLES.sub("", _HIDDEN.sub("", svg)), count=1)


def _asked(**what: Any) -> list[str]:
    """What the process that draws gives back; nothing where it failed, which the log tells."""
    command = [sys.executable, "-m", "annotation.exchange.vega"]
    asked = json.dumps({"fonts": str(settings.BASE_DIR / FONTS), **what})
    try:
        done = subprocess.run(
            command, input=asked, capture_output=True, text=True, check=True, timeout=LONGEST, cwd=settings.BASE_DIR
        )
    except (subprocess.SubprocessError, OSError) as failed:
        log.error("Plots could not be drawn: %s %s", failed, getattr(failed, "stderr", "") or "")
        return []
    drawings: list[str] = json.loads(done.stdout)
    return drawings


def _key(plot: Plot) -> str:
    said = json.dumps([plot.about, specification(plot)], sort_keys=True)
    return f"plot:{hashlib.sha256(said.encode()).hexdigest()}"
