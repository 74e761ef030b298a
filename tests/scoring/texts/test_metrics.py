from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import pearsonr

from scoring.result import Reason
from scoring.texts.metrics import all_metrics, pair_metrics, summary
from scoring.texts.semantic import BY_PATH, EncoderSimilarity
from tests.scoring.texts import tiny


def test_distances_and_share_of_words() -> None:
    found = pair_metrics("The film was great.", "The filn was, great")
    assert (found["character_distance"], found["character_distance_normalised"]) == (3, 3 / 19)
    assert (found["word_distance"], found["word_distance_normalised"], found["words_changed"]) == (1, 1 / 4, 1 / 4)
    added = pair_metrics("a b", "a x b")
    assert (added["word_distance"], added["words_changed"]) == (1, 0)
    assert pair_metrics("a b c d", "a")["words_changed"] == 3 / 4


@pytest.mark.parametrize("pair", [("", ""), ("", "a"), ("a", ""), ("a\ud800", "\udfffb"), ("ab " * 33_000, "ba " * 33_000)])
def test_no_pair_of_texts_breaks_them(pair: tuple[str, str]) -> None:
    for name, value in pair_metrics(*pair).items():
        assert isinstance(value, Reason) or math.isfinite(value), name


def test_scorers_add_a_column_for_each_of_their_parts(tmp_path: Path) -> None:
    folders = {"bleurt": tiny.bleurt, "bertscore": tiny.bert, "meaningbert": tiny.bert_for_sequences}
    scorers = {kind: BY_PATH[kind](make(tmp_path / kind)) for kind, make in folders.items()}
    pairs = [("the film", "the movie"), ("rain", "rain")]
    columns = all_metrics(pairs, {"encoder": EncoderSimilarity(), **scorers})
    added = ["encoder", "bleurt", "bertscore_precision", "bertscore_recall", "bertscore_f1", "meaningbert"]
    assert list(columns)[-6:] == added
    assert columns["bleurt"] == scorers["bleurt"].score(pairs)
    assert columns["bertscore_f1"][1] == pytest.approx(1, abs=1e-5)


def test_correlations_are_those_of_scipy_over_what_was_judged() -> None:
    draw = np.random.default_rng(1)
    values = draw.normal(size=40)
    human = [None if place % 8 == 0 else float(value + draw.normal()) for place, value in enumerate(values)]
    missing = Reason("too_few_words", "…")
    column = [missing if place == 1 else float(value) for place, value in enumerate(values)]
    found = summary({"m": column}, [f"original {place // 2}" for place in range(40)], human)["m"]
    kept = [place for place in range(40) if human[place] is not None and place != 1]
    expected = pearsonr(values[kept], [human[place] for place in kept]).statistic
    assert (found["pearson"]["n"], found["pearson"]["left_out"]) == (34, {"not judged": 5, "too few words": 1})
    assert found["pearson"]["value"] == pytest.approx(expected)
    assert "of 19 clusters" in found["pearson"]["interval"]["method"]
    assert (found["mean"]["n"], found["mean"]["value"]) == (39, pytest.approx(np.delete(values, 1).mean()))


def test_what_cannot_be_correlated_has_a_reason() -> None:
    constant = summary({"m": [1.0] * 4}, list("abcd"), [1.0, 2.0, 3.0, 4.0])["m"]
    assert constant["pearson"]["reason"]["code"] == "constant_predictions"
    nobody = summary({"m": [1.0, 2.0]}, list("ab"), [None, None])["m"]
    assert nobody["pearson"]["reason"]["code"] == "too_few_texts"
    nothing = summary({"m": [Reason("too_few_words", "No word.")]}, ["a"])["m"]
    assert (nothing["mean"]["reason"]["code"], nothing["mean"]["left_out"]) == ("too_few_words", {"too few words": 1})
