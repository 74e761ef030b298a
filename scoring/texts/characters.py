"""What one character is to a reader: invisible, or a look-alike of a plain letter."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_ORDINARY_CONTROLS: Final = "\t\n\r"
"""White space that texts really have; every other control character is one that a reader cannot see."""

_LONE_SURROGATES: Final = re.compile("[\ud800-\udfff]")

_QUOTES: Final = {"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"'}


@lru_cache(maxsize=50_000)
def is_invisible(character: str) -> bool:
    """Whether a reader sees nothing of it: a control or format character, a variation selector, or none at all."""
    if character in _ORDINARY_CONTROLS or " " <= character <= "~":
        return False
    return unicodedata.category(character) in {"Cc", "Cf", "Cn", "Co", "Cs"} or "\ufe00" <= character <= "\ufe0f"


@lru_cache(maxsize=50_000)
def plain(character: str) -> str:
    """The one character that it looks like, in lower case: without accents, as an ASCII letter or digit if it looks like one
    (Unicode Technical Standard 39, through confusable-homoglyphs)."""
    if character.isascii():
        return character.lower()
    if character in _QUOTES:
        return _QUOTES[character]
    base = unicodedata.normalize("NFKD", character)[0]
    # The character before its base: the lunate sigma (ϲ) looks like a c, the sigma that it decomposes to does not.
    likeness = base if base.isascii() else _ascii_likeness(character) or _ascii_likeness(base) or base
    return likeness.lower()[0]


@lru_cache(maxsize=50_000)
def seen(character: str) -> str:
    """The plain character that a reader sees, by itself: nothing for an invisible one or an accent."""
    return "" if is_invisible(character) or is_combining(character) else plain(character)


def encodable(text: str) -> str:
    """The text as UTF-8 can hold it: a lone surrogate, which is half a character, as an unknown one."""
    return _LONE_SURROGATES.sub("\ufffd", text)


def is_combining(character: str) -> bool:
    """Whether it is an accent or the like on the character before."""
    return unicodedata.category(character) in {"Mn", "Me"}


def is_mark(character: str) -> bool:
    """Whether it is punctuation or a symbol."""
    return unicodedata.category(character)[0] in "PS"


def likenesses(character: str) -> list[str]:
    """ASCII letters and digits that it looks like by the table of Unicode Technical Standard 39."""
    from confusable_homoglyphs import confusables

    found = [likeness["c"] for entry in confusables.is_confusable(character) or [] for likeness in entry["homoglyphs"]]
    return [likeness for likeness in found if len(likeness) == 1 and likeness.isascii() and likeness.isalnum()]


def _ascii_likeness(character: str) -> str | None:
    """The letter before the digit where it looks like both, and the one of its own case first."""
    found = sorted(likenesses(character), key=lambda one: (one.isdigit(), one.isupper() != character.isupper(), one))
    return found[0] if found else None
