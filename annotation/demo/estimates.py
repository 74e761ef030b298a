"""Estimates read back from a card or a summary, where they are stored as built-in types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.result import Estimate, Interval, Reason


def estimate_from(stored: Mapping[str, Any]) -> Estimate:
    """The estimate whose `as_dict()` this is."""
    return Estimate(
        value=stored["value"],
        reason=Reason(**stored["reason"]) if stored["reason"] else None,
        n=stored["n"],
        method=stored["method"],
        left_out=stored["left_out"],
        interval=Interval(**stored["interval"]) if stored["interval"] else None,
        labels_declared=tuple(stored["labels_declared"]),
        labels_seen=tuple(stored["labels_seen"]),
    )
