"""A replacement takes the case of the word it replaces."""

from __future__ import annotations


def agree_case(word: str, replacement: str) -> str:
    """``replacement``, given in lower case, in the case of ``word``: upper (two letters or more), initial, or as it is."""
    letters = [character for character in word if character.isalpha()]
    if len(letters) > 1 and all(character.isupper() for character in letters):
        return replacement.upper()
    if letters and letters[0].isupper():
        return replacement[:1].upper() + replacement[1:]
    return replacement
