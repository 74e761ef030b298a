"""Searches that try sources of substitutes in turn: the next one where the first brings a word nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from attacks.attackers.importance import by_masking
from attacks.attackers.steps import Choice, First, choice_of
from attacks.attackers.words import WordAttacker, nearest_words, wordnet_synonyms
from attacks.engine.asks import Consult, Goal, Search
from attacks.resources import DICTIONARY, MASKED_LM, VECTORS, WORDNET
from attacks.substitutes.masked import MaskedWords, model_at
from attacks.substitutes.source import Substitutes
from attacks.text import Text


class MaskedShift(WordAttacker):
    """The word of a masked language model that shifts the victim's probability most, with near words to fall back on.

    For each word, most important first by how much nearer to the goal the text comes with ``mask`` in its place: of the whole
    words among the ``count`` likeliest tokens at a mask in the text so far the one that comes nearest to the goal is kept, if
    it is nearer than the text so far. Where none is, the same is tried with the ``count`` nearest words by vectors, with a cosine
    of at least ``nearness``. The first kept word that changes the victim's answer ends the search. ``first`` says whether
    constraints or victim are asked first: both come to the same text.

    Asks 1 + words + (substitutes of the words tried, those to fall back on only where they are needed; with "constraints" only
    the admitted ones) + 1 queries.
    """

    name = "masked-shift"
    variant = "masked language model, then neighbours by vectors"
    source = "after GloTa: He et al. 2024, Palöri at CheckThat! 2024 (CEUR-WS 3740, paper 43)"
    needs = (MASKED_LM, VECTORS, DICTIONARY)
    keeps_its_path = True

    def __init__(
        self,
        count: int = 50,
        nearness: float = 0.7,
        mask: str = "[UNK]",
        first: First = "constraints",
        keep: str = "",
        *,
        substitutes: Substitutes | None = None,
        fallback: Substitutes | None = None,
    ) -> None:
        """``substitutes`` and ``fallback`` stand in for the masked language model and for the vectors."""
        super().__init__(keep, substitutes)
        self.count = count
        self.nearness = nearness
        self.mask = mask
        self.first = first
        self._choose = choice_of(first, alike=False)
        self._fallback = fallback

    def own_substitutes(self) -> Substitutes:
        return MaskedWords(model_at(self.resources.masked_lm), "masked", self.count)

    @cached_property
    def fallback(self) -> Substitutes:
        return nearest_words(self.resources, self.count, self.nearness) if self._fallback is None else self._fallback

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"fallback": self.fallback.describe()}

    def most_queries(self, text: Text) -> int:
        words = len(text.spans)
        return 1 + words + 2 * self.count * words + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        stay = self.protected.indices(text)
        order = yield from by_masking(text, goal, self.mask)
        return (
            yield from in_turn(text, goal, [i for i in order if i not in stay], [self.substitutes, self.fallback], self._choose)
        )


class ImportantSynonyms(WordAttacker):
    """Synonyms by WordNet for one word after the other, most important first by how much nearer to the goal the text comes with
    ``mask`` in its place; the one that comes nearest to the goal is kept, if it is nearer than the text so far. ``first`` says
    whether constraints or victim are asked first: both come to the same text.

    Asks 1 + words + (synonyms of the words tried, with "constraints" only the admitted ones) + 1 queries.
    """

    name = "important-synonyms"
    variant = "importance by masking, synonyms by WordNet"
    source = "after the lexical replacement of Roadhouse et al. 2024, MMU NLP at CheckThat! 2024 (CEUR-WS 3740, paper 53)"
    needs = (WORDNET, DICTIONARY)

    def __init__(
        self, mask: str = "[UNK]", first: First = "constraints", keep: str = "", *, substitutes: Substitutes | None = None
    ) -> None:
        super().__init__(keep, substitutes)
        self.mask = mask
        self.first = first
        self._choose = choice_of(first, alike=False)

    def own_substitutes(self) -> Substitutes:
        return wordnet_synonyms()

    def most_queries(self, text: Text) -> int:
        return 1 + len(text.spans) + sum(self.numbers_of_options(text)) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        stay = self.protected.indices(text)
        order = [i for i in (yield from by_masking(text, goal, self.mask)) if i not in stay]
        return (yield from in_turn(text, goal, order, [self.substitutes], self._choose))


def in_turn(text: Text, goal: Goal, order: Sequence[int], sources: Sequence[Substitutes], choose: Choice) -> Search:
    """For each word in ``order`` keep the substitute that ``choose`` takes: of the first of the sources of which it takes any.
    Stops when the victim's answer changes."""
    current, score = text, goal.start
    for i in order:
        for source in sources:
            (words,) = yield Consult(source, [(current, i)])
            step = yield from choose([current.replace(i, word) for word in words], goal, score)
            if step is not None:
                current, score, reached = step
                if reached:
                    return current
                break
    return None
