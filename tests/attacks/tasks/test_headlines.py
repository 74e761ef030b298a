"""The sample task: layout, balance, variety, and a difficulty that leaves an attack something to do."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline

from attacks import tasks
from attacks.tasks.layout import Row, Task, read_task

FOLDER = Path(tasks.__file__).parent / "headlines"
SPLITS = ("train", "dev", "attack")
# A decoder that replaces `\n` before the doubled backslash breaks these lines: their backslash stands before an n.
BACKSLASH_BEFORE_N = {
    "train": r"The hidden folder C:\nobody\knows proves",
    "attack": r"A software fault displayed the path C:\news\drafts on",
}


@pytest.fixture(scope="module")
def task() -> Task:
    return read_task(FOLDER)


@pytest.fixture(scope="module")
def rows(task: Task) -> list[Row]:
    return task.train + task.dev + task.attack


def test_name_and_sizes(task: Task) -> None:
    assert (task.name, len(task.train), len(task.dev), len(task.attack)) == ("headlines", 338, 60, 110)


@pytest.mark.parametrize("split", SPLITS)
def test_labels_are_balanced_in_every_split(task: Task, split: str) -> None:
    labels = Counter(row.label for row in getattr(task, split))
    assert labels[0] == labels[1]
    assert set(labels) == {0, 1}


@pytest.mark.parametrize("split", SPLITS)
def test_file_is_three_columns_of_utf8_without_header(split: str) -> None:
    content = (FOLDER / f"{split}.tsv").read_bytes()
    assert b"\r" not in content and not content.startswith(b"\xef\xbb\xbf") and content.endswith(b"\n")
    columns = [line.split("\t") for line in content.decode("utf-8").removesuffix("\n").split("\n")]
    assert {len(row) for row in columns} == {3}
    assert {row[0] for row in columns} == {"0", "1"}


def test_every_source_prints_both_labels_about_equally(rows: list[Row]) -> None:
    printed = Counter((row.source, row.label) for row in rows)
    for source in {row.source for row in rows}:
        assert min(printed[source, 0], printed[source, 1]) >= 20
        assert abs(printed[source, 0] - printed[source, 1]) <= 3


def test_texts_are_short_and_clean(rows: list[Row]) -> None:
    lengths = [len(row.text.split()) for row in rows]
    assert 8 <= min(lengths) and max(lengths) <= 40
    assert [row.text for row in rows if row.text != row.text.strip() or "  " in row.text or "\t" in row.text] == []


def test_backslashes_and_line_breaks_are_decoded_in_the_right_order(task: Task) -> None:
    for split, beginning in BACKSLASH_BEFORE_N.items():
        found = [row.text for row in getattr(task, split) if "\\" in row.text]
        assert [text[: len(beginning)] for text in found] == [beginning]
        assert "\n" not in found[0]
    broken = {split: sum("\n" in row.text for row in getattr(task, split)) for split in SPLITS}
    assert broken == {"train": 3, "dev": 0, "attack": 1}


def test_some_texts_go_beyond_ascii(rows: list[Row]) -> None:
    assert set("éï€’“”") <= set("".join(row.text for row in rows))


def test_splits_share_no_text_and_no_pair_is_similar(rows: list[Row]) -> None:
    texts = [row.text.lower() for row in rows]
    similarity = cdist(texts, texts, scorer=Levenshtein.normalized_similarity, dtype=np.float32)
    np.fill_diagonal(similarity, 0.0)
    first, second = np.unravel_index(similarity.argmax(), similarity.shape)
    assert similarity.max() <= 0.7, (texts[first], texts[second])


def test_linear_victim_is_right_for_80_to_95_percent(rows: list[Row]) -> None:
    texts = np.array([row.text for row in rows], dtype=object)
    labels = np.array([row.label for row in rows])
    victim = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression())
    splits = StratifiedShuffleSplit(n_splits=10, test_size=0.2, random_state=0).split(texts, labels)
    accuracy = [victim.fit(texts[train], labels[train]).score(texts[test], labels[test]) for train, test in splits]
    print(f"accuracy over ten splits: mean {np.mean(accuracy):.3f}, {min(accuracy):.3f} to {max(accuracy):.3f}")
    assert 0.80 <= min(accuracy) and max(accuracy) <= 0.95
