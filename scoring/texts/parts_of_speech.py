"""Which parts of speech a word can have, by the dictionary of lemminflect; no tagger, so no context."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=200_000)
def parts_of_speech(word: str) -> frozenset[tuple[str, bool]]:
    """Universal tags (NOUN, VERB, ADJ, ADV, AUX, PROPN) that a lower-case word can have, each with whether the word is a
    base form of it: ``movies`` is {(NOUN, False)}. Empty if the word is unknown."""
    import lemminflect

    return frozenset((tag, lemmas[0] == word) for tag, lemmas in lemminflect.getAllLemmas(word).items())
