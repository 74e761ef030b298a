"""The lexical feature group."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regressors.features.lexical import LexicalFeatures

PLAIN = "The council opened the bridge on Monday, after a long winter."


def features_of(text: str) -> dict[str, float]:
    features = LexicalFeatures()
    return dict(zip(features.names, features.compute([text])[0].tolist(), strict=True))


def changed_by(altered: str) -> set[str]:
    before, after = features_of(PLAIN), features_of(altered)
    return {name for name in before if before[name] != after[name]}


def test_the_version_belongs_to_these_names_in_this_order() -> None:
    assert LexicalFeatures.version == "2"
    assert list(LexicalFeatures().names) == [
        "words",
        "characters",
        "mean_word_length",
        "longest_word",
        "short_word_share",
        "distinct_word_share",
        "mean_zipf",
        "min_zipf",
        "rare_word_share",
        "unknown_word_share",
        "mean_letter_surprisal",
        "oddest_letters",
        "repeated_letter_share",
        "digit_inside_share",
        "inner_capital_share",
        "mixed_script_share",
        "confusable_characters",
        "invisible_characters",
        "foreign_characters",
        "punctuation",
        "spacing_oddities",
        "words_twice",
        "strange_word_share",
        "misspelt_word_share",
        "cut_word_share",
        "glued_word_share",
        "pieces_per_word",
        "most_pieces",
        "rare_word_in_pieces_share",
    ]


def test_the_values_of_one_text() -> None:
    found = features_of("Is is  it a n0vel ,сat zorblaxq?\u200b 12")

    assert {name: found[name] for name in found if "zipf" not in name and "letters" not in name and "surprisal" not in name} == {
        "words": 8,
        "characters": 36,
        "mean_word_length": pytest.approx((2 + 2 + 2 + 1 + 5 + 3 + 8 + 2) / 8),
        "longest_word": 8,
        "short_word_share": 5 / 8,
        "distinct_word_share": 7 / 8,
        "rare_word_share": 0,
        "unknown_word_share": 3 / 8,
        "repeated_letter_share": 0,
        "digit_inside_share": 1 / 8,
        "inner_capital_share": 0,
        "mixed_script_share": 1 / 8,
        "confusable_characters": 1 / 8,
        "invisible_characters": 1 / 8,
        "foreign_characters": 0,
        "punctuation": 3 / 8,
        "spacing_oddities": 2 / 8,
        "words_twice": 1 / 8,
        "strange_word_share": 2 / 8,
        "misspelt_word_share": 0,
        "cut_word_share": 0,
        "glued_word_share": 0,
        "pieces_per_word": (1 + 1 + 1 + 1 + 3 + 2 + 5 + 1) / 8,
        "most_pieces": 5,
        "rare_word_in_pieces_share": 3 / 8,
    }
    assert found["min_zipf"] == 0
    assert features_of("the 1985")["mean_zipf"] == features_of("the")["mean_zipf"] > 7


@pytest.mark.parametrize(
    ("altered", "expected"),
    [
        (PLAIN.replace("bridge", "brigde"), {"mean_zipf", "min_zipf", "unknown_word_share"}),
        (PLAIN.replace("bridge", "brıdge"), {"confusable_characters", "unknown_word_share", "mean_letter_surprisal"}),
        (PLAIN.replace("bridge", "br\u200bidge"), {"invisible_characters", "words", "unknown_word_share"}),
        (PLAIN.replace("bridge", "briiidge"), {"repeated_letter_share", "characters"}),
        (PLAIN.replace("bridge", "bRidge"), {"inner_capital_share"}),
        (PLAIN.replace(" bridge", "  bridge"), {"spacing_oddities"}),
        (PLAIN.replace("long", "long long"), {"words_twice", "distinct_word_share"}),
        (PLAIN.replace("long", "lóng"), {"foreign_characters"}),
        (PLAIN.replace("winter", "winter!!!"), {"punctuation"}),
        (PLAIN.replace("bridge", "bridgq"), {"misspelt_word_share", "strange_word_share", "most_pieces", "pieces_per_word"}),
        (PLAIN.replace("council", "uncil"), {"cut_word_share", "strange_word_share"}),
        (PLAIN.replace("the bridge", "thebridge"), {"glued_word_share", "rare_word_in_pieces_share"}),
    ],
)
def test_an_alteration_shows_where_it_should(altered: str, expected: set[str]) -> None:
    assert expected - changed_by(altered) == set()


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(exclude_categories=())))
def test_every_string_has_finite_features(text: str) -> None:
    row = LexicalFeatures().compute([text])

    assert row.shape == (1, 29)
    assert np.isfinite(row).all()
    assert (row >= 0).all()


def test_a_text_does_not_depend_on_the_others() -> None:
    texts = [PLAIN, "", "сat", PLAIN.upper()]

    assert np.array_equal(LexicalFeatures().compute(texts), np.vstack([LexicalFeatures().compute([t]) for t in texts]))
    assert LexicalFeatures().compute([]).shape == (0, 29)


def test_long_words_are_read_in_bounded_time() -> None:
    start = time.perf_counter()
    features_of("x" * 50_000 + " " + "'a" * 20_000)
    assert time.perf_counter() - start < 5


def test_at_least_three_thousand_short_texts_a_second() -> None:
    rng = np.random.default_rng(0)
    words = PLAIN.split()
    new = ["".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), size=7)) for _ in range(2_000)]
    texts = [f"{' '.join(rng.choice(words, size=20))} {word}" for word in new]
    LexicalFeatures().compute(["zorblaxq"])  # the word lists

    fastest = min(_seconds(texts[start : start + 500]) for start in range(0, 2_000, 500))

    assert 500 / fastest > 3_000


def _seconds(texts: list[str]) -> float:
    """Of the processor: how long it takes on a busy machine says nothing."""
    start = time.process_time()
    LexicalFeatures().compute(texts)
    return time.process_time() - start
