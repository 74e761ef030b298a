"""Plots hold what their tables hold, and say without colour whatever colour says."""

from __future__ import annotations

import pytest

from annotation.protocols import plots
from scoring.result import Estimate, Interval, Reason


def estimate(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, None, 9, "share", interval=Interval(low, high, "Wilson, 9 observations"))


def test_a_bar_is_cut_in_the_order_of_the_parts_and_reaches_from_0_to_1() -> None:
    plot = plots.parts([("original", (3, 0, 1)), ("pwws", (0, 0, 0))], "abc", row="variant", part="answer")
    assert plot is not None
    assert [(value["row"], value["part"], value["low"], value["high"]) for value in plot.values] == [
        ("original", "a", 0, 0.75),
        ("original", "c", 0.75, 1),
    ]
    assert [(value["words"], value["light"]) for value in plot.values] == [("a", False), ("c", True)]


def test_a_name_that_does_not_fit_into_its_part_is_left_to_the_legend() -> None:
    plot = plots.parts([("original", (39, 1))], ["a", "changes the meaning"], row="variant", part="answer")
    assert plot is not None
    assert [value["words"] for value in plot.values] == ["a", ""]


def test_shades_go_from_little_to_much_however_many_parts_there_are() -> None:
    assert [[plots.step(place, of) for place in range(of)] for of in (1, 2, 5, 7, 9)] == [
        [0],
        [0, 6],
        [0, 2, 3, 4, 6],
        [0, 1, 2, 3, 4, 5, 6],
        [0, 1, 2, 2, 3, 4, 4, 5, 6],
    ]


def test_an_interval_is_a_line_and_what_has_no_value_is_not_drawn() -> None:
    rows = [
        ("pwws", estimate(0.5, 0.25, 0.75)),
        ("none", Estimate(None, Reason("empty", "Nothing."), 0, "share")),
        ("alone", Estimate(1.0, None, 1, "share")),
    ]
    plot = plots.intervals(rows, row="attacker", value="kept", style="share", against=0.5)
    assert plot is not None
    assert list(plot.values) == [
        {"row": "pwws", "value": 0.5, "low": 0.25, "high": 0.75},
        {"row": "alone", "value": 1.0, "low": 1.0, "high": 1.0},
    ]
    assert plot.about == (
        "For each attacker a point at its kept, and a line as long as the interval. A broken line stands at 50.0 %."
    )


def test_a_square_holds_its_value_in_words() -> None:
    cells = [("A1", "A2", -0.2, "\N{MINUS SIGN}0.20"), ("A2", "A1", 1.0, "1.00")]
    plot = plots.matrix(cells, ["A1", "A2"], value="kappa")
    assert plot is not None
    assert [(value["words"], value["shade"], value["light"]) for value in plot.values] == [
        ("\N{MINUS SIGN}0.20", plots.STEPS[0], False),
        ("1.00", plots.STEPS[-1], True),
    ]


@pytest.mark.parametrize(
    "nothing",
    [
        plots.parts([("original", (0, 0))], "ab", row="variant", part="answer"),
        plots.intervals([], row="attacker", value="kept"),
        plots.matrix([], [], value="kappa"),
        plots.over_time([("2026-01-31", 3)], value="answers"),
        plots.bars([("5 for the first", 0)], row="votes", value="items"),
    ],
)
def test_nothing_to_draw_is_no_plot(nothing: plots.Plot | None) -> None:
    assert nothing is None


def test_columns_stand_side_by_side_in_the_order_of_their_names() -> None:
    plot = plots.side_by_side([("1 to 2", [3, 0]), ("2 to 3", [1, 4])], ["judged", "predicted"], row="score", value="texts")
    assert plot is not None
    assert [tuple(value.values()) for value in plot.values] == [
        ("1 to 2", "judged", 3),
        ("1 to 2", "predicted", 0),
        ("2 to 3", "judged", 1),
        ("2 to 3", "predicted", 4),
    ]
    assert plot.about == "For each score, from left to right, columns of texts: judged, predicted."
    assert plots.side_by_side([("1 to 2", [0, 0])], ["judged", "predicted"], row="score", value="texts") is None
