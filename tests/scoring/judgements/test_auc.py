from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from scoring.judgements.auc import auc

ITEMS = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=40)


@given(ITEMS)
@settings(max_examples=60, deadline=None)
def test_the_value_is_that_of_scikit_learn(items: list[tuple[bool, int]]) -> None:
    kinds, scores = zip(*items, strict=True)
    found = auc(kinds, np.array(scores, dtype=float))
    if len(set(kinds)) == 1:
        assert (found.value, found.reason and found.reason.code) == (None, "one_class")
    else:
        assert found.value == pytest.approx(roc_auc_score(kinds, scores), abs=1e-12)


def simulated(size: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Items in clusters of four that share a lean of their scores and of their kinds."""
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(size // 4), 4)
    lean = rng.normal(size=size // 4)[clusters]
    kinds = lean + rng.normal(size=size) > 0
    return kinds, kinds + lean + rng.normal(size=size), clusters


def test_the_interval_is_that_of_a_bootstrap_of_clusters() -> None:
    kinds, scores, clusters = simulated(400, seed=1)
    found = auc(kinds, scores, clusters=clusters.tolist())
    rng = np.random.default_rng(0)
    draws = []
    for _ in range(600):
        rows = (rng.integers(100, size=100)[:, None] * 4 + np.arange(4)).ravel()
        draws.append(roc_auc_score(kinds[rows], scores[rows]))
    assert found.interval is not None
    assert [found.interval.low, found.interval.high] == pytest.approx(np.quantile(draws, [0.025, 0.975]).tolist(), abs=0.01)
    alone = auc(kinds, scores).interval
    assert alone is not None
    assert alone.high - alone.low < found.interval.high - found.interval.low


def test_repeats_are_averaged_and_no_more_certain_for_their_number() -> None:
    kinds, scores, clusters = simulated(80, seed=2)
    once = auc(kinds, scores, clusters=clusters.tolist())
    often = auc(kinds, np.stack([scores] * 5), clusters=clusters.tolist())
    assert once.interval and often.interval
    assert [often.value, often.interval.low, often.interval.high] == pytest.approx(
        [once.value, once.interval.low, once.interval.high]
    )
    other = auc(kinds, np.stack([scores, -scores]), clusters=clusters.tolist())
    assert other.value == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("kinds", "scores", "code"),
    [
        ([True, False] * 10, [1.0, 0.0] * 10, "no_overlap"),
        ([True, False, False], [1.0, 2.0, 0.0], "few_clusters"),
        ([True, False] * 10, [0.5, 0.5] * 10, "no_variance"),
    ],
)
def test_no_interval_that_would_feign_certainty(kinds: list[bool], scores: list[float], code: str) -> None:
    found = auc(kinds, np.array(scores))
    assert found.value is not None
    assert (found.interval, found.no_interval and found.no_interval.code) == (None, code)
