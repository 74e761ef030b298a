"""The suspicion constraint in attacks of TextAttack (Morris et al. 2020, "TextAttack: A Framework for Adversarial Attacks, Data
Augmentation, and Adversarial Training in NLP", EMNLP demos; 0.3.11).

TextAttack has an environment of its own. Put this project's folder on that environment's ``PYTHONPATH``; the model then runs in
this project's environment, as a process that the constraint starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textattack.constraints import Constraint

from attacks.constraints.suspicion import SuspicionAtMost, SuspicionModel
from attacks.integrations.model_process import ModelProcess


class SuspicionConstraint(Constraint):
    """`attacks.constraints.SuspicionAtMost` for ``attack.constraints``: candidates against the original text.

    ``model``: a model's folder, or an object that predicts. With a folder, ``python`` is the interpreter of the environment
    in which this project is installed. For ``tau`` and ``margin`` see `SuspicionAtMost`; TextAttack keeps no scores.
    """

    def __init__(
        self,
        model: str | Path | SuspicionModel,
        tau: float | None = None,
        margin: float | None = None,
        *,
        python: str | Path | None = None,
    ) -> None:
        super().__init__(compare_against_original=True)
        self.limit = SuspicionAtMost(_loaded(model, python), tau, margin)
        self.rule = self.limit.describe()["rule"]
        self.model_sha256 = self.limit.model.sha256

    def _check_constraint_many(self, transformed_texts: Sequence[Any], reference_text: Any) -> list[Any]:
        _, verdicts = self.limit.check(reference_text.text, [text.text for text in transformed_texts])
        return [text for text, verdict in zip(transformed_texts, verdicts, strict=True) if verdict]

    def _check_constraint(self, transformed_text: Any, reference_text: Any) -> bool:
        return bool(self._check_constraint_many([transformed_text], reference_text))

    def extra_repr_keys(self) -> list[str]:
        return ["rule", "model_sha256", *super().extra_repr_keys()]


def _loaded(model: str | Path | SuspicionModel, python: str | Path | None) -> SuspicionModel:
    if not isinstance(model, str | Path):
        return model
    if python is not None:
        return ModelProcess(model, python)
    from regressors.storage import load

    return load(Path(model))
