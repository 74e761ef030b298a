"""BERT-ATTACK: words replaced by what a masked language model would read in their place (Li et al. 2020, "BERT-ATTACK:
Adversarial Attack Against BERT Using BERT", EMNLP, algorithm 1).

Without the paper's permutations of sub-words: a word that the model reads as several tokens stays, and substitutes are whole
words. This is how BODEGA and OpenAttack use it (Przybyła et al. 2024).
"""

from __future__ import annotations

import numpy as np

from attacks.attackers.greedy import nearest, scored
from attacks.attackers.importance import by_masking
from attacks.attackers.words import WordAttacker
from attacks.engine.asks import Goal, Search
from attacks.errors import AttackError
from attacks.resources import MASKED_LM
from attacks.substitutes.masked import MaskedWords, model_at
from attacks.substitutes.source import Substitutes
from attacks.text import Text


class BertAttack(WordAttacker):
    """Greedy replacement in order of importance, at most a ``share`` of all words (at least one).

    The importance of a word is how much nearer to the goal the text comes with ``mask`` in its place. The substitutes of all
    words are the ``count`` tokens that the model holds likeliest at their places in the original, which it sees whole, with a
    probability of at least ``least``. For each word the first substitute that changes the victim's answer ends the search;
    without one, that which comes nearest to the goal is kept, if it is nearer than the text so far.

    Asks 1 + words + (admitted substitutes of the words tried) + 1 queries. What differs from the paper: all substitutes of a word
    are asked about at once, the threshold is a probability instead of a logit (the paper's code leaves it at none), and antonyms
    are filtered by WordNet, where the paper does so for sentiment only.
    """

    name = "bert-attack"
    variant = "algorithm 1, whole words only"
    source = "Li et al. 2020"
    needs = (MASKED_LM,)
    keeps_its_path = True

    def __init__(
        self,
        count: int = 48,
        least: float = 0.0,
        share: float = 0.4,
        mask: str = "[UNK]",
        keep: str = "",
        *,
        substitutes: Substitutes | None = None,
    ) -> None:
        super().__init__(keep, substitutes)
        if not 0 < share <= 1:
            raise AttackError(f"the share of words that may be replaced is above 0 and up to 1, not {share}")
        self.count = count
        self.least = least
        self.share = share
        self.mask = mask

    def own_substitutes(self) -> Substitutes:
        return MaskedWords(model_at(self.resources.masked_lm), "seen", self.count, self.least)

    def most_queries(self, text: Text) -> int:
        return 1 + len(text.spans) + sum(self.numbers_of_options(text)) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        options = yield from self.options(text)
        most = max(1, int(self.share * len(options)))
        current, score, replaced = text, goal.start, 0
        for i in (yield from by_masking(text, goal, self.mask)):
            candidates = [current.replace(i, word) for word in options[i]]
            found = yield from scored(candidates, goal)
            success = next((each for each in found if each.reached), None)
            if success is not None:
                return candidates[success.number]
            if found and (best := nearest(found)).score > score:
                current, score, replaced = candidates[best.number], best.score, replaced + 1
                if replaced == most:
                    break
        return None
