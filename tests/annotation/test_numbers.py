"""Numbers that come as text."""

from __future__ import annotations

import pytest

from annotation.numbers import whole


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), ("9" * 18, 10**18 - 1)])
def test_a_whole_number_is_read(text: str, number: int) -> None:
    assert whole(text) == number


@pytest.mark.parametrize("text", ["", "x", "-1", "+1", " 1", "1\n", "1_0", "1.0", "\u0661", "\u00b2", "9" * 19, "9" * 5_000])
def test_what_is_none_is_told(text: str) -> None:
    assert whole(text) is None
