"""Figures and tables look the same on the page, in the report and on the terminal."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

from annotation.protocols.analysis import Bar, Figure, Table
from annotation.templatetags.figures import interval_plot, shown_rows
from scoring.result import Estimate, Interval, Reason
from scoring.wording import shown_cell, shown_circumstances


def estimate(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, None, 10, "x", interval=Interval(low, high, "bootstrap"))


def test_a_share_is_a_share_wherever_its_table_is_shown() -> None:
    rows = [["bae", 3, 0.468, estimate(0.468, 0.4, 0.5)], ["all", 0, None, None]]
    table = Table("t", "T", ["by", "n", "kept", "part"], rows, styles={"kept": "share", "part": "share"})
    on_page = [[text for text, _ in row] for _, row in shown_rows(table)]
    elsewhere = [[shown_cell(cell, style) for cell, style in row] for row in table.cells]
    assert on_page == elsewhere == [["bae", "3", "46.8 %", "46.8 % (40.0 % to 50.0 %)"], ["all", "0", "–", "–"]]
    assert [[bar for _, bar in row] for _, row in shown_rows(table)] == [[None, None, 0.468, 0.468], [None, None, None, None]]


def test_a_column_is_no_share_because_of_its_name() -> None:
    table = Table("confusion", "T", ["first", "share", "kept"], [["share", 1, 0.5]])
    assert shown_rows(table) == [("", [("share", None), ("1", None), ("0.500", None)])]


def test_rows_lead_where_their_links_say() -> None:
    table = Table("t", "T", ["run"], [["a"], ["b"]], links=["/attacks/1/", "/attacks/2/"])
    assert [link for link, _ in shown_rows(table)] == ["/attacks/1/", "/attacks/2/"]
    with pytest.raises(ValueError, match="2 rows and 1 links"):
        Table("t", "T", ["run"], [["a"], ["b"]], links=["/attacks/1/"])


def test_a_style_needs_its_column() -> None:
    with pytest.raises(ValueError, match="no column huh"):
        Table("t", "T", ["a"], [], styles={"huh": "share"})


def test_a_figure_in_a_table_brings_its_own_style() -> None:
    table = Table("t", "T", ["figure", "value"], [["raw", Figure("raw", "Raw", estimate(0.5, 0.25, 0.75), style="share")]])
    assert shown_rows(table)[0][1][1] == ("50.0 % (25.0 % to 75.0 %)", 0.5)
    assert table.as_dict()["rows"][0][1]["value"] == 0.5


def test_a_value_without_interval_says_why() -> None:
    why = Reason("draws_equal", "No interval: every bootstrap draw gives the same value.")
    shown = shown_circumstances(Estimate(1.0, None, 5, "AC1", no_interval=why))
    assert shown == "No interval: every bootstrap draw gives the same value; n = 5"


@pytest.mark.parametrize(
    ("figure", "bar"),
    [
        (Figure("k", "K", estimate(0.5, 0.25, 0.75), scale=(0, 1)), Bar(25, 50, 50, ("0", "1"))),
        (Figure("k", "K", estimate(0.0, -0.5, 0.5), scale=(0, 1)), Bar(25, 50, 50, ("−1", "1"))),
        (Figure("k", "K", estimate(0.9, 0.8, 1.2), scale=(0, 1)), Bar(40, 20, 45, ("0", "2"))),
        (Figure("k", "K", estimate(0.5, 0.25, 0.75)), None),
        (Figure("k", "K", Estimate(0.5, None, 5, "x"), scale=(0, 1)), None),
    ],
)
def test_nothing_is_cut_off_the_scale(figure: Figure, bar: Bar | None) -> None:
    found = figure.bar
    assert (found is None) == (bar is None)
    if found and bar:
        assert (found.low, found.width, found.mark, found.ends) == (*map(pytest.approx, (bar.low, bar.width, bar.mark)), bar.ends)
        assert f"scale from {bar.ends[0]} to {bar.ends[1]}" in interval_plot(figure)
        assert [float(x) for x in re.findall(r'x="([\d.]+)"', interval_plot(figure))][1] == pytest.approx(bar.low)


@pytest.mark.parametrize(
    ("title", "method", "left"),
    [
        ("Gwet's AC1", "Gwet's AC1", "interval: bootstrap"),
        ("Cohen's kappa, pooled", "Cohen's kappa, unweighted", "unweighted; interval: bootstrap"),
        ("Meaning kept", "share", "share; interval: bootstrap"),
    ],
)
def test_a_method_does_not_repeat_the_title(title: str, method: str, left: str) -> None:
    figure = Figure("k", title, Estimate(0.5, None, 10, method, interval=Interval(0.1, 0.9, "bootstrap")))
    assert figure.method == left


def test_no_template_prints_numbers_in_a_way_of_its_own() -> None:
    own = re.compile(r"\|\s*(?:floatformat|intcomma)")
    assert [str(path) for path in (settings.BASE_DIR / "templates").rglob("*.html") if own.search(path.read_text())] == []
