"""Which changed words of two texts stand for each other: one for one, one for several (split), several for one (joined)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Final

import numpy as np
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from .matching import opcodes
from .word_kinds import is_misspelling, is_negation

Link = tuple[int, int, int, int]
"""Words old[a:b] became words new[c:d]."""

_FLUSHED_AT: Final = 8
_MOST_COMPARED: Final = 1_024


def linked(first: Sequence[str], second: Sequence[str]) -> Iterator[Link]:
    """The links of spelled words in order; words in none of them were inserted or removed."""
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
            if b in before:
                found += [(before[b], after[q]) for q in range(c + 1, d + 1) if q in after]
        elif operation == "delete":
            if d in after:
                found += [(before[p], after[d]) for p in range(a + 1, b + 1) if p in before]
        elif b - a > 1:
            found += [(before[p], after[p + c - a]) for p in range(a + 1, b + 1) if p in before and p + c - a in after]
        elif b in before and d in after:
            found.append((before[b], after[d]))
    return found


def _paired(old: Sequence[str], new: Sequence[str], gap: Link) -> Iterator[Link]:
    """Words of the gap one for one and in order, so that they are as alike as possible; some may be left out."""
    a, b, c, d = gap
    if b - a == d - c == 1:
        yield gap
        return
    if a == b or c == d:
        return
    if (b - a) * (d - c) > _MOST_COMPARED:
        yield from ((a + k, a + k + 1, c + k, c + k + 1) for k in range(min(b - a, d - c)))
        return
    unlike = _unlike(old[a:b][::-1], new[c:d][::-1])
    cost = _costs(unlike)
    i, j = b - a, d - c
    while i and j:
        if cost[i][j] == unlike[i - 1][j - 1] + cost[i - 1][j - 1]:
            yield b - i, b - i + 1, d - j, d - j + 1
            i, j = i - 1, j - 1
        elif cost[i][j] == 1 + cost[i - 1][j]:
            i -= 1
        else:
            j -= 1


def _costs(unlike: list[list[float]]) -> list[list[float]]:
    """What the best pairing of the first so many rows and columns costs. A word left out costs 1."""
    rows = [[float(alone) for alone in range(len(unlike[0]) + 1)]]
    for distances in unlike:
        above = rows[-1]
        least = above[0] + 1
        row = [least]
        for before, without, distance in zip(above, above[1:], distances, strict=False):
            together = before + distance
            least = (without if without < least else least) + 1
            if together < least:
                least = together
            row.append(least)
        rows.append(row)
    return rows


def _unlike(old: Sequence[str], new: Sequence[str]) -> list[list[float]]:
    """How little each two words have in common: 0 to 1, and one more if only one of them says no. Two words that have nothing in
    common cost less together than both left out."""
    distances: list[list[float]] = cdist(old, new, scorer=OSA.normalized_distance, dtype=np.float64).tolist()
    said_no = [is_negation(word) for word in old], [is_negation(word) for word in new]
    if any(said_no[0]) or any(said_no[1]):
        for row, no in zip(distances, said_no[0], strict=True):
            row[:] = [distance + (no != other) for distance, other in zip(row, said_no[1], strict=True)]
    return distances
