from __future__ import annotations

from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoring.judgements.agreement import cohen_kappa
from scoring.judgements.pools import LEVELS, Level, krippendorff_alpha, pairwise
from scoring.result import ScoringError

LABELS = ["a", "b", "c", "d"]
VALUES = [1.0, 2.0, 4.0, 8.0]
pools = st.lists(
    st.dictionaries(st.sampled_from(["r1", "r2", "r3", "r4", "r5"]), st.sampled_from(LABELS), max_size=5), min_size=2, max_size=20
)


@settings(max_examples=80, deadline=None)
@given(pools, st.sampled_from(LEVELS))
def test_alpha_is_that_of_another_library(units: list[dict[str, str]], level: Level) -> None:
    repeated = [unit for unit in units if len(unit) > 1]
    assume(len(repeated) > 1 and len({label for unit in repeated for label in unit.values()}) > 1)
    counts = np.array([[list(unit.values()).count(label) for label in LABELS] for unit in units])
    theirs = krippendorff.alpha(value_counts=counts, value_domain=VALUES, level_of_measurement=level)
    found = krippendorff_alpha(units, LABELS, level=level, values=VALUES, draws=10)
    assert found.value == pytest.approx(theirs)
    assert (found.n, found.left_out.get("judged fewer than twice", 0)) == (len(repeated), len(units) - len(repeated))


def test_krippendorffs_own_example() -> None:
    """Krippendorff 2011, section C: four observers, twelve units with gaps; nominal 0.743, ordinal 0.815, interval 0.849."""
    observers = ["1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3", ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 ."]
    columns = zip(*(row.split() for row in observers), strict=True)
    units = [{rater: label for rater, label in enumerate(column) if label != "."} for column in columns]
    found = {
        level: krippendorff_alpha(units, ["1", "2", "3", "4", "5"], level=level, values=[1, 2, 3, 4, 5]).value for level in LEVELS
    }
    assert found == pytest.approx({"nominal": 0.743, "ordinal": 0.815, "interval": 0.849}, abs=5e-4)


@pytest.mark.parametrize(
    ("units", "code", "n"),
    [
        ([], "no_common_item", 0),
        ([{"r1": "a"}, {"r2": "a"}], "no_common_item", 0),
        ([{"r1": "a", "r2": "b"}], "one_item", 1),
        ([{"r1": "a", "r2": "a"}, {"r1": "a", "r2": "a"}], "one_label", 2),
        ([{"r1": "a", "r2": "huh"}, {"r1": "a", "r2": "b"}], "undeclared_label", 0),
    ],
)
@pytest.mark.parametrize("level", LEVELS)
def test_what_has_no_alpha_says_why(units: list[dict[str, str]], code: str, n: int, level: Level) -> None:
    found = krippendorff_alpha(units, LABELS, level=level, values=VALUES)
    assert (found.value, found.reason and found.reason.code, found.n) == (None, code, n)


@pytest.mark.parametrize("options", [{"level": "ratio"}, {"level": "interval"}, {"level": "interval", "values": [1.0]}])
def test_unknown_levels_and_missing_values_are_refused(options: Any) -> None:
    with pytest.raises(ScoringError):
        krippendorff_alpha([{"r1": "a", "r2": "b"}], LABELS, **options)


def test_the_interval_is_over_clusters() -> None:
    rng = np.random.default_rng(0)
    units = [{r: LABELS[int(rng.integers(3))] if rng.random() < 0.4 else LABELS[i % 3] for r in range(3)} for i in range(60)]
    found = krippendorff_alpha(units, LABELS, clusters=[i // 2 for i in range(60)])
    assert found.interval and found.value
    assert found.interval.low < found.value < found.interval.high
    assert "30 clusters" in found.interval.method


def test_pairs_are_those_that_have_items_in_common() -> None:
    units = [{"x": "a", "y": "a"}, {"y": "b", "x": "a"}, {"x": "b", "z": "b"}, {"y": "c"}, {"x": "b", "y": "b"}]
    found = pairwise(units, LABELS)
    assert {pair: (each.n, each.raw) for pair, each in found.items()} == {("x", "y"): (3, 2 / 3), ("x", "z"): (1, 1.0)}
    expected = cohen_kappa(["a", "a", "b"], ["a", "b", "b"], LABELS).value
    assert found["x", "y"].kappa.value == pytest.approx(expected)
    alone = found["x", "z"].kappa
    assert (alone.value, alone.reason and alone.reason.code) == (None, "one_item")


def test_pairs_that_used_one_label_have_no_kappa_and_undeclared_labels_are_refused() -> None:
    same = pairwise([{"x": "a", "y": "a"}] * 3, LABELS)["x", "y"].kappa
    assert (same.value, same.reason and same.reason.code) == (None, "one_label")
    assert pairwise([], LABELS) == {}
    with pytest.raises(ScoringError, match="huh"):
        pairwise([{"x": "huh", "y": "a"}], LABELS)
