"""Progress of a whole from the progress of its parts."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""`progress(done, total, message)`. An exception from it, such as a cancelled job's, ends the work."""

FINE = 1000


def part(progress: Progress, number: int, parts: int) -> Progress:
    """The progress of part `number`, from 0, of so many equal parts."""
    return share(progress, number / parts, (number + 1) / parts)


def share(progress: Progress, start: float, end: float) -> Progress:
    """The progress of what lies between two shares, 0 to 1, of the whole."""

    def inner(done: int, total: int, message: str) -> None:
        within = min(1.0, done / total) if total else 0.0
        progress(round(FINE * (start + (end - start) * within)), FINE, message)

    return inner
