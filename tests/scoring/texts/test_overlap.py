"""BLEU, METEOR and ROUGE against their packages, published values, and the worst of texts."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.result import Reason
from scoring.texts import overlap, wordnet
from scoring.texts.meteor import meteor_score
from scoring.texts.overlap import bleu, meteor, rouge

ORIGINAL = "It is a guide to action that ensures that the military will forever heed Party commands"
GUIDE = "It is a guide to action which ensures that the military always obeys the commands of the party"
TROOPS = "It is to insure the troops forever hearing the activity guidebook that party direct"
WORDS = "the a film films movie was great . , don't \u0430 ran run runs"
TEXTS = st.lists(st.sampled_from(WORDS.split()), max_size=9).map(" ".join)


@pytest.mark.parametrize(
    ("original", "modified", "score"),
    [
        ("this is a cat", "non matching hypothesis", 0.0),
        # by hand: all matched in order, one chunk of four words
        ("the movie was great", "the film was great", 1 - 0.5 * (1 / 4) ** 3),
        ("he ran", "he runs", 1 - 0.5 * (1 / 2) ** 3),
        # three of four matched in two chunks; P = R = 3/4
        ("a b c d", "a b x d", 0.75 * (1 - 0.5 * (2 / 3) ** 3)),
        ("a b", "", 0.0),
        # "picture" goes to the last of its synonyms, next to where "x" went: P = 1, R = 2/3, one chunk of two
        ("movie x image", "x picture", (2 / 3) / (0.9 + 0.1 * 2 / 3) * (1 - 0.5 * (1 / 2) ** 3)),
    ],
)
def test_meteor(original: str, modified: str, score: float) -> None:
    assert meteor(original, modified) == pytest.approx(score, abs=1e-4)


class Unknowing:
    """A WordNet that knows no word, for us and for nltk."""

    def senses(self, word: str) -> frozenset[tuple[str, int]]:
        return frozenset()

    def synsets(self, word: str) -> list[object]:
        return []


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
@example(ORIGINAL, GUIDE)
def test_meteor_is_nltks_as_far_as_words_and_stems_go(original: str, modified: str) -> None:
    from nltk.translate.meteor_score import single_meteor_score

    sides = original.split(), modified.split()
    assert meteor_score(*sides, Unknowing()) == pytest.approx(single_meteor_score(*sides, wordnet=Unknowing()))  # type: ignore[arg-type]


def test_meteor_of_nltks_documentation() -> None:
    """0.6944 there, where no synonym is found."""
    assert meteor_score(ORIGINAL.split(), GUIDE.split(), Unknowing()) == pytest.approx(0.6944, abs=1e-4)  # type: ignore[arg-type]
    assert meteor(ORIGINAL, GUIDE) >= 0.6944  # type: ignore[operator]


def test_meteor_without_wordnet_has_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlap, "installed_wordnet", lambda: None)
    found = meteor("a", "b")
    assert isinstance(found, Reason)
    assert (found.code, "set WORDNET_DIR" in found.message) == ("no_wordnet", True)
    assert overlap.implementations()["meteor"].endswith(", no WordNet")


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS)
def test_rouge_and_bleu_are_those_of_their_packages(original: str, modified: str) -> None:
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu import sentence_bleu

    theirs = RougeScorer(["rouge1", "rouge2", "rouge3", "rougeL"]).score(original, modified)
    words = len(re.findall("[a-z0-9]+", original.lower()))
    for name, value in rouge(original, modified).items():
        needed = int(name[-1]) if name[-1].isdigit() else 1
        assert value == pytest.approx(theirs[name].fmeasure) if words >= needed else isinstance(value, Reason)
    if original:
        assert bleu(original, modified) == pytest.approx(sentence_bleu(modified, [original]).score)


def test_published_bleu_and_rouge() -> None:
    """rouge-score's README: this pair has ROUGE-1 precision 0.75 and recall 6/9, ROUGE-L precision 0.625 and recall 5/9."""
    found = rouge("The quick brown fox jumps over the lazy dog", "The quick brown dog jumps on the log.")
    assert found["rouge1"] == pytest.approx(2 * 0.75 * (6 / 9) / (0.75 + 6 / 9))
    assert found["rougeL"] == pytest.approx(2 * 0.625 * (5 / 9) / (0.625 + 5 / 9))
    assert bleu(ORIGINAL, ORIGINAL) == pytest.approx(100)
    assert 0 < bleu(ORIGINAL, TROOPS) < bleu(ORIGINAL, GUIDE) < 100  # type: ignore[operator]


@pytest.mark.parametrize("original", ["", " \n"])
def test_an_original_without_words_has_a_reason(original: str) -> None:
    for value in (bleu(original, "a"), meteor(original, "a"), *rouge(original, "a").values()):
        assert isinstance(value, Reason)
        assert value.code == "too_few_words"


@pytest.mark.parametrize(
    ("original", "modified"), [("word " * 20_000, "other " * 17_000), ("x" * 100_000, "y" * 100_000), ("a\ud800 b", "\udfff")]
)
def test_long_texts_and_lone_surrogates(original: str, modified: str) -> None:
    for value in (bleu(original, modified), meteor(original, modified), *rouge(original, modified).values()):
        assert isinstance(value, Reason) or (math.isfinite(value) and value >= 0)


def test_a_wordnet_that_is_not_where_it_is_said_to_be_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WORDNET_DIR", str(tmp_path))
    wordnet.installed_wordnet.cache_clear()
    with pytest.raises(ValueError, match=r"no data\.noun"):
        meteor("a", "b")
    wordnet.installed_wordnet.cache_clear()
