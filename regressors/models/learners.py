"""What learns from columns of numbers, by name; all follow scikit-learn's contract for regressors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor, StackingRegressor, VotingRegressor
from sklearn.linear_model import HuberRegressor, LinearRegression
from sklearn.model_selection import GroupKFold, KFold
from sklearn.preprocessing import QuantileTransformer
from sklearn.utils.validation import check_is_fitted, validate_data

from regressors.errors import RegressorError
from regressors.models.ordinal import OrdinalRegressor
from regressors.models.ridge import GroupedRidge

Array = NDArray[np.float64]
_MOST_QUANTILES: Final = 100


class OnNormalQuantiles(RegressorMixin, BaseEstimator):
    """A regressor on columns that were mapped to a standard normal distribution by their ranks in the training data, as linear
    models of skewed counts need it (trees do not: no split depends on a column's spacing). Fitted: `quantiles_`, `regressor_`.
    """

    def __init__(self, regressor: BaseEstimator) -> None:
        self.regressor = regressor

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        columns, target = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        # All rows are read: a sample of them would need a seed, and the columns are few.
        self.quantiles_ = QuantileTransformer(
            n_quantiles=min(_MOST_QUANTILES, len(columns)), output_distribution="normal", subsample=None
        ).fit(columns)
        self.regressor_: Any = clone(self.regressor).fit(self.quantiles_.transform(columns), target, sample_weight)
        return self

    def predict(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        result: Array = self.regressor_.predict(self.quantiles_.transform(validate_data(self, X, dtype=np.float64, reset=False)))
        return result


class GroupedStacking(RegressorMixin, BaseEstimator):
    """A linear combination of regressors, fitted to what each predicts for rows that it did not see (stacked generalisation,
    Wolpert 1992); a group of rows is never split. Fitted: `stacking_`."""

    def __init__(self, regressors: list[tuple[str, Any]], folds: int = 5) -> None:
        self.regressors = regressors
        self.folds = folds

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None) -> Self:
        columns, target = validate_data(self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        self.stacking_ = StackingRegressor(self.regressors, LinearRegression(positive=True), cv=self._splits(columns, groups))
        self.stacking_.fit(columns, target, sample_weight=sample_weight)
        # The places of the folds are of no use afterwards.
        self.stacking_.cv = self.folds
        return self

    def predict(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        columns = validate_data(self, X, dtype=np.float64, reset=False)
        level_0 = [predictions(each, columns) for each in self.stacking_.estimators_]
        result: Array = self.stacking_.final_estimator_.predict(np.column_stack(level_0))
        return result

    def _splits(self, X: Array, groups: ArrayLike | None) -> Any:
        of = np.arange(len(X)) if groups is None else np.asarray(groups)
        folds = min(self.folds, len(np.unique(of)))
        # Rows of one group only cannot be kept together and told apart too.
        return list((GroupKFold(folds) if folds > 1 else KFold(min(self.folds, len(X)))).split(X, groups=of))


def _forest(seed: int, n_jobs: int) -> Any:
    """A random forest (Breiman 2001). Small leaves of single judgements would learn one annotator's mood."""
    return RandomForestRegressor(200, min_samples_leaf=5, max_features=1 / 3, random_state=seed, n_jobs=n_jobs)


def _boosting(seed: int, n_jobs: int = 1) -> Any:
    """Gradient boosting of small trees (Friedman 2001)."""
    return GradientBoostingRegressor(n_estimators=100, learning_rate=0.05, max_depth=2, subsample=0.7, random_state=seed)


def _xgboost(seed: int, n_jobs: int) -> Any:
    """Gradient boosting as XGBoost does it (Chen and Guestrin 2016)."""
    from xgboost import XGBRegressor

    return XGBRegressor(
        n_estimators=150, learning_rate=0.05, max_depth=3, subsample=0.7, reg_lambda=5.0, random_state=seed, n_jobs=n_jobs
    )


def _several(seed: int, n_jobs: int) -> list[tuple[str, Any]]:
    return [
        ("huber", OnNormalQuantiles(HuberRegressor(alpha=1.0, max_iter=1_000))),
        ("forest", _forest(seed, n_jobs)),
        ("boosting", _boosting(seed)),
    ]


LEARNERS: Final[dict[str, Callable[[int, int], Any]]] = {
    "ridge": lambda seed, n_jobs: GroupedRidge(),
    "linear": lambda seed, n_jobs: OnNormalQuantiles(LinearRegression()),
    "huber": lambda seed, n_jobs: OnNormalQuantiles(HuberRegressor(alpha=1.0, max_iter=1_000)),
    "forest": _forest,
    "boosting": _boosting,
    "xgboost": _xgboost,
    "voting": lambda seed, n_jobs: VotingRegressor(_several(seed, n_jobs)),
    "stacking": lambda seed, n_jobs: GroupedStacking(_several(seed, n_jobs)),
    "ordinal": lambda seed, n_jobs: OrdinalRegressor(),
}


def make_learner(name: str, *, seed: int, n_jobs: int = 1) -> Any:
    """An unfitted learner. RegressorError for an unknown name."""
    if name not in LEARNERS:
        raise RegressorError(f"There is no learner {name!r}: choose among {', '.join(LEARNERS)}.")
    return LEARNERS[name](seed, n_jobs)


def variance_of(learner: Any, X: Array) -> Array | None:
    """The variance, float64 [n], of what the trees of a forest say, of what the parts of a vote say, or of the scores that an
    ordinal model expects; None for any other learner."""
    if isinstance(learner, OrdinalRegressor):
        return learner.variance(X)
    if isinstance(learner, RandomForestRegressor | VotingRegressor):
        parts = learner.estimators_
        within = [found for part in parts if (found := variance_of(part, X)) is not None]
        between: Array = np.var([part.predict(X) for part in parts], axis=0)
        return between + np.sum(within, axis=0) / len(parts) if within else between
    return None


def predictions(learner: Any, X: Array) -> Array:
    """What `learner.predict` says, float64 [n], to the last bit; sooner where there are few rows.

    Attacks ask about a handful of texts at a time, and scikit-learn takes ten milliseconds to walk round a forest's trees,
    whatever they are asked: here they are asked one after the other, rows checked once.
    """
    if isinstance(learner, RandomForestRegressor):
        columns = validate_data(learner, X, dtype=np.float32, order="C", reset=False)
        total: Array = np.zeros(len(columns))
        for tree in learner.estimators_:
            total += tree.tree_.predict(columns)[:, 0]
        return total / len(learner.estimators_)
    if isinstance(learner, VotingRegressor):
        mean: Array = np.average(np.column_stack([predictions(each, X) for each in learner.estimators_]), axis=1)
        return mean
    result: Array = learner.predict(X)
    return result


def parts_of(learner: Any) -> Iterator[Any]:
    """A fitted learner and, at any depth, the estimators that it consists of."""
    yield learner
    inner = [getattr(learner, name, None) for name in ("estimators_", "regressor_", "stacking_", "final_estimator_")]
    for part in inner:
        for each in np.ravel(np.array([part], dtype=object)) if part is not None else ():
            yield from parts_of(each)
