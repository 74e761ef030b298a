from __future__ import annotations

import csv
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, confusion_matrix
from statsmodels.stats.inter_rater import cohens_kappa

from scoring.judgements.agreement import Weights, cohen_kappa, confusion, gwet_ac1, raw_agreement
from scoring.judgements.bootstrap import Floats, bootstrap_interval
from scoring.judgements.pools import LEVELS, krippendorff_alpha
from scoring.result import Estimate, ScoringError

LABELS = ["0", "1", "2"]
ALL = [raw_agreement, cohen_kappa, gwet_ac1]
Statistic = Callable[..., Estimate]

answers = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=2, max_size=30)


@settings(max_examples=40, deadline=None)
@given(answers, st.sampled_from([None, "linear", "quadratic"]))
def test_kappa_is_that_of_two_other_libraries(pairs: list[tuple[str, str]], weights: Weights) -> None:
    assume(len({label for pair in pairs for label in pair}) > 1)
    first, second = zip(*pairs, strict=True)
    value = cohen_kappa(first, second, LABELS, weights=weights, draws=10).value
    assert value == pytest.approx(cohen_kappa_score(first, second, labels=LABELS, weights=weights))
    names = {None: None, "linear": "linear", "quadratic": "quadratic"}
    table = confusion_matrix(first, second, labels=LABELS)
    with np.errstate(all="ignore"):
        theirs = cohens_kappa(table, wt=names[weights], return_results=False)
    assert value == pytest.approx(theirs)
    assert confusion(first, second, LABELS) == table.tolist()


@settings(max_examples=30, deadline=None)
@given(answers)
def test_renaming_labels_or_swapping_annotators_changes_nothing(pairs: list[tuple[str, str]]) -> None:
    first, second = zip(*pairs, strict=True)
    renamed = [{"0": "c", "1": "a", "2": "b"}[label] for label in (*first, *second)]
    for statistic in (cohen_kappa, gwet_ac1):
        value = statistic(first, second, LABELS, draws=10).value
        assert statistic(second, first, LABELS, draws=10).value == pytest.approx(value)
        half = len(first)
        assert statistic(renamed[:half], renamed[half:], ["a", "b", "c"], draws=10).value == pytest.approx(value)


def test_ac1_stays_high_where_one_label_dominates_and_kappa_does_not() -> None:
    """118 + 5 + 2 + 0 of 125: agreement 0.944, chance 2 · 0.972 · 0.028 for AC1."""
    first, second = ["1"] * 123 + ["2"] * 2, ["1"] * 118 + ["2"] * 5 + ["1"] * 2
    assert gwet_ac1(first, second, ["1", "2"]).value == pytest.approx((0.944 - 2 * 0.972 * 0.028) / (1 - 2 * 0.972 * 0.028))
    assert cohen_kappa(first, second, ["1", "2"]).value == pytest.approx(-0.0234, abs=5e-4)


def test_missing_answers_are_left_out_and_counted() -> None:
    first, second = ["0", "0", None, "1", None], ["0", "1", "0", "1", None]
    found = cohen_kappa(first, second, LABELS)
    assert (found.n, found.left_out) == (3, {"not judged by both": 2})
    assert found.value == cohen_kappa(["0", "0", "1"], ["0", "1", "1"], LABELS).value
    assert (found.labels_declared, found.labels_seen) == (("0", "1", "2"), ("0", "1"))
    assert confusion(first, second, LABELS) == [[1, 1, 0], [0, 1, 0], [0, 0, 0]]


@pytest.mark.parametrize("statistic", ALL)
@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ([], [], "no_common_item"),
        (["0", None], [None, "0"], "no_common_item"),
        (["0"], ["0", "1"], "unequal_lengths"),
        (["0", "x"], ["0", "1"], "undeclared_label"),
    ],
)
def test_what_cannot_be_paired_has_a_named_reason(
    statistic: Statistic, first: list[str | None], second: list[str | None], code: str
) -> None:
    found = statistic(first, second, LABELS)
    assert (found.value, found.reason and found.reason.code, found.n) == (None, code, 0)


def test_an_undeclared_label_is_named_with_its_item_and_seen() -> None:
    found = raw_agreement(["0", "0"], ["0", "huh"], LABELS)
    assert found.reason
    assert found.reason.message == "'huh' (item 2) is not one of the declared labels 0, 1, 2."
    assert found.labels_seen == ("0", "huh")
    with pytest.raises(ScoringError, match="'huh' \\(item 2\\)"):
        confusion(["0", "0"], ["0", "huh"], LABELS)


def test_one_label_and_one_item() -> None:
    same = ["0"] * 5
    kappa = cohen_kappa(same, same, LABELS)
    assert (kappa.value, kappa.reason and kappa.reason.code, kappa.n) == (None, "one_label", 5)
    assert (raw_agreement(same, same, LABELS).value, gwet_ac1(same, same, LABELS).value) == (1.0, 1.0)
    for statistic in (cohen_kappa, gwet_ac1):
        one = statistic(["0"], ["1"], LABELS)
        assert (one.value, one.reason and one.reason.code) == (None, "one_item")
    alone = gwet_ac1(same, same, ["0"])
    assert (alone.value, alone.reason and alone.reason.code) == (None, "one_label_declared")


@pytest.mark.parametrize("labels", [[], ["0", "0"]])
def test_labels_are_declared_once_each(labels: list[str]) -> None:
    with pytest.raises(ScoringError, match="declared once each"):
        cohen_kappa([], [], labels)


def test_unknown_weights_are_refused() -> None:
    with pytest.raises(ScoringError, match="cubic"):
        cohen_kappa(["0"], ["0"], LABELS, weights="cubic")  # type: ignore[arg-type]


def test_the_interval_names_its_method_and_is_repeatable() -> None:
    rng = random.Random(1)
    first = rng.choices(LABELS, k=60)
    second = [label if rng.random() < 0.7 else rng.choice(LABELS) for label in first]
    found = cohen_kappa(first, second, LABELS, clusters=[i // 3 for i in range(60)], seed=5)
    assert found.interval
    assert found.value
    assert found.interval.method == "percentile bootstrap, 1000 draws of 20 clusters, seed 5"
    assert found.interval.low < found.value < found.interval.high
    assert cohen_kappa(first, second, LABELS, clusters=[i // 3 for i in range(60)], seed=5) == found


def test_the_interval_is_near_the_analytic_one() -> None:
    """Fleiss, Cohen and Everitt, 1969, as statsmodels computes it."""
    rng = random.Random(2)
    first = rng.choices(LABELS, k=2000)
    second = [label if rng.random() < 0.7 else rng.choice(LABELS) for label in first]
    interval = cohen_kappa(first, second, LABELS).interval
    analytic = cohens_kappa(confusion_matrix(first, second, labels=LABELS))
    assert interval is not None
    assert interval.low == pytest.approx(analytic.kappa_low, abs=0.005)
    assert interval.high == pytest.approx(analytic.kappa_upp, abs=0.005)


def test_perfect_agreement_feigns_no_certainty() -> None:
    found = cohen_kappa(["0", "1"] * 10, ["0", "1"] * 10, LABELS)
    assert (found.value, found.interval) == (1.0, None)


def test_thirty_thousand_judgements_with_a_thousand_draws_take_under_five_seconds() -> None:
    rng = random.Random(3)
    first, second = (rng.choices(LABELS, k=15_000) for _ in range(2))
    start = time.perf_counter()
    cohen_kappa(first, second, LABELS, clusters=range(15_000), draws=1000)
    assert time.perf_counter() - start < 5


@pytest.mark.published_data
def test_the_published_kappa(published_data: Callable[[str], Path]) -> None:
    """InCrediblAE (Przybyła et al. 2024) prints 0.52; it pools several pairs of annotators, first against second."""
    with published_data("incrediblae_manual_evaluation.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    first, second = ([row[f"annotator{i}_stance"].removesuffix(".0") for row in rows] for i in (1, 2))
    originals = [row["original_samples"] for row in rows]
    kappa = cohen_kappa(first, second, LABELS, clusters=originals)
    raw = raw_agreement(first, second, LABELS, clusters=originals)
    assert (kappa.n, kappa.value) == (680, pytest.approx(0.5240984624, abs=1e-10))
    assert raw.value == pytest.approx(0.7014705882, abs=1e-10)
    assert kappa.interval
    assert "345 clusters" in kappa.interval.method


def test_items_add_a_number_for_each_label_and_not_for_every_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of every two of 400 labels took minutes to draw from."""
    widths = []

    def remembered(contributions: Floats, *args: Any, **options: Any) -> Any:
        widths.append(contributions.shape[1])
        return bootstrap_interval(contributions, *args, **options)

    monkeypatch.setattr("scoring.judgements.agreement.bootstrap_interval", remembered)
    monkeypatch.setattr("scoring.judgements.pools.bootstrap_interval", remembered)
    labels = [str(i) for i in range(400)]
    first, second = labels, labels[:200] + labels[300:] + labels[200:300]
    for found in (
        cohen_kappa(first, second, labels, draws=50),
        cohen_kappa(first, second, labels, weights="quadratic", draws=50),
        gwet_ac1(first, second, labels, draws=50),
    ):
        assert found.value is not None and found.interval is not None
    units = [{"x": one, "y": other} for one, other in zip(first, second, strict=True)]
    for level in LEVELS:
        krippendorff_alpha(units, labels, level=level, values=range(400), draws=50)
    # Ordinal: the 200 items on which the two differ have 100 pairs of labels.
    assert widths == [801, 801, 801, 401, 500, 401]
    assert krippendorff_alpha(units, labels, level="interval", values=[1e300 * i for i in range(400)], draws=50).value == (
        pytest.approx(krippendorff_alpha(units, labels, level="interval", values=range(400), draws=50).value)
    )


def test_what_would_take_too_long_is_refused() -> None:
    labels = [str(i) for i in range(501)]
    with pytest.raises(ScoringError, match="501 different labels of 2 items are too many"):
        raw_agreement(["1", "2"], ["1", "2"], labels)
    many = [{"x": labels[i % 300], "y": labels[(i * 7 + i // 300) % 300]} for i in range(9_000)]
    with pytest.raises(ScoringError, match="too many for alpha at the ordinal level"):
        krippendorff_alpha(many, labels[:300], level="ordinal")
