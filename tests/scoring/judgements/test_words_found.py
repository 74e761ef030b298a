from __future__ import annotations

import pytest

from scoring.judgements.words_found import Marked, marked_by_most, words_found
from scoring.result import ScoringError


def test_words_found_by_all_and_by_most_against_chance() -> None:
    items = {
        "a": Marked({1, 3}, 10, [{1, 3}, {1, 2}, {0, 1}]),
        "b": Marked({0}, 4, [{0}]),
        "same": Marked(set(), 5, [set()]),
        "unjudged": Marked({2}, 5, []),
    }
    report = words_found(items, cluster_of={"a": 1, "b": 2, "same": 3, "unjudged": 4})
    assert (report.found.value, report.found.n) == (5 / 7, 7)
    assert report.found.left_out == {"no altered word to be seen": 1}
    assert report.found_by_most.value == pytest.approx(2 / 3)
    assert (report.by_chance.value, report.by_chance.n) == (pytest.approx((3 * 2 * 2 / 10 + 1 / 4) / 7), 4)
    assert marked_by_most([{1}, {1, 2}, {3}]) == {1}
    assert marked_by_most([{1}, {2}]) == set()


def test_nothing_to_find_has_a_reason_and_a_word_outside_is_refused() -> None:
    for estimate in words_found({}).as_dict().values():
        assert estimate["reason"]["code"] == "empty"
    with pytest.raises(ScoringError, match="altered word 4 is not among the 4 words"):
        Marked({4}, 4, [])
