"""Parts of speech and inflections: by a dictionary, or by a tagger where one is given."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

from attacks.substitutes.source import Place
from scoring.texts.parts_of_speech import parts_of_speech

METHOD = "lemminflect dictionary: a part of speech in common, both as its base form or both inflected"

_PARTS: Final = ("NOUN", "VERB", "ADJ", "ADV")


class Tagger(Protocol):
    """Tells what a word is where it stands."""

    name: str

    def tags(self, places: Sequence[Place]) -> list[str | None]:
        """A Penn Treebank tag for each place, or None where it has none. A tag depends on its own text only."""
        ...


class Reading(NamedTuple):
    """One way to read a word: universal part of speech, base form, and the Penn tag of the form ("movies": NOUN, movie, NNS)."""

    part: str
    lemma: str
    tag: str


def share_part_of_speech(first: str, second: str) -> bool:
    """Whether two lower-case words can be the same part of speech, both uninflected or both inflected.

    Unknown words share none, so names are never replaced nor put in.
    """
    return not parts_of_speech(first).isdisjoint(parts_of_speech(second))


@lru_cache(maxsize=200_000)
def readings(word: str) -> tuple[Reading, ...]:
    """How lemminflect's dictionary reads a lower-case word: nouns, verbs, adjectives and adverbs, base forms before others,
    each base form of a part of speech with one tag. "walked" could be VBD or VBN: past tense is taken."""
    import lemminflect

    found = []
    for part, lemmas in lemminflect.getAllLemmas(word).items():
        for lemma in lemmas if part in _PARTS else ():
            tags = [tag for tag, forms in lemminflect.getAllInflections(lemma, part).items() if word in forms]
            if tags:
                found.append(Reading(part, lemma, min(tags)))
    return tuple(sorted(found, key=lambda reading: (reading.lemma != word, _PARTS.index(reading.part))))


@lru_cache(maxsize=200_000)
def inflected(lemma: str, tag: str) -> str | None:
    """A base form in the form that a Penn tag names ("film", NNS: "films"), by the dictionary; None if it has no such form."""
    import lemminflect

    forms = lemminflect.getInflection(lemma, tag, inflect_oov=False)
    return forms[0] if forms else None


def lemmas(word: str) -> frozenset[str]:
    """A lower-case word and its base forms."""
    import lemminflect

    return frozenset({word, *(lemma for found in lemminflect.getAllLemmas(word).values() for lemma in found)})


def forms(lemma: str) -> frozenset[str]:
    """A base form and its inflections."""
    import lemminflect

    return frozenset({lemma, *(form for found in lemminflect.getAllInflections(lemma).values() for form in found)})
