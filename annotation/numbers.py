"""Whole numbers in what browsers and programs send as text: one way to read them, for every page and call."""

from __future__ import annotations

LONGEST = 18
"""Digits. Every number of so many is one to each database; a much longer one cannot even be read."""


def whole(text: str) -> int | None:
    """The number, from 0; None where the text is no such number."""
    return int(text) if len(text) <= LONGEST and text.isascii() and text.isdigit() else None
