"""Which parts of speech a word can have, by the dictionary of lemminflect; no tagger, so no context."""

from __future__ import annotations

from functools import lru_cache

METHOD = "lemminflect dictionary: some part of speech in common"


@lru_cache(maxsize=200_000)
def parts_of_speech(word: str) -> frozenset[str]:
    """Universal tags (NOUN, VERB, ADJ, ADV, AUX, PROPN) that a lower-case word can have; empty if it is unknown."""
    import lemminflect

    return frozenset(lemminflect.getAllLemmas(word))


def share_part_of_speech(first: str, second: str) -> bool:
    """Whether two lower-case words can be the same part of speech. Unknown words share none, so names stay."""
    return not parts_of_speech(first).isdisjoint(parts_of_speech(second))
