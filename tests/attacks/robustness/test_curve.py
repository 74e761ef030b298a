"""ACCS of curves whose area is known, and of curves that have none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from sklearn.metrics import auc

from attacks.errors import AttackError
from attacks.robustness.curve import accs, curve_of
from scoring.result import Estimate

FINE = np.linspace(0, 1, 1_001)


def value_of(first: Sequence[float], second: Sequence[float]) -> float:
    found = accs(curve_of(range(len(first)), first, second, loosest="highest"))
    assert found.value is not None
    return found.value


@pytest.mark.parametrize(("power", "area"), [(10, 1 / 11), (1, 1 / 2), (0.1, 1 / 1.1)])
def test_the_papers_three_curves(power: float, area: float) -> None:
    """Morris 2020, figure 2, prints 0.091, 0.500 and 0.909: there the loosest rates are 0.7 and 0.3."""
    for highest, widest in ((1.0, 1.0), (0.7, 0.3)):
        first, second = highest * FINE**power, widest * FINE
        assert value_of(first.tolist(), second.tolist()) == pytest.approx(area, abs=1e-3)
        assert value_of(first.tolist(), second.tolist()) == pytest.approx(auc(second, first) / (highest * widest), abs=1e-12)


def test_an_area_is_divided_by_both_rates_at_the_loosest_threshold() -> None:
    """The paper's example: an area of 0.105 under a curve that ends at 0.7 and 0.3."""
    assert value_of([0, 0.35, 0.7], [0, 0.15, 0.3]) == pytest.approx(0.105 / (0.7 * 0.3)) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        ([0.1, 0.4, 0.7], [0.3, 0.3, 0.3], 0.0),
        ([0, 0, 0.7], [0, 0.3, 0.3], 0.0),
        ([0, 0.7, 0.7], [0, 0, 0.3], 1.0),
        ([0.7, 0.7], [0, 0.3], 1.0),
    ],
    ids=[
        "second order whole at every threshold",
        "second order first",
        "first order first",
        "first order whole at every threshold",
    ],
)
def test_the_worst_and_the_best(first: list[float], second: list[float], value: float) -> None:
    assert value_of(first, second) == pytest.approx(value)


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [([0, 1], [0, 0], "no_second_order_examples"), ([0, 0], [0, 1], "no_first_order_examples")],
)
def test_no_value_where_a_rate_stays_0(first: list[float], second: list[float], code: str) -> None:
    found = accs(curve_of([1, 2], first, second, loosest="highest"))
    assert found.value is None
    assert found.reason is not None and found.reason.code == code
    assert Estimate.from_dict(found.as_dict()) == found


def test_rates_only_rise_as_the_threshold_loosens() -> None:
    curve = curve_of([0.9, 0.5, 0.7], [0.1, 0.3, 0.4], [0.2, 0.3, 0.1])
    assert curve.thresholds.tolist() == [0.9, 0.7, 0.5]
    assert curve.first.tolist() == [0.1, 0.4, 0.4]
    assert curve.second.tolist() == [0.2, 0.2, 0.3]


@pytest.mark.parametrize("turn", [lambda row: row, lambda row: row[::-1]], ids=["as it is", "the other way round"])
def test_the_loosest_end_is_where_most_is_let_through(turn: Callable[[list[float]], list[float]]) -> None:
    first, second = [0.0, 0.2, 0.7], [0.0, 0.2, 0.3]
    assert curve_of([1, 2, 3], turn(first), turn(second)).first.tolist() == first
    assert curve_of([1, 2, 3], turn(first), turn(second)).second.tolist() == second


@pytest.mark.parametrize(
    ("thresholds", "first", "second", "message"),
    [
        ([1], [0.1], [0.1], "two thresholds or more"),
        ([1, 2, 1], [0.1, 0.2, 0.3], [0.1, 0.1, 0.1], "the threshold 1 is there twice"),
        ([1, 2], [0.1, -0.2], [0.1, 0.1], "must not be negative"),
        ([1, 2, 3], [0.1, 0.5, 0.1], [0.1, 0.5, 0.1], "say which is the loosest"),
    ],
)
def test_what_is_no_curve_is_refused(thresholds: list[float], first: list[float], second: list[float], message: str) -> None:
    with pytest.raises(AttackError, match=message):
        curve_of(thresholds, first, second)
