"""Whether one word can stand where another does, by the parts of speech that they can have."""

from __future__ import annotations

from scoring.texts.parts_of_speech import parts_of_speech

METHOD = "lemminflect dictionary: a part of speech in common, both as its base form or both inflected"


def share_part_of_speech(first: str, second: str) -> bool:
    """Whether two lower-case words can be the same part of speech, both uninflected or both inflected.

    Unknown words share none, so names are never replaced nor put in.
    """
    return not parts_of_speech(first).isdisjoint(parts_of_speech(second))
