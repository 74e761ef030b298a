"""What a card keeps of predictions for texts that were not trained on."""

from __future__ import annotations

import hashlib

import numpy as np

from regressors import out_of_fold
from regressors.out_of_fold import distribution, fails
from regressors.rows import LabelledTexts, TrainingRows, label_texts


def judged(*scores: tuple[float, ...], low: float = 1.0, high: float = 5.0) -> LabelledTexts:
    rows = [(f"text {number}", score) for number, many in enumerate(scores) for score in many]
    texts, given = zip(*rows, strict=True)
    return label_texts(TrainingRows(texts, given, texts), scale=(low, high))


def test_predictions_and_labels_are_counted_in_equal_parts_of_the_scale() -> None:
    parts = distribution(judged((1.0,), (2.0, 4.0), (5.0,)), np.array([1.39, 1.41, 5.0]))
    assert [round(part["low"], 9) for part in parts] == [1.0, 1.4, 1.8, 2.2, 2.6, 3.0, 3.4, 3.8, 4.2, 4.6]
    assert [part["predicted"] for part in parts] == [1, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    assert [part["judged"] for part in parts] == [1, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    assert [part["labels"] for part in parts if part["predicted"]] == [1.0, 3.0, 5.0]
    assert parts[2]["labels"] is None


def test_what_lies_outside_the_scale_counts_at_its_ends() -> None:
    parts = distribution(judged((0.0,), (1.0,), low=0.0, high=1.0), np.array([-0.2, 1.3]))
    assert [part["predicted"] for part in parts] == [1, *[0] * 8, 1]


def test_the_worst_come_first_and_only_so_many() -> None:
    data = judged((1.0,), (5.0, 5.0), (3.0,))
    found = fails(data, np.array([2.0, 2.0, 3.5]))
    assert found == [
        {"text": hashlib.sha256(b"text 1").hexdigest()[:32], "judged": 5.0, "predicted": 2.0, "judgements": 2},
        {"text": hashlib.sha256(b"text 0").hexdigest()[:32], "judged": 1.0, "predicted": 2.0, "judgements": 1},
        {"text": hashlib.sha256(b"text 2").hexdigest()[:32], "judged": 3.0, "predicted": 3.5, "judgements": 1},
    ]
    many = judged(*[(1.0,)] * 30)
    assert len(fails(many, np.linspace(1, 5, 30))) == out_of_fold.MOST_FAILS == 20
