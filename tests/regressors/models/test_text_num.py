"""Text+Num: two models trained apart, and their mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from sklearn.base import clone

from regressors.features.group import Array, FeatureGroup
from regressors.models import FeatureModel, TextNum
from regressors.rows import TrainingRows


class Told(FeatureGroup):
    """Numbers that the texts themselves say, each after the other."""

    name = "told"
    version = "1"
    names = ("first", "second")

    def __init__(self, place: int) -> None:
        self.place = place

    def compute(self, texts: Sequence[str]) -> Array:
        return np.array([[float(text.split()[self.place])] * 2 for text in texts]).reshape(len(texts), 2)


def test_it_is_the_mean_of_both_trained_apart(small_model: TextNum, make_rows: Callable[..., TrainingRows]) -> None:
    rows = make_rows(20)
    weight = np.linspace(1, 3, 60)
    both, text, numeric = (
        clone(part).fit(rows.texts, rows.scores, weight).predict(rows.texts)
        for part in (small_model, small_model.text, small_model.numeric)
    )

    np.testing.assert_allclose(both, (text + numeric) / 2, atol=1e-12)


def test_represented_once_or_not_is_the_same(small_model: TextNum, make_rows: Callable[..., TrainingRows]) -> None:
    rows = make_rows(20)
    features = small_model.represent(rows.texts)

    assert features.shape == (60, small_model.width) == (60, small_model.text.width + small_model.numeric.width)
    fitted = clone(small_model).fit(rows.texts, rows.scores)
    assert np.array_equal(fitted.predict_represented(features), fitted.predict(rows.texts))


@pytest.mark.parametrize(("informed", "share"), [(0, 1.0), (1, 0.0)])
def test_fitted_weights_trust_the_part_that_knows(informed: int, share: float) -> None:
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(90, 2))
    texts = [f"{first} {second}" for first, second in numbers.tolist()]
    labels = 3 + numbers[:, informed]
    model = TextNum(FeatureModel((Told(0),), "linear"), FeatureModel((Told(1),), "linear"), weights="fitted")

    fitted = clone(model).fit(texts, labels)
    assert fitted.share_of_text_ == pytest.approx(share, abs=0.1)
    assert np.corrcoef(fitted.predict(texts), labels)[0, 1] > 0.95


def test_weights_are_fitted_on_groups_that_are_not_split() -> None:
    """The text part is a forest that knows each row's twin by heart, the numeric part a line with a true, weak signal."""
    rng = np.random.default_rng(1)
    own, signal = np.repeat(rng.normal(size=40), 4), np.repeat(rng.normal(size=40), 4)
    labels = 3 + 0.3 * signal + np.repeat(rng.normal(size=40), 4)
    texts = [f"{a} {b}" for a, b in zip(own.tolist(), signal.tolist(), strict=True)]
    groups = np.repeat(np.arange(40), 4)
    model = TextNum(FeatureModel((Told(0),), "forest"), FeatureModel((Told(1),), "linear"), weights="fitted")

    together = clone(model).fit(texts, labels, groups=groups)
    apart = clone(model).fit(texts, labels, groups=rng.permutation(160))

    assert together.share_of_text_ < 0.4 < 0.8 < apart.share_of_text_


def test_one_group_leaves_the_weights_equal() -> None:
    texts = [f"{number} {-number}" for number in range(12)]
    model = TextNum(FeatureModel((Told(0),), "linear"), FeatureModel((Told(1),), "linear"), weights="fitted")

    assert clone(model).fit(texts, np.arange(12) / 4 + 1, groups=np.zeros(12)).share_of_text_ == 0.5
