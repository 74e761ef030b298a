"""TextFooler: words replaced by neighbours of like meaning (Jin et al. 2020, "Is BERT Really Robust? A Strong Baseline for
Natural Language Attack on Text Classification and Entailment", AAAI, algorithm 1).

Differences from the paper, all of them resources: neighbours come from GloVe instead of counter-fitted vectors unless a file
of those is given, so opposites are filtered by WordNet where it is installed; parts of speech from a dictionary instead of a
tagger; sentence similarity from the embedded encoder instead of USE.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from attacks.attackers.importance import by_deletion
from attacks.attackers.steps import First, choice_of
from attacks.attackers.words import WordAttacker, nearest_words
from attacks.constraints.similarity import EncoderSimilarityAtLeast
from attacks.engine.asks import Goal, Search
from attacks.resources import DICTIONARY, VECTORS
from attacks.substitutes.source import Substitutes
from attacks.text import Text


class TextFooler(WordAttacker):
    """Greedy word replacement in order of importance.

    For each content word, most important first: the ``count`` nearest words with cosine of at least ``nearness`` that can
    be the same part of speech and are no antonyms; of those whose text keeps an encoder similarity of at least
    ``similarity`` to the original, if any changes the victim's answer take the most similar and stop, else keep the one
    nearest to the goal if it is nearer than the text so far.

    ``first="victim"`` asks the victim about all candidates of a word and the constraints only about those that could be
    chosen: quick where the encoder is slower than the victim; 1 + words + (candidates of the words tried) + 1 queries.
    ``first="constraints"`` is the paper's order: 1 + words + (admitted candidates of the words tried) + 1 queries. Both
    choose the same text.
    """

    name = "textfooler"
    variant = "algorithm 1, neighbours by vectors"
    source = "Jin et al. 2020"
    needs = (VECTORS, DICTIONARY)
    keeps_its_path = True

    def __init__(
        self,
        count: int = 50,
        nearness: float = 0.7,
        similarity: float = 0.8,
        first: First = "victim",
        keep: str = "",
        *,
        substitutes: Substitutes | None = None,
        constraints: tuple[Any, ...] | None = None,
    ) -> None:
        """``substitutes`` and ``constraints`` stand in for the neighbours by vectors and for the encoder similarity."""
        super().__init__(keep, substitutes)
        self.count = count
        self.nearness = nearness
        self.similarity = similarity
        self.first = first
        self._choose = choice_of(first, alike=True)
        self.constraints = (EncoderSimilarityAtLeast(similarity),) if constraints is None else constraints

    def own_substitutes(self) -> Substitutes:
        return nearest_words(self.resources, self.count, self.nearness)

    def most_queries(self, text: Text) -> int:
        return 1 + len(text.words) + sum(self.numbers_of_options(text)) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        current, score = text, goal.start
        for i in (yield from by_deletion(text, goal)):
            (words,) = yield from self.options_at(current, [i])
            step = yield from self._choose([current.replace(i, word) for word in words], goal, score)
            if step is not None:
                current, score, reached = step
                if reached:
                    return current
        return None
