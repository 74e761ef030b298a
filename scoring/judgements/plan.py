"""How many items and judgements a study needs, before anybody is asked: for an interval of kappa or of a share that is narrow
enough, or for a preference test that would find what there is to be found.

Fleiss, Cohen and Everitt, "Large sample standard errors of kappa and weighted kappa", 1969; Wilson, "Probable inference, the
law of succession, and statistical inference", 1927; Kish, "Survey Sampling", 1965: the design effect of items that are alike.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, isfinite, sqrt
from typing import Any, Final

import numpy as np
from scipy.special import bdtr, bdtrc, ndtri

from scoring.result import ScoringError
from scoring.wording import counted

from .bootstrap import LEVEL

MOST_ITEMS: Final = 1_000_000
MOST_JUDGEMENTS: Final = 1_000
"""Of one item, and items of one original: more is a slip of the pen."""
FEWEST_FOR_KAPPA: Final = 30
"""Kappa's error holds for large samples; of fewer items it says nothing."""
_FEW: Final = 10
_SETTLED: Final = 20
"""The power of an exact test rises in a saw-tooth: a number of items is enough where every one of so many more is enough too."""


def _check(holds: bool, message: str) -> None:
    if not holds:
        raise ScoringError(message)


@dataclass(frozen=True, slots=True)
class Plan:
    """How many items, and judgements of them; `reached` is the width or the power that these give; `assuming` says what it rests
    on."""

    items: int
    judgements: int
    reached: float
    what: str
    assuming: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "items": self.items,
            "judgements": self.judgements,
            self.what: self.reached,
            "assuming": list(self.assuming),
        }


@dataclass(frozen=True, slots=True)
class Clustering:
    """Items of one original are alike: `per_original` of them, whose results correlate by `alike` (0 to 1)."""

    per_original: int = 1
    alike: float = 0.0

    def __post_init__(self) -> None:
        _check(self.per_original >= 1, "There is at least one item of each original.")
        _check(self.per_original <= MOST_JUDGEMENTS, f"An original has {MOST_JUDGEMENTS:,} items at most.")
        _check(0 <= self.alike <= 1, "How alike items of one original are lies between 0 and 1.")

    @property
    def effect(self) -> float:
        """By how much more items are needed than if each had an original of its own."""
        return 1 + (self.per_original - 1) * self.alike

    def assumptions(self, items: int) -> tuple[str, ...]:
        """What a plan of so many items rests on, and how many originals that is."""
        if self.per_original == 1:
            return ("one item of each original", *_caution(items, "items"))
        originals = ceil(items / self.per_original)
        return (
            f"{self.per_original} items of each original, alike by {self.alike:g}: {self.effect:.3g} times as many items",
            counted(originals, "original"),
            *_caution(originals, "originals"),
        )


ALONE: Final = Clustering()


def plan_kappa(kappa: float, width: float, frequencies: Sequence[float], clustering: Clustering = ALONE) -> Plan:
    """Items judged by two people each, so that the interval of Cohen's kappa is at most `width` wide.

    `frequencies` are the parts of the labels, the same for both people; they add up to 1.
    """
    _check(-1 < kappa < 1, "The kappa that is expected lies between −1 and 1.")
    _check(isfinite(width) and 0 < width < 2, "The width of an interval of kappa lies between 0 and 2.")
    parts = np.asarray(frequencies, dtype=float)
    proper = len(parts) > 1 and bool((parts > 0).all()) and abs(float(parts.sum()) - 1) < 1e-6
    _check(proper, "The labels' parts are two or more, each above 0, and add up to 1.")
    table = kappa * np.diag(parts) + (1 - kappa) * np.outer(parts, parts)
    _check(bool((table >= 0).all()), "No two people with these labels' parts can disagree so far; expect a higher kappa.")
    variance = kappa_variance(table) * clustering.effect
    reach = 2 * _normal()
    # A width of next to nothing takes more items than a number holds.
    needed = variance * min(reach / width, 1e9) ** 2
    items = max(FEWEST_FOR_KAPPA, _bounded(ceil(needed)))
    least = f"at least {FEWEST_FOR_KAPPA} items: the error of kappa, which is that of large samples, says nothing of fewer"
    assuming = (
        f"a kappa of {kappa:g}, labels in parts of {', '.join(f'{part:.3g}' for part in parts)} by either person",
        "disagreements spread as chance spreads them",
        *([least] if needed < FEWEST_FOR_KAPPA else []),
        *clustering.assumptions(items),
    )
    return Plan(items, 2 * items, reach * sqrt(variance / items), "width", assuming)


def plan_share(share: float, width: float, *, judgements: int = 1, clustering: Clustering = ALONE) -> Plan:
    """Items, decided by so many `judgements` each, so that Wilson's interval of a share of items is at most `width` wide."""
    _check(0 <= share <= 1, "The share that is expected lies between 0 and 1.")
    _check(isfinite(width) and 0 < width < 1, "The width of an interval of a share lies between 0 and 1.")
    _check(judgements >= 1, "An item has at least one judgement.")
    _check(judgements <= MOST_JUDGEMENTS, f"An item has {MOST_JUDGEMENTS:,} judgements at most.")

    def width_of(items: int) -> float:
        return wilson_width(share, items / clustering.effect)

    items = _least(lambda items: width_of(items) <= width)
    assuming = (f"a share of {share:g}", *clustering.assumptions(items))
    return Plan(items, judgements * items, width_of(items), "width", assuming)


def plan_preference(preferred: float, power: float, *, votes: int = 1, level: float = 0.05) -> Plan:
    """Items with so many `votes` each (odd, so that there is a majority), so that the exact two-sided test over items finds the
    preference with the wanted power. `preferred` is the chance that one vote goes to the better variant."""
    _check(0 < power < 1, "The power lies between 0 and 1.")
    item = majority_chance(preferred, votes)
    _check(abs(item - 0.5) > 1e-9, "With a chance of one half there is no preference to be found.")

    def power_of(items: int) -> float:
        return preference_power(items, item, level)

    items = max(1, _least(lambda items: power_of(items) >= power) - 2 * _SETTLED)
    while any(power_of(items + more) < power for more in range(_SETTLED)):
        items += 1
    return Plan(items, votes * items, power_of(items), "power", _preference_assumptions(preferred, votes, item, level))


def power_of_preference(items: int, preferred: float, *, votes: int = 1, level: float = 0.05) -> Plan:
    """The power that so many items have."""
    _check(1 <= items <= MOST_ITEMS, f"There are from 1 to {MOST_ITEMS:,} items.")
    item = majority_chance(preferred, votes)
    found = preference_power(items, item, level)
    return Plan(items, votes * items, found, "power", _preference_assumptions(preferred, votes, item, level))


def majority_chance(preferred: float, votes: int) -> float:
    """The chance that most of an item's votes, taken as independent, go to the variant that each prefers with this chance."""
    _check(0 <= preferred <= 1, "The chance of a vote lies between 0 and 1.")
    _check(votes >= 1 and votes % 2 == 1, "The votes on an item are odd in number, so that there is always a majority.")
    _check(votes <= MOST_JUDGEMENTS, f"An item has {MOST_JUDGEMENTS:,} votes at most.")
    return float(bdtrc(votes // 2, votes, preferred))


def preference_power(items: int, chance: float, level: float = 0.05) -> float:
    """The chance that the exact two-sided binomial test against one half rejects, where each item has this chance."""
    _check(0 < level < 1, "The level of a test lies between 0 and 1.")
    most = bisect_right(range((items + 1) // 2), level, key=lambda wins: 2 * float(bdtr(wins, items, 0.5))) - 1
    if most < 0:
        return 0.0
    return float(bdtr(most, items, chance) + bdtrc(items - most - 1, items, chance))


def kappa_variance(table: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """Of unweighted kappa, times the number of items, from the chance of each pair of labels."""
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    observed, chance = float(np.trace(table)), float(rows @ columns)
    kappa = (observed - chance) / (1 - chance)
    mean = rows[None, :] + columns[:, None]
    agree = float((np.diag(table) * (1 - np.diag(mean) * (1 - kappa)) ** 2).sum())
    off = table * mean**2 * (1 - kappa) ** 2
    differ = float(off.sum() - np.trace(off))
    return (agree + differ - (kappa - chance * (1 - kappa)) ** 2) / (1 - chance) ** 2


def wilson_width(share: float, n: float) -> float:
    z = _normal()
    return 2 * z / (1 + z**2 / n) * sqrt(share * (1 - share) / n + z**2 / (4 * n**2))


def _preference_assumptions(preferred: float, votes: int, item: float, level: float) -> tuple[str, ...]:
    vote = f"each vote goes to the better variant with a chance of {preferred:g}"
    if votes > 1:
        vote += f", votes on one item independent, so {item:.3g} of the items have a majority for it"
    return vote, f"exact two-sided binomial test over items at the level {level:g}", "items independent of each other"


def _caution(count: int, what: str) -> tuple[str, ...]:
    """Said of a plan that keeps its promise of a width and yet is no study."""
    few = f"fewer than {_FEW} {what} are too few to speak for others, however wide the interval may be; take more"
    return (few,) if count < _FEW else ()


def _least(enough: Callable[[int], bool]) -> int:
    """The least number of items that is enough, where more are never less so."""
    high = 1
    while not enough(high):
        high = 2 * high
        _bounded(high)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _bounded(items: int) -> int:
    _check(items <= MOST_ITEMS, f"That takes more than {MOST_ITEMS:,} items; ask for less.")
    return max(1, items)


def _normal() -> float:
    return float(ndtri((1 + LEVEL) / 2))
