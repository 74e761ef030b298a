"""Which parts of speech a word can have, by the dictionary of lemminflect; no tagger, so no context."""

from __future__ import annotations

from functools import lru_cache

METHOD = "lemminflect dictionary: a part of speech in common, both as its base form or both inflected"


@lru_cache(maxsize=200_000)
def parts_of_speech(word: str) -> frozenset[tuple[str, bool]]:
    """Universal tags (NOUN, VERB, ADJ, ADV, AUX, PROPN) that a lower-case word can have, each with whether the word is a
    base form of it: ``movies`` is {(NOUN, False)}. Empty if the word is unknown."""
    import lemminflect

    return frozenset((tag, lemmas[0] == word) for tag, lemmas in lemminflect.getAllLemmas(word).items())


def share_part_of_speech(first: str, second: str) -> bool:
    """Whether two lower-case words can be the same part of speech, both uninflected or both inflected.

    Unknown words share none, so names are never replaced nor put in.
    """
    return not parts_of_speech(first).isdisjoint(parts_of_speech(second))
