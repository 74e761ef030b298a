"""BAE: words replaced, or put in, where a masked language model sees a mask (Garg and Ramakrishnan 2020, "BAE: BERT-based
Adversarial Examples for Text Classification", EMNLP, algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import cached_property
from typing import Any, Final, Literal

import numpy as np

from attacks.attackers.importance import by_deletion
from attacks.attackers.steps import First, choice_of
from attacks.attackers.words import WordAttacker
from attacks.constraints.similarity import EncoderSimilarityAtLeast
from attacks.engine.asks import Consult, Goal, Search
from attacks.errors import AttackError
from attacks.resources import DICTIONARY, MASKED_LM
from attacks.substitutes.masked import MaskedWords, Predictor, model_at
from attacks.substitutes.words import FunctionWords, NoAntonyms, PartOfSpeech
from attacks.text import Text

Mode = Literal["R", "I", "R/I", "R+I"]
Making = Generator[Consult, Any, list[Text]]

_MODES: Final[dict[str, str]] = {
    "R": "replaces",
    "I": "inserts",
    "R/I": "replaces or inserts",
    "R+I": "replaces, then inserts",
}


class BAE(WordAttacker):
    """Greedy replacement and insertion in order of importance by deletion.

    ``mode``: for each word, most important first, it is replaced ("R"), another is put in before or after it ("I"), either of
    them ("R/I"), or one and then the other ("R+I"). The words come from the ``count`` likeliest tokens at a mask, in the text so
    far; those that replace can be the same part of speech. Of the texts that keep an encoder similarity of at least
    ``similarity`` to the original, the most similar that changes the victim's answer ends the search; without one, that which
    comes nearest to the goal is kept, if it is nearer than the text so far. ``first`` says whether constraints or victim are
    asked first: both choose the same text.

    Asks 1 + words + (candidates of the words tried, with "constraints" only the admitted ones) + 1 queries. What differs from the
    paper: the embedded encoder instead of USE over the whole text instead of a window, parts of speech from a dictionary instead
    of a tagger, function words stay and none is put in, and antonyms are filtered by WordNet.
    """

    name = "bae"
    variant = "algorithm 1, whole words only"
    source = "Garg and Ramakrishnan 2020"
    needs = (MASKED_LM, DICTIONARY)
    keeps_its_path = True

    def __init__(
        self,
        mode: Mode = "R",
        count: int = 50,
        similarity: float = 0.8,
        first: First = "victim",
        keep: str = "",
        *,
        predictor: Predictor | None = None,
        constraints: tuple[Any, ...] | None = None,
    ) -> None:
        """``predictor`` and ``constraints`` stand in for the masked language model and for the encoder similarity."""
        super().__init__(keep, None)
        if mode not in _MODES:
            raise AttackError(f"{mode!r} is no mode of BAE; there are {', '.join(_MODES)}")
        self.mode = mode
        self.count = count
        self.similarity = similarity
        self.first = first
        self.constraints = (EncoderSimilarityAtLeast(similarity),) if constraints is None else constraints
        self._choose = choice_of(first, alike=True)
        self._predictor = predictor

    @cached_property
    def model(self) -> Predictor:
        return model_at(self.resources.masked_lm) if self._predictor is None else self._predictor

    def own_substitutes(self) -> MaskedWords:
        filters = (FunctionWords(), PartOfSpeech(), NoAntonyms())
        return MaskedWords(self.model, "masked", self.count, filters=filters)

    @cached_property
    def before(self) -> MaskedWords:
        return MaskedWords(self.model, "before", self.count)

    @cached_property
    def after(self) -> MaskedWords:
        return MaskedWords(self.model, "after", self.count)

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"mode": _MODES[self.mode]}

    def most_queries(self, text: Text) -> int:
        words = len(text.spans)
        return 1 + words + words * self.count * (self.mode != "I") + words * 2 * self.count * (self.mode != "R") + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        current, score = text, goal.start
        for i in (yield from by_deletion(text, goal)):
            for candidates_of in self._turns():
                step = yield from self._choose((yield from candidates_of(current, i)), goal, score)
                if step is not None:
                    current, score, reached = step
                    if reached:
                        return current
        return None

    def _turns(self) -> Sequence[Callable[[Text, int], Making]]:
        """What is tried at a word, one after the other."""
        turns = {"R": [self._replaced], "I": [self._inserted], "R/I": [self._either], "R+I": [self._replaced, self._inserted]}
        return turns[self.mode]

    def _replaced(self, text: Text, index: int) -> Making:
        (words,) = yield from self.options_at(text, [index])
        return [text.replace(index, word) for word in words]

    def _inserted(self, text: Text, index: int) -> Making:
        """Texts with a word put in beside a word; it belongs to that word from then on, so that the others keep their index."""
        (before,) = yield Consult(self.before, [(text, index)])
        (after,) = yield Consult(self.after, [(text, index)])
        word = text.word(index)
        return [text.replace(index, pair) for pair in (*(f"{new} {word}" for new in before), *(f"{word} {new}" for new in after))]

    def _either(self, text: Text, index: int) -> Making:
        return [*(yield from self._replaced(text, index)), *(yield from self._inserted(text, index))]
