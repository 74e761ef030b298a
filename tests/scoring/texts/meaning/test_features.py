from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.texts.meaning.features import NAMES, edit_level, features
from tests.scoring.texts.meaning.conftest import SharedLetters

ORIGINAL = "the film was shot in 1999 . ~ the film was not shot in paris ."


def of(original: str, adversarial: str) -> dict[str, Any]:
    (row,) = features([(original, adversarial)], SharedLetters()).tolist()
    return dict(zip(NAMES, row, strict=True))


@pytest.mark.parametrize(
    ("adversarial", "level"),
    [
        (ORIGINAL, "character"),
        (ORIGINAL.replace("paris", "london"), "word"),
        (ORIGINAL.replace(" not", ""), "word"),
        (ORIGINAL.replace("was shot", "was never shot"), "word"),
        (ORIGINAL.replace("1999", "2004"), "word"),
        (ORIGINAL.replace("paris", "раris"), "character"),
        (ORIGINAL.replace("1999", "1𝟿ʒ9"), "character"),
        (ORIGINAL.replace("paris", "pa ris"), "character"),
        (ORIGINAL.replace(" .", " !"), "character"),
    ],
)
def test_the_level_of_an_edit_follows_from_the_texts(adversarial: str, level: str) -> None:
    assert edit_level(ORIGINAL, adversarial) == level


def test_words_that_were_exchanged_are_described_by_what_they_are() -> None:
    found = of(ORIGINAL, ORIGINAL.replace("not", "rarely").replace("1999", "2004"))
    names = ("word_edits", "words_gone", "words_come", "negations_gone", "numbers_gone", "numbers_come")
    assert [found[name] for name in names] == [2, 2, 2, 1, 1, 1]


def test_a_look_alike_is_read_as_what_it_looks_like() -> None:
    found = of(ORIGINAL, ORIGINAL.replace("paris", "раrіs"))
    assert (found["homoglyph"], found["character_score_as_seen"], found["similarity_as_seen"]) == (3, 1.0, 1.0)
    assert found["character_score"] < 1


TEXTS = st.text(st.sampled_from("ab 1~.'é\u200bа\ud800\n"), max_size=30)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=5))
@settings(max_examples=40, deadline=None)
def test_any_texts_are_described_each_pair_by_itself(pairs: list[tuple[str, str]]) -> None:
    scorer = SharedLetters()
    together = features(pairs, scorer)
    assert together.shape == (len(pairs), len(NAMES))
    assert not np.isinf(together).any()
    alone = [features([pair], scorer) for pair in pairs]
    np.testing.assert_array_equal(together, np.concatenate([together[:0], *alone]))
