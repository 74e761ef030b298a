from __future__ import annotations

import pytest

from scoring.texts.entities import CAPITALISED


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("we met Angela Merkel in Berlin.", ["Angela", "Merkel", "Berlin"]),
        ("The film is good. It ends. Then I'm off.", []),
        ("Angela Merkel came late to the long talk.", ["Angela", "Merkel"]),
        ("all small letters", []),
        ("Senate Votes To Close The Bridge", []),
        ("", []),
        ("\ud800 \u200b", []),
    ],
)
def test_capitals_that_no_sentence_start_explains_are_names(text: str, names: list[str]) -> None:
    assert [text[a:b] for a, b in CAPITALISED.find(text)] == names
