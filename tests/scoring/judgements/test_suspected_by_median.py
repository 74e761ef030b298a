"""Which texts people find suspicious on the scale from 1 to 5."""

from __future__ import annotations

from scoring.judgements.suspected import suspected_by_median

SCORES = {1: [4, 4, 1], 2: [3, 4], 3: [3.5, 4.5], 4: [5], 5: [], 6: [1, 5, 3]}
VARIANTS = {1: "spoiled", 2: "spoiled", 3: "original", 4: "original", 5: "original", 6: "original"}


def test_the_median_decides_and_what_nobody_judged_is_left_out() -> None:
    clusters = {1: "a", 2: "b", 3: "a", 4: "b", 5: "c", 6: "d"}
    assert suspected_by_median(SCORES, VARIANTS, cluster_of=clusters) == {
        "original": [("a", 1.0), ("b", 1.0), ("d", 0.0)],
        "spoiled": [("a", 1.0), ("b", 0.0)],
    }
    assert suspected_by_median(SCORES, VARIANTS)["spoiled"] == [(1, 1.0), (2, 0.0)]
