"""What papers print, as they print it, and how it stands beside the same figure computed here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from annotation.protocols.analysis import Figure, Table
from annotation.protocols.plots import Plot
from scoring.result import Estimate
from scoring.table import as_number

NOT_AT_HAND: Final = "not at hand"
_NUMBER: Final = re.compile(r"([0-9][0-9,.]*)( %)?")


class Status(StrEnum):
    """What it takes to compute a table or figure of a paper again."""

    COMPUTABLE = "computable"
    CAMPAIGN = "needs a campaign"
    NOT_RELEASED = "not released"
    NOT_SEEN = "not looked up"


@dataclass(frozen=True, slots=True)
class Part:
    """One table, figure or section of a paper: what it shows, what it takes, and from what or why not."""

    name: str
    shows: str
    status: Status
    reason: str


def others(name: str) -> Part:
    """Tables of which only the numbers are known."""
    return Part(name, "not known here", Status.NOT_SEEN, "What they show was not at hand when this list was made.")


@dataclass(frozen=True, slots=True)
class Section:
    """One part as far as it could be computed. `lacks` says in words what was not given or does not exist."""

    part: Part
    tables: Sequence[Table] = ()
    lacks: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """A printed figure: the digits as they stand (“0.52”, “80.32 %”, “0.06 < p < 0.07”), where, and a known difference between
    print and data. Nothing is `printed` where the figure could not be looked up; it is never guessed."""

    printed: str = ""
    source: str = ""
    note: str = ""

    @property
    def value(self) -> float | None:
        """The number, shares from 0 to 1; None where there is none, or a range."""
        match = _NUMBER.fullmatch(self.printed)
        number = as_number(match[1].replace(",", "")) if match else None
        return number / 100 if match and match[2] and number is not None else number

    @property
    def remark(self) -> str:
        return "; ".join(part for part in (self.source, self.note) if part)


@dataclass(frozen=True, slots=True)
class Row:
    """One figure, here and in print. `here` is None where it cannot be computed; `style` is that of the tables of an analysis."""

    name: str
    here: Estimate | int | None
    published: Published = Published()
    style: str = "number"

    @property
    def difference(self) -> float | int | None:
        """Here less what is printed, in the unit of the figure; shares from 0 to 1."""
        here = self.here.value if isinstance(self.here, Estimate) else self.here
        printed = self.published.value
        if here is None or printed is None:
            return None
        return int(here - printed) if isinstance(here, int) and printed == int(printed) else here - printed

    @property
    def cells(self) -> list[object]:
        here = Figure(self.name, self.name, self.here, self.style) if isinstance(self.here, Estimate) else self.here
        return [self.name, here, self.published.printed or NOT_AT_HAND, self.difference, self.published.remark]


def beside_print(key: str, title: str, rows: Sequence[Row], note: str = "", plot: Plot | None = None) -> Table:
    """Figures computed here beside the printed ones, with the difference."""
    columns = ["figure", "here", "printed", "here less printed", "where it is printed, what is known of it"]
    return Table(key, title, columns, [row.cells for row in rows], note, plot=plot)


def number(value: float, n: int, method: str) -> Estimate:
    """A value that has no interval of its own."""
    return Estimate(value, None, n, method)
