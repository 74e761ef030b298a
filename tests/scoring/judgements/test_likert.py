from __future__ import annotations

import pytest

from scoring.judgements.likert import by_variant, means, splits
from scoring.result import ScoringError


def test_counts_and_means_by_variant() -> None:
    scores = {"a": [1, 2], "b": [5], "c": [2, 2, 2], "d": []}
    report = means(scores, variant_of={"a": "x", "b": "x", "c": "orig"}, cluster_of={"a": 1, "b": 2, "c": 1})
    assert [(v.variant, v.n, v.counts) for v in report.variants] == [
        ("orig", 3, (0, 3, 0, 0, 0)),
        ("x", 3, (1, 1, 0, 0, 1)),
    ]
    assert [v.mean.value for v in report.variants] == [2.0, pytest.approx(8 / 3)]
    assert (report.overall.value, report.overall.n) == (pytest.approx(14 / 6), 6)
    assert report.overall.left_out == {"not judged": 1}
    assert (report.counts, report.scale) == ((1, 4, 0, 0, 1), (1, 2, 3, 4, 5))
    assert report.overall.interval
    assert "draws of 2 clusters" in report.overall.interval.method
    assert report.variants[0].mean.interval is None


def test_published_counts_give_the_published_mean() -> None:
    """Tonni, Faustini and Dras 2024, Table 5: 944 1062 254 521 234 judgements by score."""
    counts = (944, 1062, 254, 521, 234)
    report = means({(p, i): [p] for p, count in enumerate(counts, 1) for i in range(count)})
    assert report.counts == counts
    assert report.overall.value == pytest.approx(7084 / 3015)


def test_nothing_has_a_reason_and_scores_stay_inside_the_scale() -> None:
    nothing = means({"a": []})
    assert (nothing.overall.reason and nothing.overall.reason.code, nothing.overall.left_out) == ("empty", {"not judged": 1})
    with pytest.raises(ScoringError, match="Item 'a' has the score 6, outside 1 to 5"):
        means({"a": [6]})


def test_symmetric_and_one_against_other_splits() -> None:
    scores = {"a": [1, 2, 3], "b": [4, 5, 5], "c": [3], "d": []}
    found = splits(scores, variant_of={"a": "x", "b": "y", "c": "x"}, cluster_of={"a": 1, "b": 1, "c": 2})
    assert (found["all"].symmetric.value, found["all"].symmetric.n) == (3 / 5, 5)
    assert found["all"].symmetric.left_out == {"at the middle": 2}
    assert found["all"].one_vs_other.value == 6 / 7
    assert (found["x"].symmetric.value, found["x"].one_vs_other.value) == (0.0, 3 / 4)
    assert (found["y"].symmetric.value, found["y"].one_vs_other.value) == (1.0, 1.0)
    even = splits({"a": [1, 2, 3, 4]}, scale=(1, 4))["all"].symmetric
    assert (even.value, even.left_out) == (0.5, {})
    middle = splits({"a": [3]})["all"].symmetric
    assert middle.reason and middle.reason.code == "empty"


def test_shares_and_judgements_by_variant() -> None:
    report = means({"a": [1, 1, 5]}, variant_of={"a": "x"})
    assert report.variants[0].shares == pytest.approx((2 / 3, 0, 0, 0, 1 / 3))
    assert report.as_dict()["variants"][0]["shares"] == list(report.variants[0].shares)
    assert by_variant({"a": [1, 2], "b": []}, {"a": "x"}, {"a": "text"}) == {"x": [("text", 1.0), ("text", 2.0)]}
