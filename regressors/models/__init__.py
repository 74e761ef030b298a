"""The models by name, and the one that is used unless another is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from regressors.errors import RegressorError
from regressors.features import group_of
from regressors.features.encoder import EncoderFeatures, LayerFeatures
from regressors.features.group import FeatureGroup
from regressors.features.lexical import LexicalFeatures
from regressors.models.base import SUSPICION, Scale, TextRegressor
from regressors.models.feature_model import FeatureModel
from regressors.models.fine_tuned import FineTuned
from regressors.models.learners import LEARNERS
from regressors.models.text_num import TextNum
from regressors.names import DEFAULT

__all__ = [
    "DEFAULT",
    "MODELS",
    "SUSPICION",
    "FeatureModel",
    "FineTuned",
    "TextNum",
    "TextRegressor",
    "default_model",
    "make_model",
    "model_of",
    "tuned_with",
]

Maker = Callable[[int, int, Scale], TextRegressor]


def _numeric(learner: str) -> Maker:
    return lambda seed, n_jobs, scale: FeatureModel((LexicalFeatures(),), learner, seed=seed, n_jobs=n_jobs, scale=scale)


def _tuned(base: str | None, seed: int, n_jobs: int, scale: Scale) -> TextRegressor:
    return FineTuned(base, seed=seed, scale=scale)


def _tuned_and_numeric(base: str | None, seed: int, n_jobs: int, scale: Scale) -> TextRegressor:
    return TextNum(_tuned(base, seed, n_jobs, scale), _numeric("forest")(seed, n_jobs, scale))


def _multimodal(base: str | None, seed: int, n_jobs: int, scale: Scale) -> TextRegressor:
    return FineTuned(base, (LexicalFeatures(),), seed=seed, scale=scale)


def default_model(seed: int = 0, *, scale: Scale = SUSPICION, n_jobs: int = 1) -> TextNum:
    """Text+Num of the embedded encoder's first layers with a ridge head and a random forest on lexical features."""
    return TextNum(_layers(scale), _numeric("forest")(seed, n_jobs, scale))


def _layers(scale: Scale) -> TextRegressor:
    return FeatureModel((LayerFeatures(),), "ridge", scale=scale)


TUNED: Final[dict[str, Callable[[str | None, int, int, Scale], TextRegressor]]] = {
    "fine-tuned": _tuned,
    "fine-tuned+num": _tuned_and_numeric,
    "multimodal": _multimodal,
}
"""Those that train a Transformer on: the embedded MiniLM, or with "name:path" the one of a folder."""


MODELS: Final[dict[str, Maker]] = {
    DEFAULT: lambda seed, n_jobs, scale: default_model(seed, scale=scale, n_jobs=n_jobs),
    "text+voting": lambda seed, n_jobs, scale: TextNum(_layers(scale), _numeric("voting")(seed, n_jobs, scale), "fitted"),
    "layers": lambda seed, n_jobs, scale: _layers(scale),
    "encoder": lambda seed, n_jobs, scale: FeatureModel((EncoderFeatures(),), "ridge", scale=scale),
    **{learner: _numeric(learner) for learner in LEARNERS},
    **{name: partial(make, None) for name, make in TUNED.items()},
}


def make_model(name: str = DEFAULT, *, seed: int = 0, n_jobs: int = 1, scale: Scale = SUSPICION) -> TextRegressor:
    """The unfitted model of a name, or of a "name:path" (see TUNED). RegressorError for an unknown one."""
    known, _, base = name.partition(":")
    if name in MODELS:
        return MODELS[name](seed, n_jobs, scale)
    if base and known in TUNED:
        return TUNED[known](base, seed, n_jobs, scale)
    raise RegressorError(f"There is no model {name!r}: choose among {', '.join([*MODELS, *(f'{of}:PATH' for of in TUNED)])}.")


def tuned_with(model: TextRegressor, **settings: Any) -> TextRegressor:
    """The model with these settings in its parts that train a Transformer, such as `device` and `smart_weight`. RegressorError
    where no part of it does."""
    for setting, value in settings.items():
        parts = [name for name in model.get_params() if name.rpartition("__")[2] == setting]
        if not parts:
            raise RegressorError(f"Only models that train a Transformer have a {setting}; leave it out, or choose fine-tuned.")
        model = model.set_params(**dict.fromkeys(parts, value))
    return model


def model_of(parameters: Mapping[str, Any], groups: Mapping[str, FeatureGroup] | None = None) -> TextRegressor:
    """An unfitted model equal to the one whose `parameters()` these are. `groups` gives feature groups in place of those that
    the parameters name. RegressorError for a kind that is unknown here; KeyError for a missing parameter."""
    kind = parameters["kind"]
    if kind == TextNum.kind:
        return TextNum(model_of(parameters["text"], groups), model_of(parameters["numeric"], groups), parameters["weights"])
    if kind not in (FeatureModel.kind, FineTuned.kind):
        raise RegressorError(f"There is no kind of model {kind!r} here.")
    read = tuple((groups or {}).get(spec) or group_of(spec) for spec in parameters["groups"])
    low, high = parameters["scale"]
    scale = (float(low), float(high))
    if kind == FineTuned.kind:
        return FineTuned(groups=read, scale=scale, **{name: parameters[name] for name in FineTuned.settings})
    return FeatureModel(read, parameters["learner"], seed=int(parameters["seed"]), scale=scale)
