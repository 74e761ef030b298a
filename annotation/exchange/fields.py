"""What a field of a line may hold: its type, its range, its length. A `Record` of these is all that is checked of a line."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from scoring.wording import counted

YEARS = range(1970, 3000)
"""Times outside are mistakes; those at the ends of what a computer can count cannot even be shown in another zone."""


class WrongField(ValueError):
    """A value that its field cannot hold; `path` says where it stands in the line."""

    def __init__(self, path: str, problem: str) -> None:
        self.path = path
        super().__init__(problem)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field(ABC):
    """One field. It may be absent or null unless it is needed."""

    needed: bool = False

    def check(self, value: Any, path: str) -> None:
        """Raises WrongField."""
        if value is not None:
            self._check(value, path)
        elif self.needed:
            raise WrongField(path, "this is missing")

    @abstractmethod
    def _check(self, value: Any, path: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Text(Field):
    """A text of a length that its column holds; where it is needed, it is not blank."""

    longest: int
    among: Sequence[str] = ()

    def _check(self, value: Any, path: str) -> None:
        if not isinstance(value, str):
            raise WrongField(path, f"{quoted(value)} is no text")
        if len(value) > self.longest:
            raise WrongField(path, f"{counted(len(value), 'character')}; at most {self.longest:,} can be kept")
        if self.needed and not value.strip():
            raise WrongField(path, "this is empty")
        if value and self.among and value not in self.among:
            raise WrongField(path, f"{quoted(value)} is not one of {', '.join(self.among)}")


@dataclass(frozen=True, slots=True)
class Whole(Field):
    """A whole number."""

    least: int
    most: int

    def _check(self, value: Any, path: str) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or not self.least <= value <= self.most:
            raise WrongField(path, f"{quoted(value)} is not a whole number from {self.least:,} to {self.most:,}")


@dataclass(frozen=True, slots=True)
class Number(Field):
    """A number that is not infinite."""

    least: float
    most: float

    def _check(self, value: Any, path: str) -> None:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not self.least <= value <= self.most or not isfinite(value):
            raise WrongField(path, f"{quoted(value)} is not a number from {self.least:,} to {self.most:,}")


@dataclass(frozen=True, slots=True)
class YesNo(Field):
    """`true` or `false`."""

    def _check(self, value: Any, path: str) -> None:
        if not isinstance(value, bool):
            raise WrongField(path, f"{quoted(value)} is neither true nor false")


@dataclass(frozen=True, slots=True)
class Moment(Field):
    """A time with its zone."""

    def _check(self, value: Any, path: str) -> None:
        try:
            found = datetime.fromisoformat(value)
            fits = found.tzinfo is not None and found.astimezone(UTC).year in YEARS
        except (TypeError, ValueError, OverflowError):
            fits = False
        if not fits:
            problem = f"{quoted(value)} is not a time from {YEARS[0]} to {YEARS[-1]} in UTC, such as 2026-01-31T12:00:00Z"
            raise WrongField(path, problem)


@dataclass(frozen=True, slots=True)
class ListOf(Field):
    """A list; its entries are counted from 1."""

    entry: Field

    def _check(self, value: Any, path: str) -> None:
        if not isinstance(value, list):
            raise WrongField(path, f"{quoted(value)} is no list")
        for number, each in enumerate(value, start=1):
            self.entry.check(each, f"{path}[{number}]")


@dataclass(frozen=True, slots=True)
class Record(Field):
    """An object with these fields; others are passed over."""

    fields: Mapping[str, Field]

    def _check(self, value: Any, path: str) -> None:
        if not isinstance(value, dict):
            raise WrongField(path, f"{quoted(value)} is no object")
        for name, field in self.fields.items():
            field.check(value.get(name), f"{path}.{name}" if path else name)


def quoted(value: Any) -> str:
    """The value for a message of one line."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:56] + "…"
