"""TextFooler: words replaced by neighbours of like meaning (Jin et al. 2020, "Is BERT Really Robust? A Strong Baseline for
Natural Language Attack on Text Classification and Entailment", AAAI, algorithm 1).

Differences from the paper, all of them resources: neighbours come from GloVe instead of counter-fitted vectors, so
opposites are filtered by WordNet where it is installed; parts of speech from a dictionary instead of a tagger; sentence
similarity from the embedded encoder instead of USE.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import cached_property
from typing import Any, Literal

import numpy as np

from attacks.attackers.base import NamedAttacker
from attacks.attackers.importance import by_deletion
from attacks.constraints.similarity import EncoderSimilarityAtLeast
from attacks.engine.asks import Admit, Goal, Query, Search
from attacks.resources import DICTIONARY, VECTORS
from attacks.substitutes import neighbours
from attacks.substitutes.antonyms import Antonyms, find_wordnet
from attacks.substitutes.casing import agree_case
from attacks.substitutes.neighbours import Neighbours
from attacks.substitutes.parts_of_speech import METHOD, share_part_of_speech
from attacks.text import Text
from scoring.texts.function_words import FUNCTION_WORDS

Ask = Query | Admit
Step = tuple[Text, float, bool]  # a candidate, its score, whether it reaches the goal


class TextFooler(NamedAttacker):
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
    unit = "words"
    variant = "algorithm 1, GloVe neighbours"
    source = "Jin et al. 2020"
    needs = (VECTORS, DICTIONARY)

    def __init__(
        self,
        count: int = 50,
        nearness: float = 0.7,
        similarity: float = 0.8,
        first: Literal["constraints", "victim"] = "victim",
        *,
        words: Neighbours | None = None,
        antonyms: Antonyms | None = None,
        constraints: tuple[Any, ...] | None = None,
    ) -> None:
        """``words``, ``antonyms`` and ``constraints`` stand in for the embedded vectors, the WordNet that is installed and
        the encoder similarity."""
        self.count = count
        self.nearness = nearness
        self.similarity = similarity
        self.first = first
        self.constraints = (EncoderSimilarityAtLeast(similarity),) if constraints is None else constraints
        self._words = words
        self._antonyms = antonyms

    @cached_property
    def words(self) -> Neighbours:
        return neighbours.embedded_neighbours() if self._words is None else self._words

    @cached_property
    def antonyms(self) -> Antonyms | None:
        if self._antonyms is not None:
            return self._antonyms
        folder = find_wordnet()
        return None if folder is None else Antonyms(folder)

    def describe(self) -> dict[str, Any]:
        return super().describe() | {
            "neighbours": self.words.describe(),
            "parts_of_speech": METHOD,
            "antonyms": "none filtered: WordNet is not installed; encoder similarity only"
            if self.antonyms is None
            else f"filtered by WordNet ({len(self.antonyms)} pairs)",
        }

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        better = self._constraints_first if self.first == "constraints" else self._victim_first
        current, score = text, goal.start
        for i in (yield from by_deletion(text, goal)):
            candidates = [current.replace(i, word) for word in self.substitutes(current.words[i])]
            step = yield from better(candidates, goal, score)
            if step is not None:
                current, score, reached = step
                if reached:
                    return current
        return None

    def _constraints_first(self, candidates: list[Text], goal: Goal, score: float) -> Generator[Ask, Any, Step | None]:
        admitted = yield Admit(candidates)
        if not admitted:
            return None
        probabilities = yield Query([candidate.text for candidate in admitted])
        scores, reached = goal.scores(probabilities), goal.reached(probabilities)
        best = max(np.flatnonzero(reached), key=lambda i: _similarity(admitted[i])) if reached.any() else scores.argmax()
        return (admitted[best].text, float(scores[best]), bool(reached[best])) if scores[best] > score else None

    def _victim_first(self, candidates: list[Text], goal: Goal, score: float) -> Generator[Ask, Any, Step | None]:
        """The same choice, found by asking the constraints only about candidates that could be it."""
        if not candidates:
            return None
        probabilities = yield Query(candidates)
        scores, reached = goal.scores(probabilities), goal.reached(probabilities)
        admitted = yield Admit([candidates[i] for i in np.flatnonzero(reached)])
        if admitted:
            best = max(admitted, key=_similarity).text
            return best, float(scores[candidates.index(best)]), True
        for i in np.argsort(-scores, kind="stable"):
            if scores[i] <= score:
                break
            if not reached[i] and (yield Admit([candidates[i]])):
                return candidates[i], float(scores[i]), False
        return None

    def substitutes(self, word: str) -> list[str]:
        """Words that may stand in for a word, nearest first, in its case."""
        plain = word.lower()
        if plain.replace("’", "'") in FUNCTION_WORDS:
            return []
        near = self.words.near(plain, self.count, self.nearness)
        return [agree_case(word, other) for other in near if self._fits(plain, other)]

    def _fits(self, word: str, other: str) -> bool:
        if other in FUNCTION_WORDS or not share_part_of_speech(word, other):
            return False
        return self.antonyms is None or not self.antonyms(word, other)


def _similarity(admitted: Any) -> float:
    """What ranks successes; without an encoder constraint all are equal, and the first, nearest word is taken."""
    return float(admitted.scores.get(EncoderSimilarityAtLeast.name, 0.0))
