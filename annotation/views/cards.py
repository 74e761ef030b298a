"""What a page shows of a model's card: figures with their intervals, tables, and facts, by the kind of the model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from annotation.models import LearnedModel
from annotation.protocols.analysis import Figure, Table
from scoring.result import Estimate
from scoring.wording import counted, digits

Fact = tuple[str, object]
Scale = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Code:
    """A fact that is shown in a typewriter's letters."""

    code: str


UNTRAINED = {
    "character_score": "BODEGA's character score",
    "character_score_as_seen": "character score of the texts as a reader sees them",
    "similarity": "the encoder's similarity",
    "similarity_as_seen": "similarity of the texts as a reader sees them",
    "word_edits": "how few whole words were changed",
}
"""Automatic scores in words that stand alone."""


class Shown(ABC):
    """A card as its page shows it."""

    measures: ClassVar[Sequence[tuple[str, str, str, Scale]]]
    """Key, title, meaning, the scale that the interval is drawn on."""

    def __init__(self, card: Mapping[str, Any]) -> None:
        self.card = card
        self.evaluation: Mapping[str, Any] = card["evaluation"]

    @property
    def figures(self) -> list[Figure]:
        return [
            Figure(key, title, Estimate.from_dict(self.evaluation[key]), detail=detail, scale=scale)
            for key, title, detail, scale in self.measures
        ]

    @property
    def tables(self) -> list[Table]:
        return []

    @property
    def facts(self) -> list[Fact]:
        how = self.evaluation["protocol"]
        times = f"{counted(how['folds'], 'fold')}, {counted(how['repeats'], 'time')}"
        return [
            *self._learned(),
            ("evaluated by", f"{how['kind']}, {times}; variants of one original are never split"),
            *self._features(),
            ("seed", str(self.card["seed"])),
            ("computed with", ", ".join(f"{name} {version}" for name, version in self.card["libraries"].items())),
            ("SHA-256 of the training data", Code(self.card["data"]["sha256"])),
        ]

    @abstractmethod
    def _learned(self) -> Iterator[Fact]:
        """What it is, from what it learned, and what it predicts."""

    @abstractmethod
    def _features(self) -> Iterator[Fact]:
        """What it sees of a text."""


class ShownSuspicion(Shown):
    measures = (
        ("r", "Correlation with the judgements", "of predictions for texts not trained on", (-1.0, 1.0)),
        ("noise_ceiling", "Noise ceiling", "the best r that any model can reach on these judgements", (0.0, 1.0)),
        ("share_of_ceiling", "Share of the ceiling", "r divided by the noise ceiling", None),
        ("rmse", "Error (RMSE)", "in points of the scale", None),
        ("rmse_constant", "Error of a constant", "of always predicting the mean", None),
    )

    def _learned(self) -> Iterator[Fact]:
        data = self.card["data"]
        yield "model", self.card["model"]
        yield "learned from", " of ".join(counted(data[f"{what}s"], what) for what in ("judgement", "text", "original"))
        yield "predicts", f"the {data['label']} of a text's judgements, from {data['scale'][0]:g} to {data['scale'][1]:g}"

    def _features(self) -> Iterator[Fact]:
        for part in self.card["features"]:
            yield "features", " ".join(str(part[key]) for key in ("group", "name", "version") if key in part)


class ShownMeaning(Shown):
    measures = (
        ("auc", "AUC", "how often a kept pair scores higher than another; 0.5 is chance", (0.0, 1.0)),
        ("auc_word_level", "AUC, words changed", "among pairs in which a whole word was changed", (0.0, 1.0)),
        ("auc_character_level", "AUC, letters only", "among all other pairs: letters, look-alikes, spaces, marks", (0.0, 1.0)),
        ("brier", "Brier score", "mean squared error of the probabilities; the lower, the better", (0.0, 1.0)),
    )

    @property
    def tables(self) -> list[Table]:
        return [self._beside(), self._reliability()]

    def _beside(self) -> Table:
        """The learned score among those that nobody trained."""
        automatic = self.evaluation["automatic"].items()
        scores = [("this model", self.evaluation), *((UNTRAINED.get(key, key), found) for key, found in automatic)]
        keys = ("auc", "auc_word_level", "auc_character_level")
        rows = [[name, *(Estimate.from_dict(found[key]) for key in keys)] for name, found in scores]
        columns = ["AUC of", "all pairs", "words changed", "letters only"]
        return Table("automatic", "Beside scores that nobody trained", columns, rows)

    def _reliability(self) -> Table:
        bins = [part for part in self.evaluation["reliability"] if part["n"]]
        rows = [
            [f"{digits(part['low'], '.1f')} to {digits(part['high'], '.1f')}", part["n"], part["predicted"], part["preserved"]]
            for part in bins
        ]
        columns = ["predicted", "pairs", "mean prediction", "kept"]
        note = "Of pairs whose originals the model had not seen. Calibrated predictions are on average what people then say."
        styles = dict.fromkeys(columns[2:], "share")
        return Table("reliability", "Can the probabilities be believed?", columns, rows, note, styles=styles)

    def _learned(self) -> Iterator[Fact]:
        data = self.card["data"]
        originals = counted(data["originals"], "original")
        yield "learned from", f"{counted(data['pairs'], 'decided pair')} of {originals}, {data['preserved']:,} of them kept"
        yield "answers that count as kept", ", ".join(self.card["preserved"])
        yield "predicts", "the probability that people say the meaning is kept, from 0 to 1"

    def _features(self) -> Iterator[Fact]:
        features, calibration = self.card["features"], self.card["calibration"]
        slope, intercept = (digits(calibration[part], ".3f") for part in ("slope", "intercept"))
        yield "features", f"{len(features['names'])} of edits, words and likeness, version {features['version']}"
        yield "similarity by", f"{features['encoder']['name']} {features['encoder']['version']}"
        yield "calibrated by", f"a sigmoid on scores of originals set apart: slope {slope}, intercept {intercept}"


SHOWN: Mapping[str, type[Shown]] = {
    LearnedModel.Kind.SUSPICION: ShownSuspicion,
    LearnedModel.Kind.MEANING: ShownMeaning,
}


def shown(model: LearnedModel) -> Shown:
    """The model's card."""
    return SHOWN[model.kind](model.card)
