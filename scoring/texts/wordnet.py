"""Senses of words from WordNet's own database files (Miller 1995; formats: wndb(5WN), morphy(7WN))."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from scoring.result import ScoringError

Sense = tuple[str, int]

PLACES: Final = ("/usr/share/wordnet",)
_PARTS: Final = ("noun", "verb", "adj", "adv")
_ENDINGS: Final = {
    "noun": ("s ", "ses s", "ves f", "xes x", "zes z", "ches ch", "shes sh", "men man", "ies y"),
    "verb": ("s ", "ies y", "es e", "es ", "ed e", "ed ", "ing e", "ing "),
    "adj": ("er ", "est ", "er e", "est e"),
    "adv": (),
}
"""Endings and what stands for them in the base form."""


def find_wordnet() -> Path | None:
    """The folder of WordNet's files: `WORDNET_DIR` if set, which must then hold them, else Debian's place, or None."""
    if given := os.environ.get("WORDNET_DIR"):
        if not _holds_wordnet(Path(given)):
            raise ScoringError(f"WORDNET_DIR={given}: no data.noun, data.verb, data.adj and data.adv there")
        return Path(given)
    return next((Path(place) for place in PLACES if _holds_wordnet(Path(place))), None)


class WordNet:
    """The senses of each word; two words are synonyms if they share one. ScoringError for files that are none of WordNet's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self._index = {part: dict(_lines(folder / f"index.{part}")) for part in _PARTS}
            self._exceptions = {part: dict(_lines(folder / f"{part}.exc")) for part in _PARTS}
        except OSError as error:
            raise ScoringError(f"{error.filename}: WordNet's file cannot be read ({error.strerror}).") from None
        self.senses = lru_cache(maxsize=50_000)(self._senses)
        self._data: dict[str, bytes] = {}

    def _senses(self, word: str) -> frozenset[Sense]:
        """What the word can mean, in any part of speech, itself or as a form of another: each by part of speech and number."""
        try:
            return frozenset(
                (part, int(number))
                for part in _PARTS
                for form in self._base_forms(word.lower(), part)
                for number in _numbers(self._index[part][form])
            )
        except (ValueError, IndexError):
            raise ScoringError(f"{self.folder}: the index holds {word!r} in a way that is not WordNet's.") from None

    def synonyms(self, word: str, part: str) -> list[str]:
        """The words of all senses that a base form has as "noun", "verb", "adj" or "adv", without itself: those of the most
        frequent sense first, in lower case; several words in one are joined by spaces."""
        form = word.lower().replace(" ", "_")
        if form not in self._index[part]:
            return []
        try:
            found = [each for number in _numbers(self._index[part][form]) for each in self._words(part, int(number))]
        except (ValueError, IndexError):
            raise ScoringError(f"{self.folder}: the synsets of {word!r} are written in a way that is not WordNet's.") from None
        return [each for each in dict.fromkeys(found) if each != word.lower()]

    def _words(self, part: str, place: int) -> list[str]:
        """The words of the synset at a byte of the data file: ``offset file type count word id word id …``, the count in
        hexadecimal; an adjective may say in brackets where it stands."""
        if part not in self._data:
            self._data[part] = (self.folder / f"data.{part}").read_bytes()
        data = self._data[part]
        fields = data[place : data.index(b"\n", place)].decode("latin-1").split()
        if fields[0] != f"{place:08d}":
            raise ValueError(place)
        return [name.split("(")[0].replace("_", " ").lower() for name in fields[4 : 4 + 2 * int(fields[3], 16) : 2]]

    def _base_forms(self, word: str, part: str) -> list[str]:
        if word in self._exceptions[part]:
            forms = self._exceptions[part][word].split()
        else:
            rules = (rule.split(" ") for rule in _ENDINGS[part])
            forms = [word[: -len(ending)] + base for ending, base in rules if word.endswith(ending)]
        return [form for form in dict.fromkeys([word, *forms]) if form in self._index[part]]


@cache
def installed_wordnet() -> WordNet | None:
    """The WordNet of `find_wordnet`, read once in a process."""
    folder = find_wordnet()
    return WordNet(folder) if folder else None


def _lines(file: Path) -> Iterator[tuple[str, str]]:
    """The first word of each line, and what follows it."""
    for line in file.read_text(encoding="latin-1").split("\n"):
        word, _, rest = line.partition(" ")
        if word:
            yield word, rest


def _numbers(entry: str) -> list[str]:
    """The synsets of an index entry: ``part count pointers … senses tagged number …``."""
    fields = entry.split()
    return fields[-int(fields[1]) :]


def _holds_wordnet(folder: Path) -> bool:
    return all((folder / f"data.{part}").is_file() for part in _PARTS)
