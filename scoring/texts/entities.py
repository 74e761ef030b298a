"""Where a text names somebody or something: by capital letters, or by a tagger that the caller brings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from .tokens import pieces

_ENDS: Final = frozenset(".!?:…~\"“”'‘(")
"""After one of these a capital letter may be that of a sentence's first word."""
_NEVER: Final = frozenset({"I", "I'm", "I’m", "I've", "I’ve", "I'd", "I’d", "I'll", "I’ll"})


@dataclass(frozen=True, slots=True)
class EntityFinder:
    """A way to find names; its own name goes with every edit that rests on it. `find` gives spans in code points, in order."""

    name: str
    find: Callable[[str], list[tuple[int, int]]]


def _capitalised(text: str) -> list[tuple[int, int]]:
    """Words with a capital letter that does not come from the start of a sentence: a first word counts where the word after it
    has one, too. Where more than half of the words have one, as in a headline, capitals say nothing."""
    if text == text.lower():
        return []
    parts = pieces(text)
    ends = list(accumulate(map(len, parts)))
    words = [index for index, part in enumerate(parts) if part[0].isalpha()]
    capital = {place for place, index in enumerate(words) if parts[index][0].isupper() and parts[index] not in _NEVER}
    if 2 * len(capital) > len(words) > 4:
        return []
    found: list[tuple[int, int]] = []
    for place in sorted(capital):
        index = words[place]
        between = parts[words[place - 1] + 1 : index]
        first = place == 0 or any(part in _ENDS or "\n" in part for part in between)
        if not first or (place + 1 in capital and words[place + 1] == index + 2):
            found.append((ends[index] - len(parts[index]), ends[index]))
    return found


CAPITALISED: Final = EntityFinder("capitalised span", _capitalised)
