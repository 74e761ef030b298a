from __future__ import annotations

from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import fleiss_kappa as their_fleiss_kappa

from scoring.judgements.agreement import cohen_kappa, confusion, gwet_ac1, raw_agreement
from scoring.judgements.pools import (
    LEVELS,
    Level,
    fleiss_kappa,
    krippendorff_alpha,
    pairwise,
    pool_ac1,
    pool_agreement,
    pool_confusion,
)
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


equal_pools = st.integers(2, 4).flatmap(
    lambda size: st.lists(st.lists(st.sampled_from(LABELS), min_size=size, max_size=size), min_size=2, max_size=15)
)


def as_units(answers: list[list[str]]) -> list[dict[int, str]]:
    return [dict(enumerate(labels)) for labels in answers]


@settings(max_examples=50, deadline=None)
@given(equal_pools)
def test_fleiss_kappa_is_that_of_another_library(answers: list[list[str]]) -> None:
    assume(len({label for labels in answers for label in labels}) > 1)
    counts = np.array([[labels.count(label) for label in LABELS] for labels in answers])
    assert fleiss_kappa(as_units(answers), LABELS, draws=10).value == pytest.approx(their_fleiss_kappa(counts))


def test_a_well_known_example() -> None:
    """Ten items, fourteen raters, five labels: the worked example of many textbooks, 0.210."""
    rows = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    units = [dict(enumerate(str(label) for label, times in enumerate(row) for _ in range(times))) for row in rows]
    found = fleiss_kappa(units, list("01234"))
    assert (found.value, found.n) == (pytest.approx(0.210, abs=5e-4), 10)


def test_unequal_raters_have_no_fleiss_kappa_and_missing_ones_are_left_out() -> None:
    unequal = fleiss_kappa([{1: "a", 2: "b"}, {1: "a", 2: "b", 3: "c"}], LABELS)
    assert unequal.reason
    assert (unequal.reason.code, unequal.reason.message) == (
        "unequal_raters",
        "Items have 2 to 3 answers. Fleiss' kappa needs equally many, at least two; alpha does not.",
    )
    found = fleiss_kappa([{1: "a", 2: "b"}, {}, {1: "a", 2: "a"}], LABELS)
    assert (found.n, found.left_out) == (2, {"not judged": 1})


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=2, max_size=20))
def test_a_pool_of_two_is_a_pair(pairs: list[tuple[str, str]]) -> None:
    first, second = zip(*pairs, strict=True)
    units = [{"x": a, "y": b} for a, b in pairs]
    assert pool_ac1(units, LABELS, draws=10).value == pytest.approx(gwet_ac1(first, second, LABELS, draws=10).value)
    assert pool_agreement(units, LABELS, draws=10).value == pytest.approx(raw_agreement(first, second, LABELS).value)
    one_way = np.array(confusion(first, second, LABELS))
    assert pool_confusion(units, LABELS) == (one_way + one_way.T).tolist()


def test_n_of_ac1_is_the_items_that_agreement_is_over() -> None:
    units = [{"x": LABELS[0], "y": LABELS[0]}, {"x": LABELS[1], "y": LABELS[0]}, {"x": LABELS[1]}, {}]
    found = pool_ac1(units, LABELS, draws=10)
    assert (found.n, found.left_out) == (2, {"not judged": 1, "judged once, which tell label frequencies only": 1})
    assert found.method == "Gwet's AC1, label frequencies over all judged items"


@settings(max_examples=40, deadline=None)
@given(pools)
def test_ac1_of_a_pool_is_gwets_sum(units: list[dict[str, str]]) -> None:
    """Item by item, as the handbook writes it: agreement over items judged twice, frequencies over all that are judged."""
    judged = [list(unit.values()) for unit in units if unit]
    twice = [labels for labels in judged if len(labels) > 1]
    assume(len(twice) > 1)
    agree = np.mean(
        [sum(labels.count(x) * (labels.count(x) - 1) for x in LABELS) / (len(labels) * (len(labels) - 1)) for labels in twice]
    )
    parts = [np.mean([labels.count(x) / len(labels) for labels in judged]) for x in LABELS]
    chance = sum(part * (1 - part) for part in parts) / (len(LABELS) - 1)
    assert pool_ac1(units, LABELS, draws=10).value == pytest.approx((agree - chance) / (1 - chance))


@pytest.mark.parametrize("statistic", [krippendorff_alpha, fleiss_kappa, pool_ac1, pool_agreement])
def test_every_statistic_of_a_pool_names_what_is_wrong(statistic: Any) -> None:
    def code(units: list[dict[str, str]], **options: Any) -> str | None:
        found = statistic(units, LABELS, **options)
        return None if found.reason is None else str(found.reason.code)

    assert code([]) == code([{}, {"r": "a"}]) == "no_common_item"
    assert code([{"r": "a", "s": "huh"}]) == "undeclared_label"
    assert code([{"r": "a", "s": "a"}] * 2, clusters=[1]) == "unequal_lengths"
    assert statistic([{"r": "\ud800", "s": "x" * 100_000}] * 2, ["\ud800", "x" * 100_000], draws=10).value is not None
    with pytest.raises(ScoringError, match="once each"):
        statistic([], ["a", "a"])
    with pytest.raises(ScoringError, match="are they labels"):
        statistic([{"r": str(i)} for i in range(1000)], [str(i) for i in range(1000)])
