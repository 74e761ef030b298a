from __future__ import annotations

import pytest

from scoring.texts.characters import plain


@pytest.mark.parametrize(
    ("character", "seen"),
    [("ϲ", "c"), ("ⅽ", "c"), ("𝟮", "2"), ("ɑ", "a"), ("é", "e"), ("’", "'"), ("A", "a"), ("я", "я")],
)
def test_a_character_is_read_as_the_plain_one_that_it_looks_like(character: str, seen: str) -> None:
    assert plain(character) == seen
