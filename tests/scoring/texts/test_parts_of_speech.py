"""Parts of speech by a dictionary."""

from __future__ import annotations

from scoring.texts.parts_of_speech import parts_of_speech


def test_parts_of_speech() -> None:
    assert parts_of_speech("movies") == {("NOUN", False)}
    assert parts_of_speech("run") == {("NOUN", True), ("VERB", True)}
    assert parts_of_speech("zyxia") == frozenset()
