"""PWWS: probability weighted word saliency (Ren et al. 2019, "Generating Natural Language Adversarial Examples through
Probability Weighted Word Saliency", ACL, section 3).

Differences from the paper: names are left alone, where the paper replaces them by names frequent in texts of another label;
a replacement that brings the text no nearer to the goal is never made.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from attacks.attackers.importance import saliencies
from attacks.attackers.words import WordAttacker, in_portions, places_of, wordnet_synonyms
from attacks.engine.asks import Admit, Goal, Query, Search
from attacks.resources import DICTIONARY, WORDNET
from attacks.substitutes.source import Substitutes
from attacks.text import Text

Gain = tuple[str, float]  # a substitute, and how much nearer to the goal it alone brings the text


class PWWS(WordAttacker):
    """Greedy replacement by synonyms, the order of words fixed beforehand.

    The saliency S of a word is how much nearer to the goal the text comes with ``mask`` in its place. For each word the
    synonym with the largest gain, dP, is its substitute. Words are replaced in the order of softmax(S) · dP, largest first,
    until the victim's answer changes. A replacement that breaks a constraint beside those before it is passed over.

    Asks 1 + words + (admitted synonyms of all words) + (words replaced) + 1 queries: in three batches and one each for
    the words replaced.
    """

    name = "pwws"
    variant = "section 3, synonyms by WordNet, names left alone"
    source = "Ren et al. 2019"
    needs = (WORDNET, DICTIONARY)

    def __init__(self, mask: str = "unk", keep: str = "", *, substitutes: Substitutes | None = None) -> None:
        super().__init__(keep, substitutes)
        self.mask = mask

    def own_substitutes(self) -> Substitutes:
        return wordnet_synonyms()

    def most_queries(self, text: Text) -> int:
        numbers = self.numbers_of_options(text)
        return 1 + len(numbers) + sum(numbers) + sum(number > 0 for number in numbers) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        options = yield from self.options(text)
        weights = _softmax((yield from saliencies(text, goal, self.mask)))
        gains = yield from _gains(text, options, goal)
        current = text
        for i in sorted(gains, key=lambda i: -weights[i] * gains[i][1]):
            admitted = yield Admit([current.replace(i, gains[i][0])])
            if admitted:
                current = admitted[0].text
                if goal.reached((yield Query([current])))[0]:
                    return current
        return None


def _gains(text: Text, options: Sequence[Sequence[str]], goal: Goal) -> Generator[Admit | Query, Any, dict[int, Gain]]:
    """For each word that can be replaced with a gain the substitute with the largest one; of equal ones the first."""
    best: dict[int, Gain] = {}
    for portion in in_portions(text, options):
        candidates = [text.replace(i, word) for i, word in portion]
        admitted = places_of((yield Admit(candidates)), candidates)
        if not admitted:
            continue
        scores = goal.scores((yield Query([candidates[place] for place in admitted])))
        for place, score in zip(admitted, scores.tolist(), strict=True):
            i, word = portion[place]
            if score > best.get(i, ("", goal.start))[1]:
                best[i] = (word, score)
    return {i: (word, score - goal.start) for i, (word, score) in sorted(best.items())}


def _softmax(values: np.ndarray) -> np.ndarray:
    powers = np.exp(values - values.max(initial=0.0))
    return powers / powers.sum()
