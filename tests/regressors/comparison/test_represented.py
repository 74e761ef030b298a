"""Numbers that are computed once for all models."""

from __future__ import annotations

import numpy as np

from regressors.comparison.represented import Represented
from regressors.features.group import FeatureGroup
from regressors.features.lexical import LexicalFeatures
from regressors.models import FeatureModel, TextNum


def test_they_are_those_of_the_models_and_computed_once(small_model: TextNum, small_groups: dict[str, FeatureGroup]) -> None:
    texts = ["the council opened a bridge", "teh cuoncil", ""]
    both = FeatureModel((LexicalFeatures(), small_groups["encoder"]), "linear")
    represented = Represented(texts)

    for model in (small_model, both, FeatureModel((LexicalFeatures(),), "linear")):
        assert np.array_equal(represented.by(model), model.represent(texts))
    assert sorted(represented.known) == ["encoder", "lexical"]
