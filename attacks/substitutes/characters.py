"""What may be done to the characters of a word.

Edits keep to the inside of the word that they are given: they never see what stands around it. A function that takes a random
generator draws places or letters from it; the others list every edit there is. In words of more than `MOST_PLACES` places,
only so many are tried, evenly spaced: no word is that long, but a text may be one run of letters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from string import ascii_lowercase

import numpy as np

MOST_PLACES = 32


def swap(word: str, rng: np.random.Generator) -> str:
    return swapped(word, int(rng.integers(len(word) - 1)))


def substitute(word: str, rng: np.random.Generator) -> str:
    i = int(rng.integers(len(word)))
    return word[:i] + _letter_like(word[i], rng) + word[i + 1 :]


def delete(word: str, rng: np.random.Generator) -> str:
    i = int(rng.integers(len(word)))
    return word[:i] + word[i + 1 :]


def insert(word: str, rng: np.random.Generator) -> str:
    return _inserted(word, int(rng.integers(len(word))), rng)


TYPOS = (swap, substitute, delete, insert)


def typos(word: str, rng: np.random.Generator) -> list[str]:
    """The word after each of `TYPOS`, where it has two characters or more and the edit changes it: at most four words."""
    if len(word) < 2:
        return []
    edited = (edit(word, rng) for edit in TYPOS)
    return list(dict.fromkeys(new for new in edited if new != word))


def misspellings(word: str, rng: np.random.Generator) -> list[str]:
    """Slips of typists at every place inside a word of four characters or more, whose first and last one stay.

    First the swaps of neighbours, then the omissions, the insertions of one random letter, and the hits of a neighbouring
    key: at most (n - 3) + (2 + `MOST_KEYS`)(n - 2) words for n characters.
    """
    if len(word) < 4:
        return []
    inner = _spaced(range(1, len(word) - 1))
    found = [swapped(word, i) for i in inner if i < len(word) - 2]
    found += [word[:i] + word[i + 1 :] for i in inner]
    found += [_inserted(word, i, rng) for i in inner]
    found += [word[:i] + key + word[i + 1 :] for i in inner for key in neighbouring_keys(word[i])]
    return [new for new in dict.fromkeys(found) if new != word]


def swapped(word: str, i: int) -> str:
    """The word with its ``i``-th character and the next one swapped."""
    return word[:i] + word[i + 1] + word[i] + word[i + 2 :]


_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
MOST_KEYS = 6


def neighbouring_keys(character: str) -> str:
    """The letters whose keys touch that of an English letter on a QWERTY keyboard, in its case: at most `MOST_KEYS`.

    Every row is half a key to the right of the one above, so the key at place i touches i and i + 1 there.
    """
    for row, keys in enumerate(_ROWS):
        i = keys.find(character.lower())
        if character and i >= 0:
            above = _ROWS[row - 1][i : i + 2] if row else ""
            below = _ROWS[row + 1][max(i - 1, 0) : i + 1] if row + 1 < len(_ROWS) else ""
            found = keys[max(i - 1, 0) : i] + keys[i + 1 : i + 2] + above + below
            return found.upper() if character.isupper() else found
    return ""


_DRAWN_ALIKE = frozenset("ϳοасеһіјорсԛѕԝхуΑΒΕΖΗΚΜΝΟΡΤΥΧАВСЕНМОРТХЅЈԜҮ")
"""Greek and Cyrillic letters for which DejaVu Sans has the very outline of a Latin letter."""


@cache
def homoglyphs() -> Mapping[str, str]:
    """For English letters the characters that look the same, in the order of their code points.

    Pairs are those of Unicode Technical Standard 39 (confusables.txt, through confusable-homoglyphs), of which most only
    resemble each other; kept are single Greek and Cyrillic letters that common fonts draw alike.
    """
    from confusable_homoglyphs.confusables import confusables_data

    letters = ascii_lowercase + ascii_lowercase.upper()
    alike = {
        letter: "".join(sorted({each["c"] for each in confusables_data.get(letter, []) if each["c"] in _DRAWN_ALIKE}))
        for letter in letters
    }
    return {letter: found for letter, found in alike.items() if found}


def homoglyph_variants(word: str) -> Iterator[tuple[int, str]]:
    """Places of a word that have a homoglyph, and the word with it; one entry for each homoglyph."""
    table = homoglyphs()
    for i in _spaced(range(len(word))):
        for glyph in table.get(word[i], ""):
            yield i, word[:i] + glyph + word[i + 1 :]


INVISIBLE = "\u200b\u200c\u200d\u2060\u00ad"
"""Zero-width space, non-joiner and joiner, word joiner, soft hyphen: drawn as nothing inside a word."""


def with_invisible(word: str, rng: np.random.Generator) -> list[str]:
    """The word with each of the `INVISIBLE` characters at one random place inside it: five words, or none."""
    inside = _inside(word)
    if not inside:
        return []
    i = inside[int(rng.integers(len(inside)))]
    return [word[:i] + character + word[i:] for character in INVISIBLE]


def split(word: str) -> list[str]:
    """The word with a space at every place inside it."""
    return [f"{word[:i]} {word[i:]}" for i in _inside(word)]


def _inside(word: str) -> list[int]:
    """Where something can be put between two characters of a word, and never between a letter and its accent."""
    return [i for i in _spaced(range(1, len(word))) if not unicodedata.combining(word[i])]


def _spaced(places: range) -> list[int]:
    """At most `MOST_PLACES` of the places, evenly spaced."""
    if len(places) <= MOST_PLACES:
        return list(places)
    return [places[i * len(places) // MOST_PLACES] for i in range(MOST_PLACES)]


def _inserted(word: str, i: int, rng: np.random.Generator) -> str:
    return word[:i] + _letter_like(word[i], rng) + word[i:]


def _letter_like(character: str, rng: np.random.Generator) -> str:
    """A random letter a–z in the case of a character."""
    letter = ascii_lowercase[int(rng.integers(26))]
    return letter.upper() if character.isupper() else letter
