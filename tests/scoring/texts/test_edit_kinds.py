"""Edits in words."""

from __future__ import annotations

import pytest

from scoring.texts.edit_kinds import KINDS, MEANINGS, SAID, in_words
from scoring.texts.edits import edit_counts, typed_edits


def test_every_kind_has_its_meaning_and_its_words_in_the_order_of_the_kinds() -> None:
    assert (tuple(MEANINGS), tuple(SAID)) == (KINDS, KINDS)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("We reopen now", "We re open now", "1 word split"),
        ("They mis\u200bled us", "They misled us", "1 change of invisible characters"),
        ("Good film here", "G\u043eod flim her e", "1 homoglyph, 1 word split, 1 swap of letters"),
        ("new", "new text here", "2 words inserted"),
        ("the same", "the same", "no difference"),
    ],
)
def test_edits_are_said_by_kind(old: str, new: str, said: str) -> None:
    assert in_words(edit_counts(typed_edits(old, new))) == said
