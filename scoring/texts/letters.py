"""What changed within a word that is still recognised: letter by letter, in typed places."""

from __future__ import annotations

from collections.abc import Iterator

from .characters import is_combining, is_invisible, is_mark, plain
from .edit_kinds import Kind
from .matching import opcodes
from .word_kinds import is_leet

Place = tuple[int, int, int, int]
"""old[a:b] became new[c:d]; each at most one character here."""


def changes_within(old: str, new: str) -> Iterator[tuple[Kind, int, int, int, int]]:
    """Each change's kind, and that old[a:b] became new[c:d]. Side by side, letters that change case are one change, and so are
    invisible characters."""
    found: tuple[Kind, int, int, int, int] | None = None
    for kind, a, b, c, d in _changes(old, new):
        if found and kind == found[0] and kind in ("case", "invisible") and (found[2], found[4]) == (a, c):
            found = (kind, found[1], b, found[3], d)
            continue
        if found:
            yield found
        found = (kind, a, b, c, d)
    if found:
        yield found


def _changes(old: str, new: str) -> Iterator[tuple[Kind, int, int, int, int]]:
    places = _places(old, new)
    index = 0
    while index < len(places):
        a, b, c, d = places[index]
        end = index + 1
        if old[a:b] != new[c:d]:
            if swapped := _swapped(old, new, places, index):
                end = swapped
                _, b, _, d = places[end - 1]
            yield "swap" if swapped else _kind(old[a:b], new[c:d]), a, b, c, d
        index = end


def _places(old: str, new: str) -> list[Place]:
    """The two words side by side, character by character, aligned as a reader sees them."""
    places: list[Place] = []
    for operation, a, b, c, d in opcodes("".join(map(plain, old)), "".join(map(plain, new))):
        if operation == "insert":
            places += [(a, a, at, at + 1) for at in range(c, d)]
        elif operation == "delete":
            places += [(at, at + 1, c, c) for at in range(a, b)]
        else:
            places += [(at, at + 1, at + c - a, at + c - a + 1) for at in range(a, b)]
    return places


def _swapped(old: str, new: str, places: list[Place], index: int) -> int:
    """Where a swap of two letters ends that begins here; 0 if none does. It shows as two letters replaced by each other, or as
    one that was inserted before and deleted behind another or the reverse."""
    a, b, c, d = places[index]
    if not (old[a:b] or new[c:d]).isalpha():
        return 0
    for length in (2, 3):
        end = index + length
        if end > len(places):
            break
        _, b, _, d = places[end - 1]
        gone, come = old[a:b], new[c:d]
        if len(gone) == len(come) == 2 and gone.isalpha() and gone[0] != gone[1] and gone == come[::-1]:
            return end
    return 0


def _kind(old: str, new: str) -> Kind:
    """The kind of one character's change; one side may be empty."""
    if old and new:
        return _replaced(old, new)
    char = old or new
    if is_invisible(char) and not char.isspace():
        return "invisible"
    if char.isspace():
        return "join" if old else "split"
    if is_combining(char):
        return "homoglyph"
    if is_mark(char):
        return "punctuation"
    return "letter_deleted" if old else "letter_inserted"


def _replaced(old: str, new: str) -> Kind:
    if old.isspace() and new.isspace():
        return "spacing"
    if is_invisible(old) or is_invisible(new):
        return "invisible"
    if old.casefold() == new.casefold():
        return "case"
    if is_leet(new, old) or is_leet(old, new):
        return "homoglyph"
    if is_mark(old) or old.isspace():
        return "punctuation"
    return "homoglyph" if plain(old) == plain(new) else "letter_substituted"
