"""Printed figures beside computed ones."""

from __future__ import annotations

import pytest

from annotation.reproduction.published import NOT_AT_HAND, Published, Row, beside_print, number
from scoring.result import Estimate, Reason


@pytest.mark.parametrize(
    ("printed", "value"),
    [("0.52", 0.52), ("80.32 %", 0.8032), ("1,062", 1062.0), ("0.06 < p < 0.07", None), ("none", None), ("", None)],
)
def test_what_is_printed_as_a_number(printed: str, value: float | None) -> None:
    assert Published(printed).value == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("here", "printed", "difference"),
    [
        (680, "600", 80),
        (number(0.524, 680, "kappa"), "0.52", pytest.approx(0.004)),
        (number(0.689, 61, "share"), "80.32 %", pytest.approx(-0.1142)),
        (Estimate(None, Reason("empty", "There is nothing."), 0, "mean"), "0.52", None),
        (None, "99 %", None),
        (3, "", None),
        (3, "0.06 < p < 0.07", None),
    ],
)
def test_the_difference_is_here_less_printed(here: Estimate | int | None, printed: str, difference: object) -> None:
    assert Row("figure", here, Published(printed)).difference == difference


def test_counts_differ_by_counts() -> None:
    assert isinstance(Row("figure", 680, Published("600")).difference, int)


def test_a_table_says_what_could_not_be_looked_up_and_what_is_known() -> None:
    table = beside_print("key", "Title", [Row("a", 3), Row("b", 2, Published("1", "Table 5", "known"))])
    assert [row[2:] for row in table.as_dict()["rows"]] == [[NOT_AT_HAND, None, ""], ["1", 1, "Table 5; known"]]
