"""Numbers in words: one way to print them, with a real minus sign and the right plural."""

from __future__ import annotations

import pytest

from scoring.result import Estimate, Interval, Reason
from scoring.wording import counted, digits, shown_cell, shown_number


@pytest.mark.parametrize(
    ("count", "words", "said"),
    [
        (0, ("answer",), "0 answers"),
        (1, ("answer",), "1 answer"),
        (1626, ("answer",), "1,626 answers"),
        (1, ("person", "people"), "1 person"),
        (2, ("person", "people"), "2 people"),
        (1, ("is", "are"), "1 is"),
    ],
)
def test_a_count_says_what_it_counts(count: int, words: tuple[str, ...], said: str) -> None:
    assert counted(count, *words) == said


@pytest.mark.parametrize(
    ("value", "style", "said"),
    [
        (-0.106, "number", "−0.106"),
        (-0.0001, "number", "0.000"),
        (-0.25, "share", "−25.0 %"),
        (-0.25, "points", "−25.0 pp"),
        (1234.56, "count", "1,234.6"),
        (0.0002, "p", "< 0.001"),
        (0.04, "p", "0.040"),
    ],
)
def test_a_number_in_its_style(value: float, style: str, said: str) -> None:
    assert shown_number(value, style) == said


def test_a_cell_tells_its_n_where_its_column_says_so() -> None:
    there = Estimate(0.5, None, 12, "alpha", interval=Interval(0.25, 0.75, "some"))
    assert [shown_cell(there, style) for style in ("number", "n")] == ["0.500 (0.250 to 0.750)", "0.500 (0.250 to 0.750; n = 12)"]
    missing = Estimate(None, Reason("empty", "Nothing."), 1_200, "alpha")
    assert [shown_cell(missing, style) for style in ("number", "n")] == ["not defined", "not defined (n = 1,200)"]


def test_scales_have_the_sign_too() -> None:
    assert (digits(-1, "g"), digits(-0.1061, ".4f")) == ("−1", "−0.1061")
