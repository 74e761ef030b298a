"""Kinds of characters."""

from __future__ import annotations

import pytest

from regressors.features.characters import kind


@pytest.mark.parametrize(
    ("characters", "expected"),
    [
        ("aZ09 ~\t\n", "plain"),
        ("—“”’…\u00a0£", "plain"),
        ("аеорΑıｌ𝐷①", "confusable"),
        ("\u200b\u00ad\u202e\x00\ufeff\ud800\ufe0f", "invisible"),
        ("éñ漢щ😀\u0301", "foreign"),
    ],
)
def test_kind(characters: str, expected: str) -> None:
    assert [kind(character) for character in characters] == [expected] * len(characters)
