"""Words that nobody knows, and what they may have been before: misspelt, cut off, or glued to another."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import Any, Final

from scoring.texts.frequency import frequencies, zipf
from scoring.texts.parts_of_speech import parts_of_speech

RARE_ZIPF: Final = 3.0  # below one in a million: van Heuven et al. (2014) call words up to 3 low-frequency
_COMMON_WORDS: Final = 50_000
_SHORTEST: Final = 4  # letters; anything shorter is near, or in, some common word
_ONE_EDIT: Final = 1
_COMMON_ZIPF: Final = 4.0  # ten in a million; of the parts of glued words, since rarer ones of two letters are abbreviations
_SHORTEST_PART: Final = 2


def is_strange(word: str) -> bool:
    """Whether a word of letters is rare and in no dictionary (lemminflect's, by any of its forms). Frequency alone does not tell:
    the web, where it is counted, is full of misspelt words, and dictionaries of rare ones."""
    return word.isalpha() and zipf(word) < RARE_ZIPF and not parts_of_speech(word)


def is_misspelt(word: str) -> bool:
    """Whether one letter more, less or other, or two swapped, make it one of the 50,000 commonest words."""
    from symspellpy import Verbosity

    return len(word) >= _SHORTEST and bool(_speller().lookup(word, Verbosity.TOP, _ONE_EDIT))


def is_cut(word: str) -> bool:
    """Whether it is the beginning or the end of one of the 50,000 commonest words, as "ously" is."""
    ordered, reversed_ones = _ordered()
    return len(word) >= _SHORTEST and (_begins_one(word, ordered) or _begins_one(word[::-1], reversed_ones))


def is_glued(word: str) -> bool:
    """Whether it is two common words without the space between."""
    places = range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
    return any(min(zipf(word[:place]), zipf(word[place:])) >= _COMMON_ZIPF for place in places)


@cache
def _common() -> list[str]:
    return [word for word in islice(frequencies(), _COMMON_WORDS) if word.isascii() and word.isalpha()]


@cache
def _speller() -> Any:
    """Words by what is left of them without one letter (Garbe 2012, "SymSpell")."""
    from symspellpy import SymSpell

    speller = SymSpell(max_dictionary_edit_distance=_ONE_EDIT)
    for place, word in enumerate(reversed(_common()), start=1):
        speller.create_dictionary_entry(word, place)
    return speller


@cache
def _ordered() -> tuple[list[str], list[str]]:
    return sorted(_common()), sorted(word[::-1] for word in _common())


def _begins_one(beginning: str, ordered: Sequence[str]) -> bool:
    place = bisect_left(ordered, beginning)
    return place < len(ordered) and ordered[place].startswith(beginning)
