"""From judgements to labelled texts."""

from __future__ import annotations

import numpy as np
import pytest

from regressors.errors import RegressorError
from regressors.rows import TrainingRows, check_text, label_texts

TEXTS = ["b text", "a text", "b text", "b text", "c text"]
SCORES = [1, 4, 2, 5, 3]
ORIGINALS = ["two", "one", "two", "two", "one"]


def test_rows_of_one_text_are_judgements_of_it() -> None:
    data = label_texts(TrainingRows(TEXTS, SCORES, ORIGINALS))

    assert data.texts == ["a text", "b text", "c text"]
    assert data.judgements == [(4.0,), (1.0, 2.0, 5.0), (3.0,)]
    assert data.labels.tolist() == [4, 2, 3]
    assert data.counts.tolist() == [1, 3, 1]
    assert data.groups[0] == data.groups[2] != data.groups[1]
    assert (data.originals, data.grouping) == (2, "original")


def test_the_mean_is_a_label_too() -> None:
    data = label_texts(TrainingRows(TEXTS, SCORES, ORIGINALS), label="mean")

    assert data.labels.tolist() == [4, pytest.approx(8 / 3), 3]


def test_the_order_of_the_rows_does_not_matter() -> None:
    first = label_texts(TrainingRows(TEXTS, SCORES, ORIGINALS))
    second = label_texts(TrainingRows(TEXTS[::-1], SCORES[::-1], ORIGINALS[::-1]))
    other = label_texts(TrainingRows(TEXTS, [*SCORES[:-1], 4], ORIGINALS))

    assert first.sha256() == second.sha256() != other.sha256()
    assert (first.texts, first.judgements) == (second.texts, second.judgements)
    assert np.array_equal(first.groups, second.groups)


def test_a_text_under_two_originals_joins_them() -> None:
    texts = ["one a", "shared", "two a", "shared", "three a", "two b", "three b"]
    data = label_texts(TrainingRows(texts, [1] * 7, ["1", "1", "2", "2", "3", "2", "3"]))

    group = dict(zip(data.texts, data.groups.tolist(), strict=True))
    assert group["one a"] == group["shared"] == group["two a"] == group["two b"]
    assert group["three a"] == group["three b"] != group["shared"]


def test_without_originals_texts_that_are_nearly_equal_belong_together() -> None:
    texts = ["the bridge was opened on monday", "the brigde was opened on monday", "quite another thing happened"]
    data = label_texts(TrainingRows(texts, [1, 2, 3]))

    group = dict(zip(data.texts, data.groups.tolist(), strict=True))
    assert group[texts[0]] == group[texts[1]] != group[texts[2]]
    assert data.grouping == "near duplicates"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (TrainingRows([], []), "There are no rows"),
        (TrainingRows(["a", "b"], [1]), "There are 2 texts but 1 scores"),
        (TrainingRows(["a"], [1], ["x", "y"]), "There are 1 texts but 2 originals"),
        (TrainingRows(["a", "  "], [1, 2]), "Row 2: the text is empty"),
        (TrainingRows(["a", "b" * 100_000], [1, 2]), "Row 2: the text has 100,000 characters; 50,000 are the most"),
        (TrainingRows(["a", "b"], [1, 6]), "Row 2: the score 6 is outside the scale 1 to 5"),
        (TrainingRows(["a", "b"], [0, 1]), "Row 1: the score 0 is outside"),
        (TrainingRows(["a", "b"], [1, float("nan")]), "Row 2: the score nan is outside"),
        (TrainingRows(["a", "b"], [1, 2], ["x", " "]), "Row 2 names no original"),
    ],
)
def test_rows_that_cannot_be_used_are_named(rows: TrainingRows, message: str) -> None:
    with pytest.raises(RegressorError, match=message):
        label_texts(rows)


@pytest.mark.parametrize("scale", [(5, 1), (1, 1), (0, float("inf")), (float("nan"), 1)])
def test_a_scale_rises(scale: tuple[float, float]) -> None:
    with pytest.raises(RegressorError, match="does not rise"):
        label_texts(TrainingRows(["a"], [1]), scale=scale)


def test_labels_are_known_by_name() -> None:
    with pytest.raises(RegressorError, match="no label 'mode': choose one of median, mean"):
        label_texts(TrainingRows(["a"], [1]), label="mode")  # type: ignore[arg-type]


def test_the_longest_text_is_read() -> None:
    assert check_text("b" * 50_000) is None
    assert check_text("\u00a0\n") == "the text is empty"
