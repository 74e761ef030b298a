"""The grammar feature group."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regressors.features import grammar
from regressors.features.grammar import METHOD, GrammarFeatures
from regressors.features.word_classes import TABLE


def test_the_columns_sum_the_patterns_up(monkeypatch: pytest.MonkeyPatch) -> None:
    bits = {"a apple": [1.0, 9.0, -3.0, 2.0, 4.0, -1.0], "": [], "an apple": [-3.0]}
    monkeypatch.setattr(grammar, "oddities", bits.__getitem__)
    group = GrammarFeatures()

    rows = group.compute(list(bits))

    assert group.names == (
        "mean_oddity",
        "greatest_oddity",
        "three_greatest_oddities",
        "odd_pair_share",
        "wrong_articles",
    )
    assert rows.tolist() == [[2, 9, 5, 3 / 6, 1 / 2], [0] * 5, [-3, -3, -3, 0, 0]]


@pytest.mark.parametrize(
    "text",
    ["a apple", "it is A awful day", "a ugly film", "a understanding man", "an pear", "An  simple story", "such a\nuncle"],
)
def test_articles_of_the_wrong_form(text: str) -> None:
    assert GrammarFeatures().compute([text])[0, 4] == pytest.approx(1 / len(text.split()))


@pytest.mark.parametrize(
    "text",
    [
        "an apple", "a pear", "a university", "a unique union", "a one-off", "a once great man", "a European", "an hour",
        "an heir", "a house", "an historic day", "an FBI agent", "a US film", "an MRI", "a use", "a ubiquitous man",
        "vitamin a is", "an x",
        "a unanimous vote", "a ukulele", "Ana pears", "a of b", "plan pears",
    ],
)  # fmt: skip
def test_articles_of_the_right_form_and_those_in_doubt(text: str) -> None:
    assert GrammarFeatures().compute([text])[0, 4] == 0


def test_what_breaks_the_order_of_words_shows() -> None:
    right, wrong = GrammarFeatures().compute(
        ["The old man walked slowly along the river.", "The old walked man slowly the along river."]
    )

    assert (right[:4] < wrong[:4]).all()


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(exclude_categories=())))
def test_every_string_has_finite_features(text: str) -> None:
    row = GrammarFeatures().compute([text])

    assert row.shape == (1, 5)
    assert np.isfinite(row).all()


def test_a_text_does_not_depend_on_the_others_and_the_method_is_named() -> None:
    group = GrammarFeatures()
    texts = ["The council opened the bridge.", "", "bridge", "a apple \ud800"]

    assert np.array_equal(group.compute(texts), np.vstack([group.compute([text]) for text in texts]))
    assert group.compute([]).shape == (0, 5)
    assert group.described() == {
        "group": "grammar",
        "version": "1",
        "columns": 5,
        "sha256": hashlib.sha256(TABLE.read_bytes()).hexdigest(),
        "name": METHOD,
    }
