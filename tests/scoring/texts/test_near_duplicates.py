from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.result import ScoringError
from scoring.texts.character import similarity
from scoring.texts.near_duplicates import group_near_duplicates


def test_variants_share_a_group_and_numbers_follow_first_appearance() -> None:
    texts = ["rain is expected today", "the film was great", "Rain is expectd today", "the film was graet"]
    assert group_near_duplicates(texts) == [0, 1, 0, 1]


def test_exactly_the_threshold_belongs_together() -> None:
    assert group_near_duplicates(["abcdefghij", "abcdefgXYZ", "abcdefWXYZ"]) == [0, 0, 0]
    assert group_near_duplicates(["abcdefghij", "abcdefWXYZ"]) == [0, 1]
    assert group_near_duplicates(["abcdefghij", "abcdefghiX"], threshold=0.9) == [0, 0]


def test_blank_texts() -> None:
    assert group_near_duplicates([]) == []
    assert group_near_duplicates(["", "a", ""]) == [0, 1, 0]


@pytest.mark.parametrize("threshold", [0, 1.1])
def test_a_threshold_outside_its_range_is_refused(threshold: float) -> None:
    with pytest.raises(ScoringError):
        group_near_duplicates(["a"], threshold)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text("ab", max_size=10), max_size=8), st.sampled_from([0.5, 0.7, 1.0]))
def test_groups_are_the_connected_parts_of_the_similarity(texts: list[str], threshold: float) -> None:
    size = len(texts)
    near = [[similarity(a, b) >= threshold - 1e-9 for b in texts] for a in texts]
    for k in range(size):
        near = [[near[i][j] or (near[i][k] and near[k][j]) for j in range(size)] for i in range(size)]
    groups = group_near_duplicates(texts, threshold)
    assert [[groups[i] == groups[j] for j in range(size)] for i in range(size)] == near
