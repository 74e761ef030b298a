from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from scoring.judgements.auc import auc
from scoring.table import as_label, read_table
from scoring.texts.meaning.evaluation import evaluate
from scoring.texts.meaning.features import NAMES, edit_level, features
from scoring.texts.meaning.model import DecidedPairs, grouped_folds, out_of_fold
from scoring.texts.semantic import EncoderSimilarity
from tests.scoring.texts.meaning.conftest import SharedLetters


def test_the_learned_score_stands_beside_the_automatic_ones(decided: DecidedPairs, scorer: SharedLetters) -> None:
    found = evaluate(decided, features(decided.pairs, scorer), repeats=2, folds=4)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    counts = ("pairs", "originals", "word_level", "character_level")
    assert [found[name] for name in counts] == [80, 40, 40, 40]
    assert found["auc"]["value"] > 0.75
    assert set(found["automatic"]) == {
        "character_score",
        "character_score_as_seen",
        "similarity",
        "similarity_as_seen",
        "word_edits",
    }
    assert all({"auc", "auc_word_level", "auc_character_level"} < score.keys() for score in found["automatic"].values())
    bins = found["reliability"]
    assert sum(row["n"] for row in bins) == 80
    kept = sum(row["n"] * row["preserved"] for row in bins if row["n"])
    assert kept == pytest.approx(decided.preserved.sum())
    assert 0 < found["brier"]["value"] < 0.2


def test_nothing_is_learned_where_decisions_have_nothing_to_do_with_the_pairs(scorer: SharedLetters) -> None:
    """Each original has a decision of its own: with the originals split between training and test, it would be known."""
    rng = np.random.default_rng(0)
    originals = [f"the {number} houses of town {number} were old" for number in range(30)]
    pairs = [(text, text + end) for text in originals for end in (" .", " !", " ;")]
    data = DecidedPairs.of(pairs, np.repeat(rng.random(30) < 0.5, 3).tolist())
    own = np.repeat(rng.normal(size=30), 3)[:, None] + np.zeros((90, len(NAMES)))
    scores = out_of_fold(own, data.preserved, data.groups, folds=5, seed=0)
    value = auc(data.preserved.tolist(), scores).value
    assert value is not None
    assert value < 0.75


def test_folds_never_split_an_original(decided: DecidedPairs) -> None:
    groups = decided.groups
    for train, test in grouped_folds(groups, folds=7, seed=1):
        assert not {*groups[train]} & {*groups[test]}


@pytest.mark.parametrize(
    ("pairs", "preserved", "code"),
    [
        ([("a b", "a c"), ("a b", "a d")], [True, False], "one_original"),
        ([("a b", "a c"), ("b c", "a d")], [True, True], "one_class"),
    ],
)
def test_why_there_is_no_value(pairs: list[tuple[str, str]], preserved: list[bool], code: str, scorer: SharedLetters) -> None:
    found = evaluate(DecidedPairs.of(pairs, preserved), features(pairs, scorer))
    assert [found[name]["reason"]["code"] for name in ("auc", "auc_word_level", "auc_character_level", "brier")] == [code] * 4


@pytest.fixture(scope="module")
def published() -> DecidedPairs:
    table = read_table(Path(os.environ["PASSABLE_PUBLISHED_DATA"]) / "incrediblae_manual_evaluation.csv", required=[])
    pairs = [(row["original_samples"], row["adversarial_samples"]) for row in table.rows]
    return DecidedPairs.of(pairs, [as_label(row["agreed_labels"]) == "0" for row in table.rows])


NOT_ASCII = ("homoglyph", "character_score", "similarity")
"""Features that tell a look-alike from the letter that it looks like."""


@pytest.mark.published_data
@pytest.mark.slow
def test_the_published_pairs_and_no_help_from_characters_that_are_not_ascii(published: DecidedPairs) -> None:
    """The words decide within word-level edits: with every feature that sees look-alikes shuffled, the ranking stays."""
    rows = features(published.pairs, EncoderSimilarity())
    levels = np.array([edit_level(*pair) for pair in published.pairs])
    word, character = levels == "word", levels == "character"
    blind = rows.copy()
    rng = np.random.default_rng(0)
    for name in NOT_ASCII:
        blind[:, NAMES.index(name)] = rng.permutation(blind[:, NAMES.index(name)])

    def within(rows: np.ndarray, chosen: np.ndarray) -> float:
        scores = out_of_fold(rows, published.preserved, published.groups, folds=10, seed=0)
        value = auc(published.preserved[chosen].tolist(), scores[chosen]).value
        assert value is not None
        return value

    assert within(rows, word | character) >= 0.955
    assert within(rows, word) >= 0.84
    assert within(rows, character) >= 0.89
    assert within(blind, word) >= 0.84
