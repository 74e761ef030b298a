"""Why a text got its score: which words raise or lower it, and which of its numbers.

A word's effect is the score less the score of the text without that word; a feature's is the score less the score with that
number as it is in the median training text. Both ask the model alone, so they hold for every kind of it; effects of words or
features that act together do not add up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from regressors.errors import RegressorError
from regressors.models import TextNum, TextRegressor
from regressors.models.base import Array
from regressors.rows import check_text
from regressors.trained import TrainedModel

MOST_WORDS: Final = 200
_WORD = re.compile(r"\w(?:\S*\w)?")
"""From the first letter or digit to the last before white space: what a reader takes for a word, invisible characters inside it
included, without the marks around it."""
_PLACE_OF_A_VECTOR = re.compile(r".*\[\d+\]")

Medians = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class WordEffect:
    """The word text[start:end] and by how much it raises the score, in the scale's unit."""

    word: str
    start: int
    end: int
    effect: float


@dataclass(frozen=True, slots=True)
class FeatureEffect:
    """A number of the text, what it is in the median training text, and by how much the difference raises the score. `group` is
    as `regressors.features.group_of` takes it."""

    group: str
    feature: str
    value: float
    median: float
    effect: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Words and features with the largest effects first, in either direction. `words` holds MOST_WORDS at most. A score that is
    `at_end_of_scale` was cut off there, and effects that do not bring it back from there are 0."""

    score: float
    at_end_of_scale: bool
    words: list[WordEffect]
    words_in_text: int
    features: list[FeatureEffect]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def explain(trained: TrainedModel, text: str) -> Explanation:
    """RegressorError for a text that has no score."""
    if problem := check_text(text):
        raise RegressorError(f"There is nothing to explain: {problem}.")
    spans = [match.span() for match in _WORD.finditer(text)]
    said = spans[:MOST_WORDS]
    score, *without = trained.predict([text, *(_without(text, *span) for span in said)]).tolist()
    words = [WordEffect(text[start:end], start, end, score - rest) for (start, end), rest in zip(said, without, strict=True)]
    return Explanation(
        score=score,
        at_end_of_scale=score in trained.model.scale,
        words=sorted(words, key=lambda word: -abs(word.effect)),
        words_in_text=len(spans),
        features=sorted(_features(trained.model, text, trained.card["medians"]), key=lambda feature: -abs(feature.effect)),
    )


def medians(model: TextRegressor, features: Array) -> Medians:
    """Of every named number, by group, from what `model.represent` gave for the training texts. Places of an embedding are left
    out: none of them means anything alone."""
    found: Medians = {}
    for (group, name), places in _columns(model).items():
        found.setdefault(group, {})[name] = float(np.median(features[:, places[0]]))
    return found


def _features(model: TextRegressor, text: str, usual: Mapping[str, Mapping[str, float]]) -> list[FeatureEffect]:
    known = [(key, places) for key, places in _columns(model).items() if key[1] in usual.get(key[0], {})]
    if not known:
        return []
    row = model.represent([text])[0]
    changed = np.tile(row, (len(known) + 1, 1))
    for number, ((group, name), places) in enumerate(known, start=1):
        changed[number, places] = usual[group][name]
    score, *without = model.predict_represented(changed).tolist()
    return [
        FeatureEffect(group, name, float(row[places[0]]), usual[group][name], score - rest)
        for ((group, name), places), rest in zip(known, without, strict=True)
    ]


def _columns(model: TextRegressor) -> dict[tuple[str, str], list[int]]:
    """Where the numbers with a name of their own stand in what the model represents: (group, name) to columns."""
    found: dict[tuple[str, str], list[int]] = {}
    for group, name, place in _places(model):
        if not _PLACE_OF_A_VECTOR.fullmatch(name):
            found.setdefault((group, name), []).append(place)
    return found


def _places(model: TextRegressor, start: int = 0) -> Iterator[tuple[str, str, int]]:
    if isinstance(model, TextNum):
        yield from _places(model.text, start)
        yield from _places(model.numeric, start + model.text.width)
        return
    named = [(group.spec, name) for group in model.groups for name in group.names]
    # What a model reads beside its groups, such as tokens, comes before their numbers.
    first = start + model.width - len(named)
    yield from ((group, name, first + place) for place, (group, name) in enumerate(named))


def _without(text: str, start: int, end: int) -> str:
    """The text without a word and the white space before it, or at the text's beginning the white space after it."""
    before, after = text[:start].rstrip(), text[end:]
    return f"{before}{after}" if before else after.lstrip()
