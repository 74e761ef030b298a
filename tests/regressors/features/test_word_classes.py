"""Words as classes, and which follow each other."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from regressors.features import word_classes
from regressors.features.word_classes import TABLE, as_table, classes, count_pairs, examples, oddities, pairs_of
from scoring.texts.wordnet import PLACES

SENTENCES = [
    "The council opened the bridge on Monday, after a long winter.",
    "She has never been able to explain why the engine failed.",
    "Most of the people who came to the market bought some bread.",
    "He put the letters on the table and went out of the room.",
    "They were waiting for the train when the rain began.",
    "An old man with a dog walked slowly along the river.",
    "The film is much too long for such a simple story.",
    "If you want to know the truth, ask the people who were there.",
]


def test_a_word_is_all_that_it_can_be() -> None:
    assert classes("The movies run, don’t they? Zorblaxq’s 2nd slowly _") == [
        "the", "NOUN+", "NOUN,VERB", ",", "don't", "they", "UNKNOWN's", "NUMBER", "ADV"
    ]  # fmt: skip
    assert classes("") == []


def test_what_an_end_divides_is_not_side_by_side() -> None:
    assert list(pairs_of("The movies, he: slowly. Run!")) == [("the", "NOUN+"), ("NOUN+", ","), (",", "he")]


def test_oddities_are_those_of_the_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pairs.tsv").write_text("the\tNOUN+\t6\nthe\tADJ\t2\na\tADJ\t4\n")
    monkeypatch.setattr(word_classes, "TABLE", tmp_path / "pairs.tsv")
    monkeypatch.setattr(word_classes, "_counted", word_classes._counted.__wrapped__)
    monkeypatch.setattr(word_classes, "_oddity", word_classes._oddity.__wrapped__)

    assert oddities("the movies") == [pytest.approx(math.log2((8 * 6 / 12 + 1) / (6 + 1)))]
    assert oddities("A movies") == [pytest.approx(math.log2((4 * 6 / 12 + 1) / 1))]
    assert oddities("the of") == [0]
    assert oddities("the") == oddities("") == []


def test_words_in_order_are_less_odd_than_words_in_any() -> None:
    rng = np.random.default_rng(0)
    for sentence in SENTENCES:
        words = sentence.replace(",", "").rstrip(".").split()
        shuffled = [np.mean(oddities(" ".join(rng.permutation(words)))) for _ in range(20)]
        assert np.mean(oddities(" ".join(words))) < np.mean(shuffled) - 0.5


def test_pairs_are_counted_in_examples_alone(tmp_path: Path) -> None:
    for part in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"data.{part}").write_text("  1 The licence of the file\n", encoding="latin-1")
    entry = '00001740 29 v 01 run 0 001 @ 00001741 v 0000 | move fast; "the movies run"; "the movies"  \n'
    (tmp_path / "data.verb").write_text(entry, encoding="latin-1")

    pairs = count_pairs(tmp_path)

    assert pairs == Counter({("the", "NOUN+"): 2, ("NOUN+", "NOUN,VERB"): 1})
    assert as_table(pairs) == "NOUN+\tNOUN,VERB\t1\nthe\tNOUN+\t2\n"


needs_wordnet = pytest.mark.skipif(not (Path(PLACES[0]) / "data.verb").exists(), reason="wordnet-base is not installed")


@needs_wordnet
def test_the_table_is_that_of_wordnet() -> None:
    assert TABLE.read_text(encoding="utf-8") == as_table(count_pairs(Path(PLACES[0])))


@needs_wordnet
def test_nine_of_ten_swaps_show_in_sentences_that_were_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    every = list(examples(Path(PLACES[0])))
    counted = [example for place, example in enumerate(every) if place % 12]
    held_out = [example.split() for example in every[::12] if len(example.split()) >= 5]
    (tmp_path / "pairs.tsv").write_text(as_table(Counter(pair for example in counted for pair in pairs_of(example))))
    monkeypatch.setattr(word_classes, "TABLE", tmp_path / "pairs.tsv")
    numbers = word_classes._counted.__wrapped__()
    monkeypatch.setattr(word_classes, "_counted", lambda: numbers)
    monkeypatch.setattr(word_classes, "_oddity", word_classes._oddity.__wrapped__)
    rng = np.random.default_rng(0)

    found = []
    for words in held_out:
        place = int(rng.integers(len(words) - 1))
        swapped = [*words[:place], words[place + 1], words[place], *words[place + 2 :]]
        found.append(_mean(" ".join(swapped)) > _mean(" ".join(words)))

    assert len(found) > 2_000
    assert np.mean(found) > 0.89


def _mean(text: str) -> float:
    return float(np.mean(oddities(text) or [0.0]))
