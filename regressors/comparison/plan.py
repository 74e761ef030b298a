"""The cells of a comparison: each one model on one split into folds, or one model trained for the test set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from sklearn.base import clone

from regressors.by_variant import texts_by_variant
from regressors.comparison.cells import Array, Cell, Compute
from regressors.comparison.represented import Represented
from regressors.comparison.settings import Settings
from regressors.evaluation import predict_out_of_fold, seeds_of
from regressors.features import group_of
from regressors.models import FeatureModel, TextRegressor, make_model
from regressors.rows import LabelledTexts
from regressors.transfer import predict_from_variant

ALL = "all"


class Plan:
    """What `settings` ask for on `data`, and on `test` if there is one. A repetition has one seed, for its folds and for what
    models draw themselves: models of one repetition meet the same folds."""

    def __init__(self, settings: Settings, data: LabelledTexts, test: LabelledTexts | None) -> None:
        self.settings = settings
        self.data = data
        self.test = test
        self.seeds = seeds_of(settings.seed, settings.repeats)
        self.variants = [variant for variant, _ in texts_by_variant(data)]
        # Made once: a group of a folder reads all of it to say what it is.
        self._groups = {spec: group_of(spec) for spec in settings.groups}
        self._texts = Represented(data.texts)
        self._test_texts = Represented(test.texts if test else [])

    def models(self, name: str) -> list[Cell]:
        """Out-of-fold predictions of a model, a cell for each repetition."""
        return [self._unseen(f"model {name}", repeat, self._model(name, seed)) for repeat, seed in enumerate(self.seeds)]

    def tests(self, name: str) -> list[Cell]:
        """Predictions for the test set by a model of all other data."""
        cells = []
        for repeat, seed in enumerate(self.seeds):
            model = self._model(name, seed)
            cells.append(self._cell(f"test {name}", repeat, model, partial(self._predict_test, model), self.test))
        return cells

    def ablation(self, groups: tuple[str, ...]) -> list[Cell]:
        """Out-of-fold predictions of the learner on some feature groups."""
        name = f"{self.settings.learner} of {' '.join(groups)}"
        return [self._unseen(name, repeat, self._learner(groups, seed)) for repeat, seed in enumerate(self.seeds)]

    def transfer(self, variant: str) -> list[Cell]:
        """Out-of-fold predictions by a model of one variant's texts."""
        cells = []
        for repeat, seed in enumerate(self.seeds):
            model = self._model(self.settings.transfer, seed)
            compute = partial(self._predict_from, model, variant, seed)
            # Too few texts of the variant may be there to learn from.
            cells.append(replace(self._cell(f"{self.settings.transfer} from {variant}", repeat, model, compute), may_lack=True))
        return cells

    def group_sets(self) -> dict[str, tuple[str, ...]]:
        """The feature groups of each line of the ablation; with one group there is one line."""
        groups = self.settings.groups
        sets = {ALL: groups}
        if len(groups) > 1:
            sets |= {f"without {left_out}": tuple(spec for spec in groups if spec != left_out) for left_out in groups}
            sets |= {f"only {spec}": (spec,) for spec in groups}
        return sets

    def cells(self) -> Iterator[Cell]:
        """All of them, those that tell most first."""
        for name in self.settings.compared:
            yield from self.models(name)
            if self.test is not None:
                yield from self.tests(name)
        for groups in dict.fromkeys(self.group_sets().values()):
            yield from self.ablation(groups)
        for variant in self.variants:
            yield from self.transfer(variant)

    def _unseen(self, name: str, repeat: int, model: TextRegressor) -> Cell:
        return self._cell(name, repeat, model, partial(self._predict_unseen, model, self.seeds[repeat]))

    def _cell(
        self, name: str, repeat: int, model: TextRegressor, compute: Compute, predicted: LabelledTexts | None = None
    ) -> Cell:
        """`predicted` are the data's texts unless given."""
        of = {"parameters": model.parameters(), "features": [group.described() for group in model.groups]}
        return Cell(f"{name}, repetition {repeat + 1}", of, len((predicted or self.data).texts), compute)

    def _predict_unseen(self, model: TextRegressor, seed: int) -> Array:
        return predict_out_of_fold(model, self._texts.by(model), self.data, seed=seed, folds=self.settings.folds)

    def _predict_test(self, model: TextRegressor) -> Array:
        fitted = clone(model).fit_represented(self._texts.by(model), self.data.targets)
        return fitted.predict_represented(self._test_texts.by(model))

    def _predict_from(self, model: TextRegressor, variant: str, seed: int) -> Array | None:
        features = self._texts.by(model)
        return predict_from_variant(model, features, self.data, variant, seed=seed, folds=self.settings.folds)

    def _model(self, name: str, seed: int) -> TextRegressor:
        return make_model(name, seed=seed, n_jobs=self.settings.n_jobs, scale=self.data.scale)

    def _learner(self, groups: tuple[str, ...], seed: int) -> TextRegressor:
        read = tuple(self._groups[spec] for spec in groups)
        return FeatureModel(read, self.settings.learner, seed=seed, n_jobs=self.settings.n_jobs, scale=self.data.scale)
