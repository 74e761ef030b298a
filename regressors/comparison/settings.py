"""What is compared."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from regressors.errors import RegressorError
from regressors.evaluation import FOLDS
from regressors.features import GROUPS, group_of
from regressors.models import DEFAULT, make_model
from regressors.models.learners import make_learner

BASELINE: Final = "boosting"
MODELS_COMPARED: Final = ("boosting", "linear", "huber", "forest", "xgboost", "encoder", "layers", DEFAULT)
"""Those that take seconds for a fold of a few thousand texts."""
REPEATS: Final = 10


@dataclass(frozen=True, slots=True)
class Settings:
    """`models` and the `baseline` that each is compared with, by name; `learner` learns from the feature `groups` of an ablation:
    all, each left out, each alone; `transfer` is the model that is trained on single variants."""

    models: tuple[str, ...] = MODELS_COMPARED
    baseline: str = BASELINE
    groups: tuple[str, ...] = tuple(GROUPS)
    learner: str = "xgboost"
    transfer: str = DEFAULT
    repeats: int = REPEATS
    folds: int = FOLDS
    seed: int = 0
    n_jobs: int = 1

    @property
    def compared(self) -> tuple[str, ...]:
        """The models, the baseline before them unless it is one of them."""
        return self.models if self.baseline in self.models else (self.baseline, *self.models)

    def check(self) -> None:
        """RegressorError for a name that is unknown or stands twice."""
        for name in (*self.compared, self.transfer):
            make_model(name)
        for spec in self.groups:
            group_of(spec)
        make_learner(self.learner, seed=0)
        if not self.groups:
            raise RegressorError("Name at least one feature group.")
        for names in (self.models, self.groups):
            if twice := next((name for name in names if names.count(name) > 1), None):
                raise RegressorError(f"{twice!r} is named twice. Name everything that is compared once.")

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
