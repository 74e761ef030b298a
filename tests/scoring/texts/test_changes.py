from __future__ import annotations

import pytest

from scoring.texts.changes import Changes, changes
from scoring.texts.edit_kinds import KINDS
from scoring.texts.edits import typed_edits


def test_edits_are_summed_up_for_the_meaning() -> None:
    found = changes(typed_edits("teh movie has 3 good scenes here", "the film has 5 not good sce nes"))
    assert found == Changes(
        counts={kind: {"swap": 1, "word_replaced": 1, "number": 1, "word_inserted": 1, "split": 1, "word_removed": 1}.get(kind, 0)
                for kind in KINDS},
        replaced=(("movie", "film"), ("3", "5")),
        inserted=("not",),
        removed=("here",),
        misspelled=(("teh", "the"),),
        numbers=(("3", "5"),),
        negations_added=1,
        negations_removed=0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("original", "modified", "negations"),
    [
        ("it is so", "it isn't so", (1, 0)),
        ("it is not so", "it is so", (0, 1)),
        ("it is never so", "it is always so", (0, 1)),
        ("they don't care", "they dont care", (0, 0)),
        ("they do not care", "they don’t care", (0, 0)),
        ("it is not so", "it is n\u043et so", (0, 0)),
        ("it is not so", "it is n ot so", (0, 0)),
        ("so", "so", (0, 0)),
    ],
)
def test_negations_count_where_one_side_alone_says_no(original: str, modified: str, negations: tuple[int, int]) -> None:
    found = changes(typed_edits(original, modified))
    assert (found.negations_added, found.negations_removed) == negations
