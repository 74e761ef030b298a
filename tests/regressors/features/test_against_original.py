"""Numbers about a text and its original, with a small encoder in place of the embedded one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from regressors.errors import RegressorError
from regressors.features import GROUPS
from regressors.features.against_original import PairFeatures
from regressors.features.group import FeatureGroup
from scoring.texts.metrics import pair_metrics
from scoring.texts.score_cache import ScoreCache
from scoring.texts.semantic import EncoderSimilarity

ORIGINAL = "The council opened the bridge on Monday, after a long winter."


class Letters:
    """Stands in for a sentence encoder: unit vectors of letter counts."""

    name, version, sha256, size, max_tokens = "letters", "1", "3" * 64, 27, 8

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        counts = np.array([[1, *(text.lower().count(chr(97 + letter)) for letter in range(26))] for text in texts], float)
        unit: NDArray[np.float32] = (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)
        return unit


@pytest.fixture
def features(tmp_path: Path) -> PairFeatures:
    return PairFeatures(EncoderSimilarity(Letters(), cache=ScoreCache(tmp_path / "scores.sqlite3")))  # type: ignore[arg-type]


def named(features: PairFeatures, original: str, text: str) -> dict[str, float]:
    return dict(zip(features.names, features.compute([original], [text])[0].tolist(), strict=True))


def test_the_version_belongs_to_these_names_in_this_order(features: PairFeatures) -> None:
    assert features.version == "2"
    assert features.names == (
        "words_changed",
        "bleu",
        "rouge1",
        "rouge2",
        "rougeL",
        "character_score",
        "encoder_similarity",
        "edits_homoglyph",
        "edits_invisible",
        "edits_split",
        "edits_join",
        "edits_spacing",
        "edits_swap",
        "edits_letter_inserted",
        "edits_letter_deleted",
        "edits_letter_substituted",
        "edits_case",
        "edits_punctuation",
        "edits_number",
        "edits_named_entity",
        "edits_word_replaced",
        "edits_word_inserted",
        "edits_word_removed",
    )


def test_the_values_of_one_pair(features: PairFeatures) -> None:
    altered = ORIGINAL.replace("bridge", "brigde").replace("long", "lengthy").replace("council", "c\u043euncil") + "!"
    metrics = pair_metrics(ORIGINAL, altered)
    vectors = Letters().encode([ORIGINAL, altered])

    found = named(features, ORIGINAL, altered)

    assert found["words_changed"] == 3 / 11
    assert found["encoder_similarity"] == pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-6)
    assert {name: found[name] for name in ("bleu", "rouge1", "rouge2", "rougeL", "character_score")} == {
        name: metrics[name] for name in ("bleu", "rouge1", "rouge2", "rougeL", "character_score")
    }
    assert {name: count for name, count in found.items() if name.startswith("edits_") and count} == {
        "edits_homoglyph": 1,
        "edits_swap": 1,
        "edits_word_replaced": 1,
        "edits_punctuation": 1,
    }


@pytest.mark.parametrize("text", [ORIGINAL, "", "one", "...", "\ud800"])
def test_an_original_has_no_difference_to_itself(features: PairFeatures, text: str) -> None:
    """The leak of which the class warns."""
    kept = [0, 100, 1, 1, 1, 1, 1]

    assert features.compute([text], [text])[0].tolist() == pytest.approx([*kept, *[0] * 16], abs=1e-6)


def test_an_original_without_words_loses_all_in_another_text(features: PairFeatures) -> None:
    found = named(features, "", "a word")

    assert (found["words_changed"], found["bleu"], found["rouge1"], found["rougeL"]) == (1, 0, 0, 0)


def test_a_row_for_each_pair_whatever_its_company(features: PairFeatures) -> None:
    originals, texts = [ORIGINAL, "one", ORIGINAL], [ORIGINAL + " Yes", "two", ORIGINAL]

    rows = features.compute(originals, texts)

    alone = [features.compute([original], [text])[0] for original, text in zip(originals, texts, strict=True)]
    assert np.array_equal(rows, np.array(alone))
    assert features.compute([], []).shape == (0, 23)
    with pytest.raises(RegressorError, match="There are 2 originals for 1 texts"):
        features.compute(originals[:2], texts[:1])


def test_it_is_never_taken_by_default(features: PairFeatures) -> None:
    assert not isinstance(features, FeatureGroup)
    assert PairFeatures not in GROUPS.values() and "against original" not in GROUPS
    assert features.described() == {
        "group": "against original",
        "version": "2",
        "columns": 23,
        "encoder": "cosine of letters 1",
        "sha256": "3" * 64,
    }
