"""Words of the same meaning by a list of base forms, WordNet or sememes, put into the form of the word they stand in for."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

from attacks.errors import AttackError
from attacks.substitutes.parts_of_speech import Reading, inflected, readings
from attacks.substitutes.source import Word
from scoring.result import ScoringError
from scoring.texts import wordnet

_WORDNET: Final = {"NOUN": "noun", "VERB": "verb", "ADJ": "adj", "ADV": "adv"}
PARTS: Final = tuple(_WORDNET.values())


class BaseForms(Protocol):
    """Base forms of the meaning of another, as noun, verb, adj or adv; the best first, in lower case."""

    def synonyms(self, word: str, part: str) -> list[str]: ...

    def describe(self) -> dict[str, Any]: ...


class Synonyms:
    """The synonyms of all base forms that a word can have, each inflected as the word is, as a lexicon: "movies" is a plural
    noun, so "films"; "ran" a past tense, so "sprinted".

    Which base forms and inflections a word has, lemminflect's dictionary says; a tag leaves only those that agree with it.
    Synonyms without that form in the dictionary are left out, and with them all that are several words.
    """

    def __init__(self, base_forms: Callable[[], BaseForms]) -> None:
        """``base_forms`` gives the list, when it is first needed."""
        self._base_forms = base_forms

    def like(self, words: Sequence[Word]) -> list[list[str]]:
        return [self._like(word) for word in words]

    def _like(self, word: Word) -> list[str]:
        read = readings(word.plain)
        agreeing = [reading for reading in read if _agrees(reading, word.tag)]
        found = [form for reading in agreeing for form in self._forms(reading)]
        return [form for form in dict.fromkeys(found) if form != word.plain]

    def _forms(self, reading: Reading) -> list[str]:
        synonyms = self._base_forms().synonyms(reading.lemma, _WORDNET[reading.part])
        forms = (inflected(synonym, reading.tag) for synonym in synonyms)
        return [form for form in forms if form is not None]

    def describe(self) -> dict[str, Any]:
        return self._base_forms().describe() | {"inflection": "as the word replaced, by lemminflect"}


def _agrees(reading: Reading, tag: str | None) -> bool:
    """Whether a reading is the part of speech that a tag names: all of Penn's tags of one begin alike, as NN, NNS and NNP do."""
    return tag is None or reading.tag[:2] == tag[:2]


class WordNetWords:
    """Synonyms by WordNet (Miller 1995): words that share a sense, those of the most frequent sense first."""

    def __init__(self, folder: Path) -> None:
        self.wordnet = _read(folder)
        self.synonyms = self.wordnet.synonyms

    def describe(self) -> dict[str, Any]:
        return {"name": "WordNet", "sha256": _hash_of(self.wordnet.folder)}


class SememeWords:
    """Words that share a sense, as its sememes (smallest units of meaning) describe it (Zang et al. 2020, section 3.1).

    ``path`` is a text file in UTF-8 with a sense a line: word, part of speech (noun, verb, adj or adv) and the sememes,
    divided by tabs; the sememes, in any order, by spaces. Empty lines and those that begin with # are passed over. HowNet's
    annotations (Dong and Dong 2006) are written so in one step. Substitutes come in the order of the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._of_word: dict[tuple[str, str], list[frozenset[str]]] = defaultdict(list)
        self._of_sense: dict[tuple[frozenset[str], str], list[str]] = defaultdict(list)
        try:
            content = path.read_bytes()
            lines = content.decode("utf-8-sig").splitlines()
        except OSError as error:
            raise AttackError(f"{path}: the file of sememes cannot be read ({error.strerror})") from None
        except UnicodeDecodeError:
            raise AttackError(f"{path}: the file of sememes is not UTF-8") from None
        self.sha256 = hashlib.sha256(content).hexdigest()
        for number, line in enumerate(lines, 1):
            if line.strip() and not line.startswith("#"):
                self._add(number, line)
        if not self._of_word:
            raise AttackError(f"{path}: the file of sememes holds no sense")

    def _add(self, number: int, line: str) -> None:
        word, part, sememes = [*line.split("\t"), "", ""][:3]
        if part not in PARTS or not word.strip() or not sememes.split():
            raise AttackError(
                f"{self.path}: line {number}: expected a word, one of {', '.join(PARTS)} and sememes, divided by tabs"
            )
        meaning = frozenset(sememes.split())
        self._of_word[word.strip().lower(), part].append(meaning)
        self._of_sense[meaning, part].append(word.strip().lower())

    def synonyms(self, word: str, part: str) -> list[str]:
        meanings = self._of_word.get((word, part), [])
        found = [each for meaning in meanings for each in self._of_sense[meaning, part]]
        return [each for each in dict.fromkeys(found) if each != word]

    def describe(self) -> dict[str, Any]:
        return {"name": "sememes", "file": self.path.name, "sha256": self.sha256}


@cache
def installed_words() -> WordNetWords:
    """The synonyms of the WordNet that is installed, read once in a process. Raises `AttackError` without one."""
    try:
        folder = wordnet.find_wordnet()
    except ScoringError as error:
        raise AttackError(str(error)) from None
    if folder is None:
        raise AttackError("synonyms need WordNet: install Debian's wordnet-base, or set WORDNET_DIR to a folder with its files")
    return WordNetWords(folder)


@cache
def sememes_of(path: Path) -> SememeWords:
    """The words of a file of sememes, read once in a process."""
    return SememeWords(path)


def _read(folder: Path) -> wordnet.WordNet:
    try:
        return wordnet.WordNet(folder)
    except ScoringError as error:
        raise AttackError(str(error)) from None


@cache
def _hash_of(folder: Path) -> str:
    """The SHA-256 of what WordNet says about synonyms: its indexes and data, in the order of their names."""
    digest = hashlib.sha256()
    for part in sorted(PARTS):
        for kind in ("data", "index"):
            digest.update((folder / f"{kind}.{part}").read_bytes())
    return digest.hexdigest()
