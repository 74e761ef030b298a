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
        if end := _swapped(old, new, places, index):
            _, b, _, d = places[end - 1]
            yield "swap", a, b, c, d
            index = end
            continue
        if old[a:b] != new[c:d]:
            yield _kind(old[a:b], new[c:d]), a, b, c, d
        index += 1


def _places(old: str, new: str) -> list[Place]:
    """The two words side by side, character by character, aligned as a reader sees them."""
    places: list[Place] = []
    for _, a, b, c, d in opcodes("".join(map(plain, old)), "".join(map(plain, new))):
        while a < b or c < d:
            places.append((a, min(a + 1, b), c, min(c + 1, d)))
            a, c = min(a + 1, b), min(c + 1, d)
    return places


def _swapped(old: str, new: str, places: list[Place], index: int) -> int:
    """Where a swap of two letters ends that begins here; 0 if none does. It shows as two letters replaced by each other, or as
    one that was inserted before and deleted behind another or the reverse."""
    for length in (2, 3):
        end = index + length
        if end > len(places):
            break
        a, c, b, d = places[index][0], places[index][2], places[end - 1][1], places[end - 1][3]
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
    if is_leet(new, old):
        return "homoglyph"
    if is_mark(old) or old.isspace():
        return "punctuation"
    return "homoglyph" if plain(old) == plain(new) else "letter_substituted"
