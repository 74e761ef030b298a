"""What the card of a model may hold that comes from elsewhere: its hashes only say that nobody changed it on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any, TypeGuard

from scoring.model_folder import ModelFolderError
from scoring.table import one_line

MOST_ENTRIES = 200
"""Of a list or a table of the card: pages show each as a row."""
LARGEST_NUMBER = 2**53
"""Beyond it, JSON numbers are not the same in every program."""
LARGEST_END = 1e6
"""Of a scale, on either side of 0."""
MOST_OF_CEILING = 1e6
"""r can be any multiple of a noise ceiling near 0."""
_SLACK = 1e-9

Limits = Mapping[str, tuple[float, float]]

MEANING_LIMITS: Limits = dict.fromkeys(("auc", "auc_word_level", "auc_character_level", "brier"), (0, 1))
"""Between which values a figure of a meaning model lies, wherever it stands in the evaluation."""


def check_plain(card: Mapping[str, Any]) -> None:
    """Raise ModelFolderError for texts that cannot be stored, numbers too large to show, and lists too long to."""
    for name, part in _parts(card):
        shown = one_line(name)[:60]
        if isinstance(part, str) and not _is_storable(part):
            raise ModelFolderError(f"its card has NUL or half of a surrogate pair at “{shown}”, which no text holds.")
        if _is_number(part) and not -LARGEST_NUMBER <= part <= LARGEST_NUMBER:
            raise ModelFolderError(f"its card has a number at “{shown}” that is beyond ±2^53.")
        if isinstance(part, Mapping | list) and len(part) > MOST_ENTRIES and not all(map(_is_number, _values(part))):
            raise ModelFolderError(f"its card has {len(part):,} entries at “{shown}”; at most {MOST_ENTRIES} are shown.")


def check_suspicion(card: Mapping[str, Any]) -> None:
    """Raise ModelFolderError unless all that scores and explanations hang on is there, and its figures are possible."""
    data = card.get("data")
    scale: Any = data.get("scale") if isinstance(data, Mapping) else None
    if not _is_scale(scale):
        raise ModelFolderError(
            f"its card lacks the scale of its scores: two rising numbers at “data”, “scale”, from -{LARGEST_END:,.0f} to "
            f"{LARGEST_END:,.0f}."
        )
    for _, part in _parts(card.get("parameters")):
        if isinstance(part, Mapping) and part.get("scale", scale) != scale:
            raise ModelFolderError("its card has another scale at “parameters” than at “data”.")
    medians = card.get("medians")
    groups = list(medians.values()) if isinstance(medians, Mapping) else [None]
    if not all(isinstance(group, Mapping) and all(map(_is_number, group.values())) for group in groups):
        raise ModelFolderError("its card lacks “medians”: for each group of features a number by name.")
    low, high = scale
    width = high - low
    _check_figures(
        card,
        {
            **dict.fromkeys(("r", "spearman", "noise_ceiling"), (-1, 1)),
            **dict.fromkeys(("rmse", "rmse_constant"), (0, width)),
            "rmse_gain": (-width, width),
            "share_of_ceiling": (-MOST_OF_CEILING, MOST_OF_CEILING),
        },
    )


def check_meaning(card: Mapping[str, Any]) -> None:
    """Raise ModelFolderError unless its figures are possible."""
    _check_figures(card, MEANING_LIMITS)


def _check_figures(card: Mapping[str, Any], limits: Limits) -> None:
    found = [part for _, part in _parts(card.get("evaluation")) if isinstance(part, Mapping)]
    for name, (low, high) in limits.items():
        for figure in (part[name] for part in found if isinstance(part.get(name), Mapping)):
            value = figure.get("value")
            if _is_number(value) and not low - _SLACK <= value <= high + _SLACK:
                raise ModelFolderError(f"its card says that “{name}” is {value:g}; it lies from {low:g} to {high:g}.")
            # Some methods make intervals that reach past what a value can be.
            interval = figure.get("interval")
            ends = [interval.get("low"), interval.get("high")] if isinstance(interval, Mapping) else []
            if any(_is_number(end) and not 2 * low - high <= end <= 2 * high - low for end in ends):
                raise ModelFolderError(f"its card has an interval of “{name}” far beyond {low:g} to {high:g}.")


def _parts(whole: Any) -> Iterator[tuple[str, Any]]:
    """All of it, each part by the name that it stands under; names are parts too."""
    left = [("card", whole)]
    while left:
        name, part = left.pop()
        yield name, part
        if isinstance(part, Mapping):
            left += [(name, key) for key in part] + list(part.items())
        elif isinstance(part, list):
            left += [(name, each) for each in part]


def _values(part: Mapping[str, Any] | list[Any]) -> list[Any]:
    return list(part.values()) if isinstance(part, Mapping) else part


def _is_storable(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_scale(scale: Any) -> bool:
    if not (isinstance(scale, list) and len(scale) == 2 and all(map(_is_number, scale))):
        return False
    low, high = scale
    return isfinite(low) and isfinite(high) and -LARGEST_END <= low < high <= LARGEST_END
