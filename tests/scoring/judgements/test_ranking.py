from __future__ import annotations

import pytest
from scipy import stats

from scoring.judgements.ranking import Ranking, rank
from scoring.result import ScoringError


def shares(kept: dict[str, int], of: int = 20, **options: object) -> Ranking:
    """Attackers that keep the meaning of so many of the same originals."""
    items = {(attacker, i): i < count for attacker, count in kept.items() for i in range(of)}
    attackers, clusters = ({item: item[place] for item in items} for place in (0, 1))
    return rank(items, attackers, cluster_of=clusters, **options)  # type: ignore[arg-type]


def test_the_best_comes_first_and_equal_ones_share_a_place() -> None:
    found = shares({"a": 5, "b": 18, "c": 5, "d": 12})
    assert [(row.place, row.attacker, row.preserved.value) for row in found.attackers] == [
        (1, "b", 0.9),
        (2, "d", 0.6),
        (3, "a", 0.25),
        (3, "c", 0.25),
    ]
    assert (found.spearman, found.kendall) == (None, None)


def test_every_two_are_compared_on_the_originals_they_share_with_correction() -> None:
    found = shares({"a": 5, "b": 18, "c": 12})
    assert [(c.first, c.second) for c in found.comparisons] == [("b", "c"), ("b", "a"), ("c", "a")]
    plain = [stats.binomtest(6, 6).pvalue, stats.binomtest(13, 13).pvalue, stats.binomtest(7, 7).pvalue]
    assert [c.p_value.value for c in found.comparisons] == pytest.approx(plain)
    assert [c.p_corrected.value for c in found.comparisons] == pytest.approx([plain[0], 3 * plain[1], 2 * plain[2]])
    assert found.comparisons[0].difference.value == pytest.approx(0.3)


def test_beside_the_automatic_ranking() -> None:
    kept = {"a": 5, "b": 18, "c": 12, "d": 8}
    score = {"a": 0.9, "b": 0.8, "c": 0.5, "d": 0.2}
    automatic = {(attacker, i): score[attacker] for attacker in kept for i in range(20)}
    found = shares(kept, automatic=automatic)
    assert [(row.attacker, row.automatic_place, row.automatic) for row in found.attackers] == [
        ("b", 2, pytest.approx(0.8)),
        ("c", 3, pytest.approx(0.5)),
        ("d", 4, pytest.approx(0.2)),
        ("a", 1, pytest.approx(0.9)),
    ]
    human, machine = [5, 18, 12, 8], list(score.values())
    assert found.spearman and found.kendall
    assert found.spearman.value == pytest.approx(stats.spearmanr(human, machine).statistic)
    assert found.kendall.value == pytest.approx(stats.kendalltau(human, machine).statistic)
    assert found.spearman.interval and "20 clusters" in found.spearman.interval.method


def test_few_attackers_none_and_one_without_a_score() -> None:
    two = shares({"a": 5, "b": 9}, automatic={(a, i): 0.5 for a in "ab" for i in range(20)})
    assert two.spearman and two.spearman.reason and two.spearman.reason.code == "too_few"
    nothing = rank({}, {}, automatic={})
    assert (nothing.attackers, nothing.comparisons) == ((), ())
    assert nothing.kendall and nothing.kendall.reason
    with pytest.raises(ScoringError, match="has no automatic score"):
        shares({"a": 1, "b": 2}, automatic={})
    with pytest.raises(ScoringError, match="has no variant"):
        rank({"x": True}, {})
