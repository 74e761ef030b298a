"""Which words and features a score comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import pytest

from regressors.errors import RegressorError
from regressors.explanation import explain, medians
from regressors.features.encoder import EncoderFeatures
from regressors.features.group import Array, FeatureGroup
from regressors.features.lexical import LexicalFeatures
from regressors.models import FeatureModel, TextNum, TextRegressor
from regressors.overlap import seen_of
from regressors.rows import TrainingRows
from regressors.targets import Targets
from regressors.trained import TrainedModel
from regressors.training import train
from tests.regressors.conftest import SmallEncoder

MakeRows = Callable[..., TrainingRows]


class QFeatures(FeatureGroup):
    name, version = "q", "1"

    @property
    def names(self) -> tuple[str, ...]:
        return "qs", "commas"

    def compute(self, texts: Sequence[str]) -> Array:
        return np.array([[text.count("q"), text.count(",")] for text in texts], dtype=np.float64)


class CountsQ(TextRegressor):
    """By a known rule: 2, and a half for each q, less a quarter for each comma. A token comes before its groups."""

    kind = "counts q"

    def __init__(self) -> None:
        self.groups = (QFeatures(),)
        self.scale = (1.0, 5.0)
        self.asked = 0

    @property
    def width(self) -> int:
        return 3

    def represent(self, texts: Sequence[str]) -> Array:
        return np.hstack([np.full((len(texts), 1), 7.0), self.groups[0].compute(texts)])

    def fit_represented(self, X: Array, told: Targets) -> Self:
        return self

    def predict_represented(self, X: Array) -> Array:
        self.asked += 1
        assert (X[:, 0] == 7).all()
        return np.clip(2 + X[:, 1] / 2 - X[:, 2] / 4, 1, 5)

    def parameters(self) -> dict[str, Any]:
        return {}

    def learned(self) -> dict[str, bytes]:
        return {}

    def restore(self, files: Mapping[str, bytes]) -> Self:
        return self


@pytest.fixture
def counting() -> TrainedModel:
    nobody = TrainingRows([], [])
    return TrainedModel(CountsQ(), {"medians": {"q": {"qs": 1.0, "commas": 0.0}}}, seen_of(nobody, []))


def test_words_are_those_without_which_the_score_differs(counting: TrainedModel) -> None:
    text = "A qqueer, qu\u200baint town"
    found = explain(counting, text)

    assert found.score == 3.25  # three q and a comma
    assert not found.at_end_of_scale
    assert [(word.word, word.effect) for word in found.words] == [
        ("qqueer", 1.0),
        ("qu\u200baint", 0.5),
        ("A", 0.0),
        ("town", 0.0),
    ]
    assert all(text[word.start : word.end] == word.word for word in found.words)
    assert found.words_in_text == 4
    assert counting.model.asked == 2  # type: ignore[attr-defined]


def test_features_are_set_to_what_is_usual(counting: TrainedModel) -> None:
    found = explain(counting, "A qqueer, quaint town").features

    assert [(of.group, of.feature, of.value, of.median, of.effect) for of in found] == [
        ("q", "qs", 3.0, 1.0, 1.0),
        ("q", "commas", 1.0, 0.0, -0.25),
    ]


def test_nothing_but_the_word_is_left_out(counting: TrainedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    represent = CountsQ.represent

    def represent_seen(self: CountsQ, texts: Sequence[str]) -> Array:
        asked.extend(texts)
        return represent(self, texts)

    monkeypatch.setattr(CountsQ, "represent", represent_seen)
    explain(counting, "(One) two, it's-three!")

    assert asked[:4] == ["(One) two, it's-three!", "() two, it's-three!", "(One), it's-three!", "(One) two,!"]
    asked.clear()
    explain(counting, "One  two")
    assert asked[:3] == ["One  two", "two", "One"]


def test_of_a_long_text_the_first_two_hundred_words_are_said(counting: TrainedModel) -> None:
    found = explain(counting, " ".join(["word"] * 250))

    assert (len(found.words), found.words_in_text) == (200, 250)
    assert max(word.end for word in found.words) == 200 * 5 - 1


def test_a_score_that_was_cut_off_says_so(counting: TrainedModel) -> None:
    found = explain(counting, "q" * 9)

    assert (found.score, found.at_end_of_scale) == (5.0, True)


@pytest.mark.parametrize(("text", "problem"), [("  ", "the text is empty"), ("a" * 100_000, "the text has 100,000 characters")])
def test_what_has_no_score_has_no_explanation(counting: TrainedModel, text: str, problem: str) -> None:
    with pytest.raises(RegressorError, match=f"There is nothing to explain: {problem}"):
        explain(counting, text)


def test_medians_are_of_numbers_with_a_name_wherever_they_stand() -> None:
    encoder = EncoderFeatures(SmallEncoder())  # type: ignore[arg-type]
    model = TextNum(FeatureModel((encoder, QFeatures()), "ridge"), FeatureModel((QFeatures(), LexicalFeatures()), "ridge"))
    texts = ["q, q, q", "no such letter", "q and", "q, or"]

    found = medians(model, model.represent(texts))

    assert found["q"] == {"qs": 1.0, "commas": 0.5}
    assert list(found) == ["q", "lexical"]
    assert found["lexical"]["words"] == 2.5
    assert list(found["lexical"]) == list(LexicalFeatures().names)


def test_a_feature_of_both_parts_is_set_in_both(make_rows: MakeRows) -> None:
    """Else the other part would still see it, and half of its effect would be hidden."""
    rows = make_rows(20)
    alone = FeatureModel((LexicalFeatures(),), "ridge")
    trained = [
        train(rows, model=model, repeats=1) for model in (alone, TextNum(alone, FeatureModel((LexicalFeatures(),), "ridge")))
    ]
    once, twice = (explain(of, "the council opened teh brigdeqx") for of in trained)

    assert [of.feature for of in twice.features] == [of.feature for of in once.features]
    assert [of.effect for of in twice.features] == pytest.approx([of.effect for of in once.features])
    assert max(abs(of.effect) for of in once.features) > 0.1
