from __future__ import annotations

import pytest

from scoring.texts.characters import encodable, plain


@pytest.mark.parametrize(
    ("character", "seen"),
    [("ϲ", "c"), ("ⅽ", "c"), ("𝟮", "2"), ("ɑ", "a"), ("é", "e"), ("’", "'"), ("A", "a"), ("я", "я")],
)
def test_a_character_is_read_as_the_plain_one_that_it_looks_like(character: str, seen: str) -> None:
    assert plain(character) == seen


def test_a_lone_surrogate_becomes_an_unknown_character() -> None:
    assert encodable("a\ud800b\udfff \U0001f600\ue000") == "a\ufffdb\ufffd \U0001f600\ue000"
