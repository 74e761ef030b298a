from __future__ import annotations

import pytest
from scipy import stats

from scoring.judgements.suspected import against_half, item_score, suspected, suspected_by_variant


def test_the_score_is_the_share_that_says_altered() -> None:
    """Morris 2020, Table 2: nine votes for a human and one for a computer give 0.1. The text there turns the scale round."""
    assert item_score([True] + [False] * 9) == 0.1
    assert item_score([]) is None


def test_variants_are_told_from_guessing_with_correction() -> None:
    votes = {("orig", i): [False] * 4 + [i % 4 == 0] for i in range(20)} | {
        ("bae", i): [True, i % 2 == 0, True, i % 3 == 0] for i in range(20)
    }
    votes |= {("pruthi", i): [i % 2 == 0, i % 3 == 0] for i in range(20)} | {("none", 0): []}
    found = suspected_by_variant(votes, {item: item[0] for item in votes}, cluster_of={item: item[1] for item in votes})
    assert [(row.variant, row.items, row.verdict) for row in found] == [
        ("bae", 20, "above"),
        ("none", 0, "not known"),
        ("orig", 20, "below"),
        ("pruthi", 20, "not told apart"),
    ]
    assert "Holm's correction for 3" in found[0].p_corrected.method
    assert "clustered by original" in found[0].p_value.method
    everything = suspected(votes)
    assert (everything.n, everything.left_out) == (220, {"not judged": 1})


def test_single_votes_get_the_exact_test_and_shared_items_the_t_test() -> None:
    assert against_half([True] * 8 + [False] * 2, range(10)).value == pytest.approx(stats.binomtest(8, 10).pvalue)
    votes, items = [True, True, True, False, False, True], [0, 0, 1, 1, 2, 2]
    assert against_half(votes, items).value == pytest.approx(stats.ttest_1samp([1, 0.5, 0.5], 0.5).pvalue)
    one = against_half([True, True], [0, 0])
    assert one.reason and one.reason.code == "one_cluster"
    nothing = against_half([], [])
    assert nothing.reason and nothing.reason.code == "empty"
