"""Which changed words of two texts stand for each other: one for one, one for several (split), several for one (joined)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Final

from rapidfuzz.distance import OSA

from .matching import opcodes
from .word_kinds import is_misspelling, is_negation, spelled

Link = tuple[int, int, int, int]
"""Words old[a:b] became words new[c:d]."""

_FLUSHED_AT: Final = 8
_MOST_COMPARED: Final = 1_024


def linked(old: Sequence[str], new: Sequence[str]) -> Iterator[Link]:
    """The links in order; words in none of them were inserted or removed."""
    first, second = [spelled(word) for word in old], [spelled(word) for word in new]
    gap: Link | None = None
    for (a, c), (b, d) in pairwise(_common_ends(first, second)):
        alike = b > a and d > c and is_misspelling("".join(second[c:d]), "".join(first[a:b]))
        if not alike:
            gap = (gap[0], b, gap[2], d) if gap else (a, b, c, d)
        if gap and (alike or max(gap[1] - gap[0], gap[3] - gap[2]) >= _FLUSHED_AT):
            yield from _paired(first, second, gap)
            gap = None
        if alike:
            yield a, b, c, d
    if gap:
        yield from _paired(first, second, gap)


def _common_ends(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """After how many words of each side both texts, aligned without their spaces, are between words."""
    before, after = ({end: count for count, end in enumerate(accumulate(map(len, side), initial=0))} for side in (old, new))
    found = [(0, 0)]
    for operation, a, b, c, d in opcodes("".join(old), "".join(new)):
        if operation == "insert":
            places = [(b, q) for q in range(c + 1, d + 1)]
        elif operation == "delete":
            places = [(p, d) for p in range(a + 1, b + 1)]
        else:
            places = list(zip(range(a + 1, b + 1), range(c + 1, d + 1), strict=True))
        found.extend((before[p], after[q]) for p, q in places if p in before and q in after)
    return found


def _paired(old: Sequence[str], new: Sequence[str], gap: Link) -> Iterator[Link]:
    """Words of the gap one for one and in order, so that they are as alike as possible; some may be left out."""
    a, b, c, d = gap
    if (b - a) * (d - c) > _MOST_COMPARED:
        yield from ((a + k, a + k + 1, c + k, c + k + 1) for k in range(min(b - a, d - c)))
        return
    # cost[i, j]: of what is left from the words i and j on. A word left out costs 1.
    cost = {(i, d): float(b - i) for i in range(a, b + 1)} | {(b, j): float(d - j) for j in range(c, d + 1)}
    for i in range(b - 1, a - 1, -1):
        for j in range(d - 1, c - 1, -1):
            together = _unlike(old[i], new[j]) + cost[i + 1, j + 1]
            cost[i, j] = min(together, 1 + cost[i + 1, j], 1 + cost[i, j + 1])
    i, j = a, c
    while i < b and j < d:
        if cost[i, j] == _unlike(old[i], new[j]) + cost[i + 1, j + 1]:
            yield i, i + 1, j, j + 1
            i, j = i + 1, j + 1
        elif cost[i, j] == 1 + cost[i + 1, j]:
            i += 1
        else:
            j += 1


def _unlike(old: str, new: str) -> float:
    """How little the words have in common: 0 to 1, and twice as much if only one of them says no. Two words that have nothing in
    common cost less together than both left out."""
    return float(OSA.normalized_distance(old, new)) + (is_negation(old) != is_negation(new))
