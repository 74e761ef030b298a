"""What one character is: in the alphabet, invisible, or a look-alike of a plain Latin letter."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Literal

from scoring.texts.characters import is_invisible, likenesses

Kind = Literal["plain", "foreign", "invisible", "confusable"]


@lru_cache(maxsize=50_000)
def kind(character: str) -> Kind:
    """ "plain" is ASCII (but for control characters) and typographic punctuation; "confusable" looks like an ASCII
    letter or digit (Unicode Technical Standard 39, through confusable-homoglyphs); "foreign" is any other."""
    if is_invisible(character):
        return "invisible"
    if character.isascii():
        return "plain"
    compatible = unicodedata.normalize("NFKC", character)
    # mathematical, full-width and circled letters
    if (compatible.isascii() and compatible.isalnum()) or likenesses(character):
        return "confusable"
    return "plain" if unicodedata.category(character)[0] in "PZS" and character < "\u2190" else "foreign"
