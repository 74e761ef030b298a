"""Draws in a process of its own, `python -m annotation.exchange.vega`: the library brings an engine for scripts, and ends its
process where something goes wrong in it. Reads what to draw as JSON and writes the drawings as JSON."""

from __future__ import annotations

import base64
import json
import sys
from typing import Any


def drawn(asked: dict[str, Any]) -> list[str]:
    """An SVG for each specification in `specifications`, or for each element in `svgs` a page of PDF in base 64."""
    import vl_convert

    vl_convert.register_font_directory(asked["fonts"])
    if "svgs" in asked:
        return [base64.b64encode(vl_convert.svg_to_pdf(svg)).decode() for svg in asked["svgs"]]
    return [vl_convert.vegalite_to_svg(each, vl_version=asked["version"]) for each in asked["specifications"]]


if __name__ == "__main__":
    json.dump(drawn(json.load(sys.stdin)), sys.stdout)
