"""Texts as a victim reads them: the first so many word pieces of bert-base-uncased, as BODEGA cuts what it attacks."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attacks.victims.wordpieces import WordPieces

PIECES = 512


def first_pieces(text: str, pieces: int = PIECES) -> str:
    """The text up to the end of its last piece allowed; a text of so many pieces or fewer is left as it is."""
    ends = _word_pieces(pieces).ends(text)
    return text[: ends[pieces - 1]] if len(ends) > pieces else text


def first_pieces_in_bodega(text: str) -> str:
    """The same by BODEGA's code, which takes the sign that ends a text of exactly 511 pieces for its 512th: nothing is left."""
    return "" if len(_word_pieces(PIECES).ends(text)) == PIECES - 1 else first_pieces(text)


def as_read_by_bodega(text: str) -> str:
    """What is left of a text that BODEGA's code wrote to a file and read again.

    Tabs are dropped on writing, and space at either end on reading. There ``\\\\n`` and ``\\\\t`` are undone before the doubled
    backslash, so that of ``C:\\\\new`` a backslash and a line break stay.
    """
    written = text.replace("\t", "").replace("\\", "\\\\").replace("\n", "\\n").strip()
    return written.replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")


Change = Callable[[str], str]


def changes(pieces: int, *, bodega: bool) -> tuple[Change, Change]:
    """What becomes of every text, and of one to attack besides; ``pieces`` 0 leaves it whole."""
    if bodega:
        return as_read_by_bodega, first_pieces_in_bodega
    return str, (lambda text: first_pieces(text, pieces)) if pieces else str


@cache
def _word_pieces(pieces: int) -> WordPieces:
    from attacks.victims.wordpieces import WordPieces

    return WordPieces(longest=pieces + 3)  # one more than is kept, between the two signs around a text
