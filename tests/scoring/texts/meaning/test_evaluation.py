from __future__ import annotations

import json
from collections.abc import Callable
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
    found = evaluate(decided, features(decided.pairs, scorer), scorer, repeats=2, folds=4)
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
    found = evaluate(DecidedPairs.of(pairs, preserved), features(pairs, scorer), scorer)
    assert [found[name]["reason"]["code"] for name in ("auc", "auc_word_level", "auc_character_level", "brier")] == [code] * 4


@pytest.fixture
def published(published_data: Callable[[str], Path]) -> DecidedPairs:
    table = read_table(published_data("incrediblae_manual_evaluation.csv"), required=[])
    pairs = [(row["original_samples"], row["adversarial_samples"]) for row in table.rows]
    return DecidedPairs.of(pairs, [as_label(row["agreed_labels"]) == "0" for row in table.rows])


def within(data: DecidedPairs, rows: np.ndarray, chosen: np.ndarray) -> float:
    scores = out_of_fold(rows, data.preserved, data.groups, folds=10, seed=0)
    value = auc(data.preserved[chosen].tolist(), scores[chosen]).value
    assert value is not None
    return value


@pytest.mark.published_data
@pytest.mark.slow
def test_the_ranking_of_word_level_edits_does_not_hang_on_characters_that_are_not_ascii(published: DecidedPairs) -> None:
    """Without the encoder, and with the features shuffled that tell a look-alike from the letter that it looks like."""
    rows = features(published.pairs, SharedLetters())
    word = np.array([edit_level(*pair) == "word" for pair in published.pairs])
    assert (int(word.sum()), int((~word).sum())) == (344, 336)
    blind = rows.copy()
    rng = np.random.default_rng(0)
    for name in ("homoglyph", "character_score", "similarity_as_seen", "similarity_of_claims", "similarity_of_words"):
        blind[:, NAMES.index(name)] = rng.permutation(blind[:, NAMES.index(name)])
    assert within(published, blind, word) >= 0.84


@pytest.mark.published_data
@pytest.mark.nightly
def test_the_published_pairs(published: DecidedPairs) -> None:
    scorer = EncoderSimilarity()
    found = evaluate(published, features(published.pairs, scorer), scorer)
    bounds = {"auc": 0.955, "auc_word_level": 0.84, "auc_character_level": 0.89}
    assert [name for name, bound in bounds.items() if found[name]["value"] < bound] == []
    assert found["automatic"]["character_score"]["auc"]["value"] == pytest.approx(0.736, abs=0.001)
    assert found["automatic"]["similarity"]["auc"]["value"] == pytest.approx(0.526, abs=0.001)
