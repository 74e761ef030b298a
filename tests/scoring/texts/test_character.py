from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.texts.character import character_score, similarity
from scoring.texts.tokens import normalise, sentences

VECTORS = [
    ("Hello, World!", "hello ,world !", "hello , world !", "hello , world !", 0),
    ("Vaccines are safe.", "V\u0430ccines are safe.", "vaccines are safe .", "v\u0430ccines are safe .", 1),
    ("This is misinformation.", "This is mis\u200binformation.", "this is misinformation .",
     "this is mis \u200b information .", 3),
    ("Really?! Yes.", "Really!? Yes.", "really ?! yes .", "really !? yes .", 2),
    ("They don't care", "They dont care", "they don ' t care", "they dont care", 3),
    ("caf\xe9 society", "cafe\u0301 society", "caf\xe9 society", "cafe \u0301 society", 3),
    ("The sky is blue. ~ The sky has a colour.", "The sky is azure. ~ The sky has a colour.",
     "the sky is blue . ~ the sky has a colour .", "the sky is azure . ~ the sky has a colour .", 3),
    ("The U.S. Senate met... Then left.", "The US Senate met... Then left.",
     "the u . s . senate met ... then left .", "the us senate met ... then left .", 5),
    ("the movie was great", "the film was great", "the movie was great", "the film was great", 5),
]  # fmt: skip


@pytest.mark.parametrize(("original", "adversarial", "old", "new", "distance"), VECTORS)
def test_bodegas_normalisation_and_score(original: str, adversarial: str, old: str, new: str, distance: int) -> None:
    assert (normalise(original), normalise(adversarial)) == (old, new)
    assert character_score(original, adversarial) == pytest.approx(1 - distance / max(len(old), len(new)), abs=1e-15)


def sentence_by_sentence(text: str) -> str:
    """As BODEGA does it, for every text."""
    parts = sentences(text.lower().replace("\n", " "))
    return " ".join(token for part in parts for token in re.findall(r"\w+|[^\w\s]+", part))


MARKS = st.text("ab .?!\"')(]}[{;:*@-,~’”“‘»«\n\u2003\u200b…", max_size=14)


@settings(max_examples=300, deadline=None)
@given(MARKS)
@example('a. "--b')
@example("Really?! Yes.")
@example('("a.") b')
@example("a.)--b")
@example("a...! b")
def test_sentences_are_found_wherever_they_change_the_tokens(text: str) -> None:
    assert normalise(text) == sentence_by_sentence(text)


def test_newlines_are_spaces_and_case_can_stay() -> None:
    assert normalise("One\nTwo. Three", lower=False) == "One Two . Three"


@pytest.mark.parametrize(("first", "second", "score"), [("", "", 1.0), ("", "abc", 0.0), ("abc", " \n ", 0.0)])
def test_empty_texts(first: str, second: str, score: float) -> None:
    assert character_score(first, second) == score


def test_long_texts_and_lone_surrogates() -> None:
    assert character_score("a" * 100_000, "a" * 99_999 + "b") == pytest.approx(1 - 1e-5, abs=1e-12)
    assert character_score("ab\ud800", "ab\udfff") == pytest.approx(1 - 1 / 4)


def levenshtein(first: str, second: str) -> int:
    """The textbook recurrence (Wagner and Fischer, 1974), as an oracle."""
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        above, row[0] = row[0], i
        for j, b in enumerate(second, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (a != b))
    return row[-1]


@settings(max_examples=50, deadline=None)
@given(st.text("ab. \u200b", max_size=12), st.text("ab. \u200b", max_size=12))
def test_similarity_is_one_minus_the_distance_over_the_longer_length(first: str, second: str) -> None:
    longer = max(len(first), len(second), 1)
    assert similarity(first, second) == pytest.approx(1 - levenshtein(first, second) / longer)


@pytest.mark.published_data
def test_the_mean_over_the_680_published_pairs(published_data: Callable[[str], Path]) -> None:
    """InCrediblAE manual evaluation data set; BODEGA's own code gives 0.9665708471."""
    with published_data("incrediblae_manual_evaluation.csv").open(encoding="utf-8", newline="") as file:
        scores = [character_score(row["original_samples"], row["adversarial_samples"]) for row in csv.DictReader(file)]
    assert len(scores) == 680
    assert sum(scores) / 680 == pytest.approx(0.9665708471, abs=1e-10)
    assert (min(scores), max(scores)) == (pytest.approx(0.373737, abs=1e-6), pytest.approx(0.998883, abs=1e-6))
