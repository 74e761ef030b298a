"""Which stretches of two sequences are the same: Levenshtein's alignment in linear time and memory."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, Literal

import Levenshtein

Operation = Literal["equal", "replace", "delete", "insert"]
Opcode = tuple[Operation, int, int, int, int]
"""What happens to first[a:b], which becomes second[c:d]. Both are of one length where they are equal or replaced."""

CHARACTERS: Final = 1_024
"""Wholly different texts take a millisecond for so many characters."""
TOKENS: Final = 8_192
"""More, so that long texts stay aligned past a paragraph that one of them lacks."""


def opcodes(first: str, second: str, *, window: int = CHARACTERS) -> list[Opcode]:
    """The fewest insertions, deletions and substitutions that make the second of the first.

    Longer sequences are aligned in windows, of which the first half is kept and the rest aligned anew: the result is then right,
    but not always the shortest, and what was inserted or deleted by the thousand may be told in more pieces than needed.
    """
    start = end = 0
    if max(len(first), len(second)) > window:
        start = _common_beginning(first, second)
        end = _common_beginning(first[start:][::-1], second[start:][::-1])
    stops = len(first) - end, len(second) - end
    found: list[Opcode] = [("equal", 0, start, 0, start)] if start else []
    a, c = start, start
    while (a, c) != stops:
        ends = min(a + window, stops[0]), min(c + window, stops[1])
        codes: list[Opcode] = Levenshtein.opcodes(first[a : ends[0]], second[c : ends[1]])  # type: ignore[assignment]
        if ends != stops:
            codes = _cut(codes, window // 2)
        if a or c:
            codes = [(operation, a + i, a + k, c + j, c + m) for operation, i, k, j, m in codes]
        _extend(found, codes)
        a, c = found[-1][2], found[-1][4]
    if end:
        _extend(found, [("equal", stops[0], len(first), stops[1], len(second))])
    return found


def _common_beginning(first: str, second: str) -> int:
    """Its length, found by halving."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if first[low:middle] == second[low:middle] else (low, middle - 1)
    return low


def _cut(codes: list[Opcode], kept: int) -> list[Opcode]:
    """The operations up to where one of the sides leaves its kept part."""
    whole = bisect_right(codes, kept, key=lambda code: max(code[2], code[4]))
    operation, a, b, c, d = codes[whole]
    if operation == "delete" or operation == "insert":
        b, d = min(b, kept), min(d, kept)
    else:
        length = min(b - a, kept - a, kept - c)
        b, d = a + length, c + length
    return [*codes[:whole], (operation, a, b, c, d)] if b > a or d > c else codes[:whole]


def _extend(found: list[Opcode], codes: list[Opcode]) -> None:
    """Adds the operations; the first to the last one found where it goes on with the same."""
    if found and found[-1][0] == codes[0][0]:
        operation, a, _, c, _ = found.pop()
        codes[0] = operation, a, codes[0][2], c, codes[0][4]
    found.extend(codes)


def of_tokens(first: list[str], second: list[str], *, window: int = TOKENS) -> list[Opcode]:
    """`opcodes` of lists of tokens: each distinct token stands as one code point."""
    codes = {token: chr(number) for number, token in enumerate(dict.fromkeys([*first, *second]))}
    coded = ["".join(map(codes.__getitem__, side)) for side in (first, second)]
    return opcodes(*coded, window=window)


def same_and_changed(old: list[str], new: list[str]) -> Iterator[tuple[bool, int, int, int, int]]:
    """Alternating equal and changed runs of tokens: whether they are equal, old[a:b] and new[c:d]."""
    changed: tuple[int, int] | None = None
    for operation, a, b, c, d in of_tokens(old, new):
        if operation != "equal":
            changed = changed or (a, c)
            continue
        if changed:
            yield False, changed[0], a, changed[1], c
            changed = None
        yield True, a, b, c, d
    if changed:
        yield False, changed[0], len(old), changed[1], len(new)
