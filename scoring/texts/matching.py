"""Which stretches of two sequences are the same: Levenshtein's alignment in linear time and memory."""

from __future__ import annotations

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
    found: list[Opcode] = []
    _add(found, ("equal", 0, start, 0, start))
    a, c = start, start
    while (a, c) != stops:
        ends = min(a + window, stops[0]), min(c + window, stops[1])
        kept = window if ends == stops else window // 2
        codes: list[Opcode] = Levenshtein.opcodes(first[a : ends[0]], second[c : ends[1]])  # type: ignore[assignment]
        for code in codes:
            operation, i, k, j, m = cut = _cut(code, kept)
            _add(found, (operation, a + i, a + k, c + j, c + m))
            if cut != code:
                break
        a, c = found[-1][2], found[-1][4]
    _add(found, ("equal", stops[0], len(first), stops[1], len(second)))
    return found


def _common_beginning(first: str, second: str) -> int:
    """Its length, found by halving."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if first[low:middle] == second[low:middle] else (low, middle - 1)
    return low


def _cut(code: Opcode, kept: int) -> Opcode:
    """The part of an operation that lies within the kept part of both sides; it may be empty."""
    operation, a, b, c, d = code
    if operation == "delete" or operation == "insert":
        return operation, min(a, kept), min(b, kept), min(c, kept), min(d, kept)
    length = max(0, min(b - a, kept - a, kept - c))
    return operation, a, a + length, c, c + length


def _add(found: list[Opcode], code: Opcode) -> None:
    """Adds the operation, to the last one where it goes on with the same."""
    operation, a, b, c, d = code
    if a == b and c == d:
        return
    if found and found[-1][0] == operation:
        _, a, _, c, _ = found.pop()
    found.append((operation, a, b, c, d))


def of_tokens(first: list[str], second: list[str], *, window: int = TOKENS) -> list[Opcode]:
    """`opcodes` of lists of tokens: each distinct token stands as one code point."""
    codes: dict[str, str] = {}
    coded = ["".join(codes.setdefault(token, chr(len(codes))) for token in side) for side in (first, second)]
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
