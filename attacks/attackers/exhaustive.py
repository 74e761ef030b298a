"""Exhaustive search over positions: one word is replaced wherever it helps most, then a second one, and so on."""

from __future__ import annotations

import numpy as np

from attacks.attackers.greedy import nearest, scored
from attacks.attackers.words import WordAttacker
from attacks.engine.asks import Goal, Search
from attacks.errors import AttackError
from attacks.resources import MASKED_LM
from attacks.substitutes.masked import MaskedWords, model_at
from attacks.substitutes.source import Substitutes
from attacks.text import Text


class Exhaustive(WordAttacker):
    """BERT-ATTACK's substitutes at every position, for up to ``most`` words.

    The substitutes of all words are the ``count`` likeliest tokens at their places in the original, which the masked language
    model sees whole. All of them are tried at all words that were not replaced yet, and the one that comes nearest to the goal
    is kept, if it is nearer than the text so far; so for one word, for two, up to ``most``. No ranking of words beforehand can
    miss the best position. The first replacement that changes the victim's answer ends the search.

    Asks 1 + (for each replacement, the last one that is tried included: admitted substitutes of the words not yet replaced) + 1
    queries: at most 1 + ``most`` · (substitutes of all words) + 1.
    """

    name = "exhaustive"
    variant = "all positions at each of the first replacements, substitutes as in BERT-ATTACK without sub-words"
    source = "after Lewoniewski et al. 2024, OpenFact at CheckThat! 2024 (arXiv 2409.02649); Li et al. 2020"
    needs = (MASKED_LM,)
    keeps_its_path = True

    def __init__(
        self, most: int = 7, count: int = 48, least: float = 0.0, keep: str = "", *, substitutes: Substitutes | None = None
    ) -> None:
        super().__init__(keep, substitutes)
        if most < 1:
            raise AttackError(f"at least one word must be replaced, not {most}")
        self.most = most
        self.count = count
        self.least = least

    def own_substitutes(self) -> Substitutes:
        return MaskedWords(model_at(self.resources.masked_lm), "seen", self.count, self.least)

    def most_queries(self, text: Text) -> int:
        return 1 + self.most * sum(self.numbers_of_options(text)) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        options = yield from self.options(text)
        current, score = text, goal.start
        replaced: set[int] = set()
        for _ in range(self.most):
            changes = [(i, word) for i, words in enumerate(options) if i not in replaced for word in words]
            so_far = current
            found = yield from scored((so_far.replace(i, word) for i, word in changes), goal)
            if not found or (best := nearest(found)).score <= score:
                return None
            index, word = changes[best.number]
            current, score = current.replace(index, word), best.score
            if best.reached:
                return current
            replaced.add(index)
        return None
