"""Numbers as arguments of commands: types for argparse that refuse, in words, what is no such number or out of its range."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from dataclasses import dataclass
from math import inf
from typing import Final

from scoring.table import as_number

_DIGITS: Final = re.compile(r"-?[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number from `least` to `most`."""

    least: int
    most: int

    def __call__(self, text: str) -> int:
        number = int(text) if _DIGITS.fullmatch(text) else None
        if number is None or not self.least <= number <= self.most:
            raise ArgumentTypeError(f"{text[:40]!r} is not a whole number from {self.least} to {self.most}")
        return number


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number from `least` to `most`."""

    least: float = -inf
    most: float = inf

    def __call__(self, text: str) -> float:
        number = as_number(text)
        if number is None or not self.least <= number <= self.most:
            ends = f" from {self.least:g} to {self.most:g}" if self != Number() else ""
            raise ArgumentTypeError(f"{text[:40]!r} is not a number{ends}")
        return number


SEED: Final = WholeNumber(0, 2**32 - 1)
"""What every generator of random numbers takes that is used here; scikit-learn's takes no more."""
MANY: Final = WholeNumber(1, 2**31 - 1)
"""So many of something that is done one after another."""
LIMIT: Final = WholeNumber(0, 2**31 - 1)
"""At most so many of something."""
