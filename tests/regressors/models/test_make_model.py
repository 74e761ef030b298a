"""Models by name."""

from __future__ import annotations

import pytest

from regressors.errors import RegressorError
from regressors.models import MODELS, FeatureModel, FineTuned, TextNum, make_model, tuned_with


@pytest.mark.parametrize("name", MODELS)
def test_each_has_the_seed_and_scale_that_were_asked_for(name: str) -> None:
    model = make_model(name, seed=7, scale=(0.0, 1.0))
    parts = [model.text, model.numeric] if isinstance(model, TextNum) else [model]

    assert model.scale == (0.0, 1.0)
    assert [part.scale for part in parts] == [(0.0, 1.0)] * len(parts)
    learners = [part for part in parts if not (isinstance(part, FeatureModel) and part.learner == "ridge")]
    assert [part.seed for part in learners] == [7] * len(learners)


@pytest.mark.parametrize("base", [None, "/models/roberta", "C:/models/roberta"])
def test_a_transformer_is_the_embedded_one_or_that_of_a_path(base: str | None) -> None:
    text, both, multimodal = (
        make_model(f"{name}:{base}" if base else name) for name in ("fine-tuned", "fine-tuned+num", "multimodal")
    )

    assert isinstance(text, FineTuned) and isinstance(both, TextNum) and isinstance(multimodal, FineTuned)
    assert isinstance(both.text, FineTuned) and isinstance(both.numeric, FeatureModel)
    assert [text.base, both.text.base, multimodal.base] == [base] * 3
    assert [[group.name for group in of.groups] for of in (text, both, multimodal)] == [[], ["lexical"], ["lexical"]]
    assert both.numeric.learner == "forest"


@pytest.mark.parametrize("name", ["oracle", "forest:/models/x", "fine-tuned:", ""])
def test_an_unknown_name_is_told_with_those_that_are_known(name: str) -> None:
    with pytest.raises(RegressorError, match=f"There is no model '{name}': choose among text\\+num, .*, fine-tuned:PATH"):
        make_model(name)


def test_settings_of_tuning_are_for_the_parts_that_train_a_transformer() -> None:
    model = tuned_with(make_model("fine-tuned+num"), device="meta", smart_weight=2.0)
    assert isinstance(model, TextNum) and isinstance(model.text, FineTuned)
    assert (model.text.device, model.text.smart_weight) == ("meta", 2.0)
    with pytest.raises(RegressorError, match="Only models that train a Transformer have a device"):
        tuned_with(make_model("forest"), device="cuda")
