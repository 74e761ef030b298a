"""Numbers that are computed once for all models."""

from __future__ import annotations

import numpy as np
import pytest

from regressors.comparison.represented import Represented
from regressors.features.encoder import EncoderFeatures
from regressors.features.group import FeatureGroup
from regressors.features.lexical import LexicalFeatures
from regressors.models import FeatureModel, TextNum


def test_they_are_those_of_the_models_and_computed_once(
    small_model: TextNum, small_groups: dict[str, FeatureGroup], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["the council opened a bridge", "teh cuoncil", ""]
    both = FeatureModel((LexicalFeatures(), small_groups["encoder"]), "linear")
    represented = Represented(texts)

    models = (small_model, both, FeatureModel((LexicalFeatures(),), "linear"))
    expected = [model.represent(texts) for model in models]
    computed: list[str] = []
    for group in (LexicalFeatures, EncoderFeatures):
        compute = group.compute
        monkeypatch.setattr(group, "compute", lambda self, texts, of=compute: computed.append(self.name) or of(self, texts))

    for model, numbers in zip(models, expected, strict=True):
        assert np.array_equal(represented.by(model), numbers)
    assert computed == ["encoder", "lexical"]
    assert sorted(represented.known) == ["encoder", "lexical"]
