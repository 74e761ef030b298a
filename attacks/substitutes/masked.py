"""Words that a masked language model would put in a word's place, or beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, Literal, Protocol, get_args

from attacks.errors import AttackError
from attacks.substitutes.casing import agree_case
from attacks.substitutes.masked_model import Blank, MaskedModel, Prediction
from attacks.substitutes.source import Place, plain, word_at
from attacks.substitutes.words import Filter, FunctionWords, NoAntonyms
from scoring.texts.function_words import FUNCTION_WORDS

Way = Literal["masked", "seen", "before", "after"]
_WAYS: Final[dict[Way, str]] = {
    "masked": "the word masked (Garg and Ramakrishnan 2020)",
    "seen": "the word left in sight (Li et al. 2020)",
    "before": "a mask put before the word (Garg and Ramakrishnan 2020)",
    "after": "a mask put after the word (Garg and Ramakrishnan 2020)",
}


class Predictor(Protocol):
    """See `attacks.substitutes.masked_model.MaskedModel`."""

    def predictions(self, blanks: Sequence[Blank], count: int) -> list[list[Prediction]]: ...

    def describe(self) -> dict[str, Any]: ...


class MaskedWords:
    """Whole words among the ``count`` likeliest tokens at a place, each with a probability of at least ``least`` (0–1).

    ``way``: a word is replaced, with the model seeing it ("seen") or not ("masked"), or one is put in "before" or "after" it.
    Parts of words are left out and never put together, and no permutations of them are tried; a word that the model reads as
    several tokens has no substitutes when "seen". Function words stay and none is put in, which also keeps negations out. A
    replacement passes every filter.
    """

    def __init__(
        self,
        model: Predictor,
        way: Way = "masked",
        count: int = 50,
        least: float = 0.0,
        filters: Sequence[Filter] = (FunctionWords(), NoAntonyms()),
    ) -> None:
        if way not in get_args(Way):
            raise AttackError(f"a masked language model can be asked {', '.join(get_args(Way))}, not {way!r}")
        if count < 1:
            raise AttackError(f"at least one token must be looked at, not {count}")
        if not 0 <= least < 1:
            raise AttackError(f"the lowest probability must be between 0 and 1, not {least}")
        self.model = model
        self.way = way
        self.count = count
        self.least = least
        self.filters = filters

    def answer(self, questions: Sequence[Place]) -> list[list[str]]:
        """For each place the words that may stand there, the likeliest first, in the case of the word that they replace."""
        asked = [place for place in questions if not self._stays(place)]
        predicted = iter(self.model.predictions([self._blank(place) for place in asked], self.count))
        return [[] if self._stays(place) else self._fitting(place, next(predicted)) for place in questions]

    def describe(self) -> dict[str, Any]:
        return {
            "masked_lm": self.model.describe(),
            "way": _WAYS[self.way],
            "count": self.count,
            "least": self.least,
        } | {each.name: each.says for each in self.filters}

    @property
    def _replaces(self) -> bool:
        return self.way in ("masked", "seen")

    def _stays(self, place: Place) -> bool:
        return self._replaces and plain(word_at(place)) in FUNCTION_WORDS

    def _blank(self, place: Place) -> Blank:
        text, index = place
        start, end = text.spans[index]
        if self._replaces:
            return Blank(text.text, start, end, masked=self.way == "masked")
        at = start if self.way == "before" else end
        return Blank(text.text, at, at)

    def _fitting(self, place: Place, predictions: Sequence[Prediction]) -> list[str]:
        likely = [found.word for found in predictions if math.exp(found.score) >= self.least]
        if not self._replaces:
            return [word for word in likely if plain(word) not in FUNCTION_WORDS]
        word = word_at(place)
        fitting = [agree_case(word, other) for other in likely if self._may_replace(plain(word), plain(other))]
        return list(dict.fromkeys(fitting))

    def _may_replace(self, word: str, other: str) -> bool:
        return other != word and all(keeps(word, other) for keeps in self.filters)


@cache
def model_at(path: str | None) -> MaskedModel:
    """The masked language model of a folder or hub name, one instance in a process. Raises `AttackError` where none is given."""
    if path is None:
        raise AttackError("no masked language model was given; give the folder of one, or its name on the model hub")
    return MaskedModel(path)
