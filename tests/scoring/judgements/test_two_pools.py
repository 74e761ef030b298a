from __future__ import annotations

import numpy as np
import pytest

from scoring.judgements.agreement import cohen_kappa
from scoring.judgements.deviation import median_deviation
from scoring.judgements.pools import krippendorff_alpha
from scoring.judgements.two_pools import compare_pools
from scoring.result import ScoringError

LABELS = ["1", "2", "3"]
POOL_OF = {name: "experts" if name.startswith("e") else "crowd" for name in ("e1", "e2", "e3", "c1", "c2", "c3")}


def study(items: int = 60) -> list[dict[str, str]]:
    rng = np.random.default_rng(0)
    return [
        {
            who: LABELS[i % 3] if rng.random() < (0.9 if who.startswith("e") else 0.4) else LABELS[int(rng.integers(3))]
            for who in POOL_OF
        }
        for i in range(items)
    ]


def test_each_pool_has_the_statistics_of_its_own_answers() -> None:
    units = study()
    found = compare_pools(units, LABELS, POOL_OF, level="ordinal", values=[1, 2, 3], clusters=[i // 2 for i in range(60)])
    for pool, letter in (("experts", "e"), ("crowd", "c")):
        own = [{who: label for who, label in unit.items() if who.startswith(letter)} for unit in units]
        first, second = ([unit[f"{letter}{i}"] for unit in units] for i in (1, 2))
        assert found["kappa"].pools[pool].value == pytest.approx(cohen_kappa(first, second, LABELS).value)
        assert found["alpha"].pools[pool].value == pytest.approx(krippendorff_alpha(own, LABELS, level="ordinal").value)
        scores = {i: [int(label) for label in unit.values()] for i, unit in enumerate(own)}
        assert found["deviation"].pools[pool].value == pytest.approx(median_deviation(scores).overall.value)
    crowd, experts = (found["alpha"].pools[pool].value or 0.0 for pool in ("crowd", "experts"))
    difference = found["alpha"].difference
    assert difference.value == pytest.approx(crowd - experts)
    assert difference.n == 60
    assert difference.interval and difference.interval.high < 0
    assert "30 clusters" in difference.interval.method


def test_a_pool_that_answered_too_rarely_has_a_reason_and_no_difference() -> None:
    units = [{"e1": "1", "e2": "2", "c1": "1"}, {"e1": "2", "e2": "2"}, {"e1": "3", "e2": "1", "c1": "2"}]
    found = compare_pools(units, LABELS, POOL_OF)
    kappa = found["kappa"]
    assert kappa.pools["crowd"].reason and kappa.pools["crowd"].reason.code == "no_common_item"
    assert kappa.difference.reason and kappa.difference.reason.message == "There is no value for crowd to take a difference of."
    assert found["deviation"].pools["experts"].left_out == {"judged too rarely by this pool": 3}
    one = compare_pools(units[:1], LABELS, POOL_OF)["alpha"].pools["experts"]
    assert one.reason and one.reason.code == "one_item"
    same = compare_pools([{"e1": "1", "e2": "1"}] * 3, LABELS, POOL_OF)["kappa"].pools["experts"]
    assert same.reason and same.reason.code == "one_label"


def test_n_of_a_difference_counts_an_item_once_whichever_pool_judged_it() -> None:
    both, one, none = {"e1": "1", "e2": "2", "c1": "1", "c2": "3"}, {"e1": "2", "e2": "2", "c1": "1"}, {"e1": "3", "c1": "2"}
    found = compare_pools([both, both, one, none], LABELS, POOL_OF, draws=10)["alpha"]
    assert {pool: each.n for pool, each in found.pools.items()} == {"crowd": 2, "experts": 3}
    assert (found.difference.n, found.difference.method) == (
        3, "difference of Krippendorff's alpha, nominal; items that either pool judged"
    )  # fmt: skip


def test_what_cannot_be_compared_is_refused() -> None:
    for units, pool_of, message in (
        ([{"e1": "1"}], {"e1": "x"}, "Two pools are compared, not 1"),
        ([{"e1": "huh"}], POOL_OF, "'huh' is not one of"),
        ([{"who": "1"}], POOL_OF, "has no pool"),
    ):
        with pytest.raises(ScoringError, match=message):
            compare_pools(units, LABELS, pool_of)
    with pytest.raises(ScoringError, match="1 items, but 2 clusters"):
        compare_pools([{"e1": "1"}], LABELS, POOL_OF, clusters=[1, 2])
