"""What one character is: in the alphabet, invisible, or a look-alike of a plain Latin letter."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Literal

Kind = Literal["plain", "foreign", "invisible", "confusable"]

# White space that texts really have; every other control character is one that a reader cannot see.
_ORDINARY_CONTROLS = "\t\n\r"


@lru_cache(maxsize=50_000)
def kind(character: str) -> Kind:
    """ "plain" is ASCII (but for control characters) and typographic punctuation; "confusable" looks like an ASCII
    letter or digit (Unicode Technical Standard 39, through confusable-homoglyphs); "foreign" is any other."""
    if character in _ORDINARY_CONTROLS or " " <= character <= "~":
        return "plain"
    category = unicodedata.category(character)
    if category in {"Cc", "Cf", "Cn", "Co", "Cs"} or "\ufe00" <= character <= "\ufe0f":
        return "invisible"
    if _looks_ascii(character):
        return "confusable"
    return "plain" if category[0] in "PZS" and character < "\u2190" else "foreign"


def _looks_ascii(character: str) -> bool:
    compatible = unicodedata.normalize("NFKC", character)
    if compatible != character and compatible.isascii() and compatible.isalnum():
        return True  # mathematical, full-width and circled letters
    from confusable_homoglyphs import confusables

    found = confusables.is_confusable(character)
    likenesses = [likeness["c"] for entry in found or [] for likeness in entry["homoglyphs"]]
    return any(len(likeness) == 1 and likeness.isascii() and likeness.isalnum() for likeness in likenesses)
