"""What a page shows of a model's card: figures with their intervals, tables, and facts, by the kind of the model."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from annotation.errors import DomainError
from annotation.models import LearnedModel
from annotation.protocols.analysis import Figure, Table
from annotation.protocols.plots import side_by_side
from scoring.result import Estimate
from scoring.wording import counted, digits, shown_cell, shown_circumstances, shown_value

Fact = tuple[str, object]
Scale = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Code:
    """A fact that is shown in a typewriter's letters."""

    code: str


@dataclass(frozen=True, slots=True)
class Fail:
    """A text, by the beginning of its SHA-256, whose prediction is far off."""

    text: str
    judged: float
    predicted: float
    judgements: int


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
    first: ClassVar[str]
    called: ClassVar[str]
    """The figure that the model is known by, a key of the evaluation, and what people call it."""

    def __init__(self, card: Mapping[str, Any]) -> None:
        self.card = card
        self.evaluation: Mapping[str, Any] = card["evaluation"]

    @property
    def figures(self) -> list[Figure]:
        return [
            Figure(key, title, Estimate.from_dict(self.evaluation[key]), detail=detail, scale=scale)
            for key, title, detail, scale in self.measures
            # Cards of older versions lack some.
            if key in self.evaluation
        ]

    @property
    def headline(self) -> tuple[str, Estimate, Estimate | None]:
        """What the model is known by in a list, its name before it, and the share of the ceiling that it reaches, where there is
        one."""
        share = self.evaluation.get("share_of_ceiling")
        return self.called, Estimate.from_dict(self.evaluation[self.first]), Estimate.from_dict(share) if share else None

    @property
    def fails(self) -> list[Fail]:
        """Where it is furthest off, the worst first."""
        return []

    @property
    def data_sha256(self) -> str:
        """What the same data have in common."""
        return str(self.card["data"]["sha256"])

    @property
    def tables(self) -> list[Table]:
        return []

    @property
    def facts(self) -> list[Fact]:
        how = self.evaluation["protocol"]
        times = f"{counted(how['folds'], 'fold')}, {counted(how['repeats'], 'time')}"
        return [
            *self._learned(),
            ("evaluated by", f"{how['kind']}, {times}; variants of one original are never split{_between(how)}"),
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


def _between(how: Mapping[str, Any]) -> str:
    """How much r differs from one repetition to the next, where that is known."""
    spread = how.get("r_spread")
    if not spread:
        return ""
    least, greatest = (digits(spread[end], ".3f") for end in ("least", "greatest"))
    return f"; r is {least} to {greatest} in single repetitions"


class ShownSuspicion(Shown):
    first = called = "r"
    measures = (
        ("r", "Correlation with the judgements", "of predictions for texts not trained on", (-1.0, 1.0)),
        ("spearman", "Rank correlation (Spearman)", "the same by order alone", (-1.0, 1.0)),
        ("noise_ceiling", "Noise ceiling", "the best r that any model can reach on these judgements", (0.0, 1.0)),
        ("share_of_ceiling", "Share of the ceiling", "r divided by the noise ceiling", None),
        ("rmse", "Error (RMSE)", "in points of the scale", None),
        ("rmse_constant", "Error of a constant", "of always predicting the mean", None),
        ("rmse_gain", "Gain over a constant", "by how much the error is smaller; above 0 is better", None),
    )

    @property
    def tables(self) -> list[Table]:
        found = [self._distribution(), self._by_variant()]
        return [table for table in found if table.rows]

    @property
    def fails(self) -> list[Fail]:
        return [
            Fail(str(each["text"]), float(each["judged"]), float(each["predicted"]), int(each["judgements"]))
            for each in self.card.get("fails", ())
        ]

    def _distribution(self) -> Table:
        parts = [
            (f"{digits(part['low'], '.1f')} to {digits(part['high'], '.1f')}", part) for part in self.card.get("distribution", ())
        ]
        counts = [(said, [int(part["judged"]), int(part["predicted"])]) for said, part in parts]
        labels = [None if part["labels"] is None else float(part["labels"]) for _, part in parts]
        rows = [[said, *texts, mean] for (said, texts), mean in zip(counts, labels, strict=True)]
        plot = side_by_side(counts, ["judged", "predicted"], row="score", value="texts")
        note = (
            "Predictions for texts not trained on. They lie closer together than judgements do; where they can be believed, "
            "the texts predicted in a part were judged there on average."
        )
        columns = ["score", "texts judged there", "texts predicted there", "these were judged on average"]
        return Table("distribution", "How predictions lie", columns, rows, note, plot=plot)

    def _by_variant(self) -> Table:
        rows = [
            [
                str(each["variant"]), int(each["n"]), float(each["mean_judged"]), float(each["mean_predicted"]),
                Estimate.from_dict(each["r"]), Estimate.from_dict(each["rmse"]),
            ]
            for each in self.evaluation.get("by_variant", ())
        ]  # fmt: skip
        columns = ["variant", "texts", "judged, mean", "predicted, mean", "r", "error (RMSE)"]
        return Table("by_variant", "By what made the text", columns, rows)

    def _interval(self) -> str:
        found = self.card["calibration"]
        if "reason" in found:
            return f"none: {found['reason']['message']}"
        below, above = (digits(abs(found[end]), ".2f") for end in ("lower_residual", "upper_residual"))
        return f"{100 * found['level']:.0f} %: from {below} below the score to {above} above it; {found['method']}"

    def _learned(self) -> Iterator[Fact]:
        data = self.card["data"]
        yield "model", self.card["model"]
        yield "learned from", " of ".join(counted(data[f"{what}s"], what) for what in ("judgement", "text", "original"))
        yield "predicts", f"the {data['label']} of a text's judgements, from {data['scale'][0]:g} to {data['scale'][1]:g}"
        if "calibration" in self.card:
            yield "interval", self._interval()

    def _features(self) -> Iterator[Fact]:
        for part in self.card["features"]:
            yield "features", " ".join(str(part[key]) for key in ("group", "name", "version") if key in part)


class ShownMeaning(Shown):
    first, called = "auc", "AUC"
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
            [
                f"{digits(part['low'], '.1f')} to {digits(part['high'], '.1f')}",
                int(part["n"]), float(part["predicted"]), float(part["preserved"]),
            ]
            for part in bins
        ]  # fmt: skip
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


def listed(models: Iterable[LearnedModel]) -> list[tuple[LearnedModel, str, Estimate, Estimate | None]]:
    """Each with its headline."""
    return [(model, *shown(model).headline) for model in models]


def figures_beside(models: Sequence[LearnedModel]) -> Table:
    """The figures of models of one kind side by side."""
    found = [{figure.title: figure for figure in shown(model).figures} for model in models]
    titles = dict.fromkeys(title for figures in found for title in figures)
    rows = [[title, *(each.get(title) for each in found)] for title in titles]
    return Table("figures", "Figures", ["", *(model.name for model in models)], rows)


def facts_beside(models: Sequence[LearnedModel]) -> list[tuple[str, list[str]]]:
    """What each of them learned from and is: fact by fact, for every model; hashes by their beginning."""
    cards = [shown(model) for model in models]
    about: dict[str, list[str]] = {}
    for place, card in enumerate(cards):
        for fact, said in card.facts:
            row = about.setdefault(fact, [""] * len(cards))
            row[place] = ", ".join(filter(None, [row[place], said.code[:12] if isinstance(said, Code) else str(said)]))
    return list(about.items())


def same_data(models: Sequence[LearnedModel]) -> bool:
    """Whether all of them learned from the same texts and judgements."""
    return len({shown(model).data_sha256 for model in models}) == 1


def check_card(kind: str, card: Mapping[str, Any]) -> None:
    """Raise DomainError where a page could not show the card."""
    try:
        found = SHOWN[kind](card)
        said = [(shown_value(each.estimate), shown_circumstances(each.estimate), each.bar, each.method) for each in found.figures]
        cells = [shown_cell(cell, style) for table in found.tables for row in table.cells for cell, style in row]
        json.dumps([said, cells, found.facts, found.fails, found.data_sha256], default=str)
        _ = found.headline
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as wrong:
        raise DomainError(f"The model's card lacks a part ({type(wrong).__name__}: {wrong}), so it cannot be shown.") from wrong
