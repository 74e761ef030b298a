"""Which tables want the whole width of a page."""

from __future__ import annotations

import pytest

from annotation.protocols.analysis import Figure, Table
from scoring.result import Estimate, Interval

SHARE = Estimate(0.5, None, 4, "share", interval=Interval(0.2, 0.8, "wilson"))
PLAIN = Estimate(3.5, None, 4, "F")


@pytest.mark.parametrize(
    ("columns", "row", "styles", "wide"),
    [
        ("abcde", [1, 2, 3, 4, SHARE], {}, False),
        ("abcdef", [1, 2, 3, 4, 5, 6], {}, True),
        ("abc", [1, SHARE, SHARE], {}, True),
        ("abc", [1, PLAIN, PLAIN], {}, False),
        ("abc", [1, Figure("share", "Share", SHARE), SHARE], {}, True),
        ("abc", [1, 0.5, 0.5], {"b": "share", "c": "share"}, True),
        ("abc", [1, 0.5, SHARE], {"c": "share"}, False),
        ("abcd", ["0.123 (n = 21)", "0.123 (n = 21)", "0.123 (n = 21)", "0.12"], {}, False),
        ("abcd", ["A1", "0.123 (n = 21)", "0.123 (n = 21)", "0.123 (n = 21)"], {}, True),
    ],
)
def test_many_columns_and_several_with_bars_are_wide(columns: str, row: list[object], styles: dict[str, str], wide: bool) -> None:
    assert Table("t", "T", list(columns), [row], styles=styles).wide is wide


def test_columns_of_long_texts_are_read_from_the_left_and_the_first_always_is() -> None:
    rows = [["a long name of a row", "a text of some length", "short", 0.5], ["b", "", "brief", "a reason why not"]]
    assert Table("t", "T", ["name", "text", "word", "number"], rows).worded == {1}
    assert Table("t", "T", ["name"], []).worded == frozenset()
