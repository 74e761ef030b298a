from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from scoring.judgements.agreement import cohen_kappa
from scoring.judgements.plan import (
    Clustering,
    kappa_variance,
    majority_chance,
    plan_kappa,
    plan_preference,
    plan_share,
    power_of_preference,
    preference_power,
)
from scoring.result import ScoringError


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 30), min_size=9, max_size=9))
def test_the_variance_of_kappa_is_that_of_another_library(counts: list[int]) -> None:
    table = np.array(counts).reshape(3, 3)
    n = table.sum()
    assert kappa_variance(table / n) / n == pytest.approx(cohens_kappa(table).var_kappa)


def test_a_study_as_planned_has_an_interval_of_about_the_planned_width() -> None:
    plan = plan_kappa(0.5, 0.1, [0.6, 0.3, 0.1])
    assert plan.judgements == 2 * plan.items
    table = np.rint((0.5 * np.diag([0.6, 0.3, 0.1]) + 0.5 * np.outer([0.6, 0.3, 0.1], [0.6, 0.3, 0.1])) * plan.items).astype(int)
    pairs = [(str(i), str(j)) for i in range(3) for j in range(3) for _ in range(table[i, j])]
    first, second = zip(*pairs, strict=True)
    interval = cohen_kappa(first, second, ["0", "1", "2"], draws=2000).interval
    assert interval
    assert interval.high - interval.low == pytest.approx(0.1, rel=0.06)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 100), st.integers(2, 60))
def test_the_least_items_for_a_share(per_cent: int, width: int) -> None:
    plan = plan_share(per_cent / 100, width / 100, judgements=3)
    assert plan.judgements == 3 * plan.items

    def their_width(n: int) -> float:
        low, high = proportion_confint(n * per_cent / 100, n, method="wilson")
        return float(high - low)

    assert their_width(plan.items) <= width / 100 + 1e-9
    assert plan.items == 1 or their_width(plan.items - 1) > width / 100 - 1e-9


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 60), st.integers(0, 100))
def test_power_adds_up_what_the_exact_test_rejects(items: int, per_cent: int) -> None:
    chance = per_cent / 100
    rejected = sum(stats.binom.pmf(k, items, chance) for k in range(items + 1) if stats.binomtest(k, items).pvalue <= 0.05)
    assert preference_power(items, chance) == pytest.approx(rejected, abs=1e-9)


def test_five_items_can_never_reach_five_per_cent() -> None:
    """Five of five give p = 0.0625."""
    assert [power_of_preference(items, 1.0).reached for items in (5, 6)] == [0.0, 1.0]


@settings(max_examples=20, deadline=None)
@given(st.integers(60, 95), st.sampled_from([0.5, 0.8, 0.9]), st.sampled_from([1, 3, 5]))
def test_the_planned_items_and_all_above_have_the_power(per_cent: int, power: float, votes: int) -> None:
    plan = plan_preference(per_cent / 100, power, votes=votes)
    chance = majority_chance(per_cent / 100, votes)
    assume(plan.items > 1)
    assert all(preference_power(plan.items + more, chance) >= power for more in range(20))
    assert preference_power(plan.items - 1, chance) < power
    assert (plan.judgements, plan.reached) == (votes * plan.items, preference_power(plan.items, chance))


def test_majorities_sharpen_a_preference() -> None:
    assert majority_chance(0.7, 5) == pytest.approx(0.83692)
    assert plan_preference(0.7, 0.8, votes=5).items < plan_preference(0.7, 0.8).items


def test_items_that_are_alike_count_for_less() -> None:
    alone, five = plan_share(0.8, 0.1), plan_share(0.8, 0.1, clustering=Clustering(5, 0.25))
    assert five.items == pytest.approx(2 * alone.items, abs=2)
    kappa = plan_kappa(0.5, 0.1, [0.5, 0.5], Clustering(3, 1.0)).items
    assert kappa == pytest.approx(3 * plan_kappa(0.5, 0.1, [0.5, 0.5]).items, abs=3)
    assert five.assuming[1:] == (
        "5 items of each original, alike by 0.25: 2 times as many items",
        f"{-(-five.items // 5)} originals",
    )


def test_a_plan_that_is_no_study_says_so() -> None:
    kappa = plan_kappa(0.0, 1.99, [0.5, 0.5])
    assert (kappa.items, kappa.assuming[2][:18]) == (30, "at least 30 items:")
    assert kappa.reached < 1
    assert not any("at least" in line for line in plan_kappa(0.5, 0.1, [0.5, 0.5]).assuming)
    few = "fewer than 10 {} are too few to speak for others, however wide the interval may be; take more"
    assert plan_share(0.5, 0.9).assuming == ("a share of 0.5", "one item of each original", few.format("items"))
    assert plan_kappa(0.0, 1.99, [0.5, 0.5], Clustering(10)).assuming[-2:] == ("3 originals", few.format("originals"))
    assert plan_share(0.8, 0.1).assuming == ("a share of 0.8", "one item of each original")


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (lambda: plan_kappa(1.0, 0.1, [0.5, 0.5]), "kappa that is expected"),
        (lambda: plan_kappa(0.5, 0.0, [0.5, 0.5]), "width"),
        (lambda: plan_kappa(0.5, float("nan"), [0.5, 0.5]), "width"),
        (lambda: plan_kappa(float("nan"), 0.1, [0.5, 0.5]), "kappa that is expected"),
        (lambda: plan_kappa(0.5, 0.1, [0.5, 0.4]), "add up to 1"),
        (lambda: plan_kappa(0.5, 0.1, [1.0]), "add up to 1"),
        (lambda: plan_kappa(0.5, 0.1, [0.5, 0.5, float("nan")]), "add up to 1"),
        (lambda: plan_kappa(-0.9, 0.1, [0.9, 0.1]), "expect a higher kappa"),
        (lambda: plan_kappa(0.5, 1e-6, [0.5, 0.5]), "more than 1,000,000 items"),
        (lambda: plan_share(1.1, 0.1), "share that is expected"),
        (lambda: plan_share(0.5, 1e-9), "more than 1,000,000 items"),
        (lambda: plan_share(0.5, 0.1, judgements=0), "at least one judgement"),
        (lambda: plan_share(0.5, 0.1, judgements=10**20), "1,000 judgements at most"),
        (lambda: plan_kappa(0.5, 1e-200, [0.5, 0.5]), "more than 1,000,000 items"),
        (lambda: plan_kappa(0.5, 5e-324, [0.5, 0.5]), "more than 1,000,000 items"),
        (lambda: plan_preference(0.7, 0.8, votes=10**23 - 1), "1,000 votes at most"),
        (lambda: power_of_preference(10, 0.7, votes=1001), "1,000 votes at most"),
        (lambda: Clustering(10**24, 0.5), "1,000 items at most"),
        (lambda: plan_preference(0.5, 0.8), "no preference"),
        (lambda: plan_preference(0.7, 1.0), "power lies"),
        (lambda: plan_preference(0.7, 0.8, votes=4), "odd in number"),
        (lambda: plan_preference(0.7, 0.8, level=0.0), "level of a test"),
        (lambda: power_of_preference(0, 0.7), "from 1 to 1,000,000"),
        (lambda: Clustering(0), "at least one item"),
        (lambda: Clustering(2, 1.5), "between 0 and 1"),
    ],
)
def test_what_cannot_be_planned_says_why(plan: object, message: str) -> None:
    with pytest.raises(ScoringError, match=message):
        plan()  # type: ignore[operator]
