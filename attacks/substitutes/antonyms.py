"""Antonyms from WordNet's own database files (WNDB format, see the manual page wndb(5WN); Miller 1995)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from attacks.errors import AttackError
from attacks.substitutes.parts_of_speech import forms, lemmas
from scoring.result import ScoringError
from scoring.texts import wordnet

_FILES = {"n": "data.noun", "v": "data.verb", "a": "data.adj", "s": "data.adj", "r": "data.adv"}


def find_wordnet() -> Path | None:
    """The folder of WordNet's files, as in `scoring.texts.wordnet`."""
    try:
        return wordnet.find_wordnet()
    except ScoringError as error:
        raise AttackError(str(error)) from None


class Antonyms:
    """Pairs of words that WordNet marks as opposites (pointer ``!`` between two word senses).

    Reads only the entries that have such a pointer and those they lead to, a few thousand of the 117,000.
    """

    def __init__(self, folder: Path) -> None:
        self._pairs: set[tuple[str, str]] = set()
        content = {name: (folder / name).read_bytes() for name in set(_FILES.values())}
        for name in sorted(content):
            try:
                self._pairs.update(_opposites(content[name], content))
            except (ValueError, IndexError, KeyError, UnicodeDecodeError):
                raise AttackError(f"{folder / name} is not a WordNet data file") from None
        self._opposites: dict[str, set[str]] = defaultdict(set)
        for first, second in self._pairs:
            self._opposites[first].add(second)
            self._opposites[second].add(first)
        self._known: dict[str, frozenset[str]] = {}

    def __call__(self, first: str, second: str) -> bool:
        """Whether two lower-case words are opposites in some sense."""
        return (first, second) in self._pairs or (second, first) in self._pairs

    def of(self, word: str) -> frozenset[str]:
        """All forms of all opposites of a lower-case word in any form: "rises" has "fall", "falls" and "fell" among them."""
        if word not in self._known:
            opposites = {other for lemma in lemmas(word) for other in self._opposites.get(lemma, ())}
            self._known[word] = frozenset(form for other in opposites for form in forms(other))
        return self._known[word]

    def __len__(self) -> int:
        return len(self._pairs)


def _opposites(data: bytes, content: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    for line in data.split(b"\n"):
        if b" ! " not in line or line.startswith(b" "):  # the licence at the top is indented
            continue
        fields = line.split(b" | ")[0].decode("ascii").split()
        words = _words(fields)
        after = 4 + 2 * len(words)
        pointers = fields[after + 1 : after + 1 + 4 * int(fields[after])]
        for symbol, offset, part, numbers in zip(*(pointers[i::4] for i in range(4)), strict=True):
            source, target = int(numbers[:2], 16), int(numbers[2:], 16)
            if symbol == "!" and source and target:
                yield words[source - 1], _words_at(content[_FILES[part]], int(offset))[target - 1]


def _words_at(data: bytes, offset: int) -> list[str]:
    return _words(data[offset : data.index(b"\n", offset)].decode("ascii").split())


def _words(fields: list[str]) -> list[str]:
    """The words of a synset: ``offset file type count word id word id …``, the count in hexadecimal."""
    words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
    return [word.split("(")[0].replace("_", " ").lower() for word in words]


@cache
def installed_antonyms() -> Antonyms | None:
    """The antonyms of the WordNet that `find_wordnet` finds, read once in a process; None without one."""
    folder = find_wordnet()
    return None if folder is None else Antonyms(folder)
