"""Random words: the baseline that every search over words has to beat at the same number of queries."""

from __future__ import annotations

import numpy as np

from attacks.attackers.words import WordAttacker, wordnet_synonyms
from attacks.engine.asks import Admit, Goal, Query, Search
from attacks.resources import DICTIONARY, WORDNET
from attacks.substitutes.source import Substitutes
from attacks.text import Text


class RandomWords(WordAttacker):
    """One more random word is replaced by a random synonym, ``tries`` times, whatever that does to the victim's scores; when
    all words are replaced it starts again from the original. A replacement that breaks a constraint is not made.

    Asks at most 1 + tries + 1 queries.
    """

    name = "random-words"
    variant = "random words, random synonyms, scores not looked at"
    source = "baseline"
    needs = (WORDNET, DICTIONARY)

    def __init__(self, tries: int = 100, keep: str = "", *, substitutes: Substitutes | None = None) -> None:
        super().__init__(keep, substitutes)
        self.tries = tries

    def own_substitutes(self) -> Substitutes:
        return wordnet_synonyms()

    def most_queries(self, text: Text) -> int:
        return 1 + self.tries + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        options = yield from self.options(text)
        replaceable = [i for i, words in enumerate(options) if words]
        if not replaceable:
            return None
        current, waiting = text, replaceable
        for _ in range(self.tries):
            if not waiting:
                current, waiting = text, replaceable
            i = waiting[int(rng.integers(len(waiting)))]
            waiting = [other for other in waiting if other != i]
            word = options[i][int(rng.integers(len(options[i])))]
            admitted = yield Admit([current.replace(i, word)])
            if admitted:
                current = admitted[0].text
                if goal.reached((yield Query([current])))[0]:
                    return current
        return None
