from __future__ import annotations

import json
import math

import pytest

from scoring.result import Estimate, Interval, Reason, ScoringError


def test_an_estimate_becomes_json() -> None:
    interval = Interval(0.4, 0.6, "bootstrap")
    estimate = Estimate(0.5, None, 7, "kappa", {"missing": 2}, interval, ("a", "b"), ("a",))
    assert json.loads(json.dumps(estimate.as_dict(), allow_nan=False)) == {
        "value": 0.5,
        "reason": None,
        "n": 7,
        "method": "kappa",
        "left_out": {"missing": 2},
        "interval": {"low": 0.4, "high": 0.6, "method": "bootstrap", "level": 0.95},
        "labels_declared": ["a", "b"],
        "labels_seen": ["a"],
        "no_interval": None,
    }
    assert Estimate.from_dict(estimate.as_dict()) == estimate


def test_a_value_may_say_why_it_has_no_interval() -> None:
    why = Reason("draws_equal", "No interval: every draw is equal.")
    estimate = Estimate(0.5, None, 7, "kappa", no_interval=why)
    assert Estimate.from_dict(json.loads(json.dumps(estimate.as_dict()))) == estimate
    older = {key: value for key, value in estimate.as_dict().items() if key != "no_interval"}
    assert Estimate.from_dict(older).no_interval is None
    with pytest.raises(ScoringError):
        Estimate(0.5, None, 7, "kappa", interval=Interval(0, 1, "bootstrap"), no_interval=why)


def test_a_reason_becomes_json() -> None:
    found = Estimate(None, Reason("one_label", "Everybody agreed."), 3, "kappa").as_dict()
    assert (found["value"], found["reason"]) == (None, {"code": "one_label", "message": "Everybody agreed."})


@pytest.mark.parametrize(("value", "reason"), [(None, None), (0.5, Reason("a", "b")), (math.nan, None), (math.inf, None)])
def test_exactly_one_of_a_finite_value_and_a_reason(value: float | None, reason: Reason | None) -> None:
    with pytest.raises(ScoringError):
        Estimate(value, reason, 1, "kappa")


@pytest.mark.parametrize(("low", "high", "level"), [(math.nan, 1, 0.95), (1, 0, 0.95), (0, 1, 1.0)])
def test_an_interval_is_finite_and_in_order(low: float, high: float, level: float) -> None:
    with pytest.raises(ScoringError):
        Interval(low, high, "bootstrap", level)


def test_no_interval_without_a_value() -> None:
    with pytest.raises(ScoringError):
        Estimate(None, Reason("a", "b"), 1, "kappa", interval=Interval(0, 1, "bootstrap"))
