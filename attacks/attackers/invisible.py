"""Characters that nobody sees, inside words (Boucher et al. 2022, "Bad Characters: Imperceptible NLP Attacks", IEEE S&P,
section IV.A)."""

from __future__ import annotations

from functools import partial

import numpy as np

from attacks.attackers.base import NamedAttacker
from attacks.attackers.greedy import greedily
from attacks.attackers.importance import by_deletion
from attacks.attackers.steps import First, choice_of
from attacks.engine.asks import Goal, Search
from attacks.substitutes.characters import INVISIBLE, with_invisible
from attacks.text import Text


class Invisible(NamedAttacker):
    """An invisible character in each of the most important words.

    Words are ranked by deletion. Into each in turn, most important first, every one of zero-width space, non-joiner and
    joiner, word joiner and soft hyphen is put at the same random place; the one that comes nearest to the goal stays, if it
    comes nearer than the text so far, until the answer changes or ``most`` words are changed (the paper's perturbation
    budget). The paper searches by differential evolution instead. ``first`` says whether constraints or victim are asked
    first: both come to the same text.

    Asks 1 + words + (characters for the words tried, five each, with "constraints" only the admitted ones) + 1 queries.
    """

    name = "invisible"
    unit = "characters"
    variant = "greedy, importance by deletion, one character a word"
    source = "Boucher et al. 2022"
    keeps_its_path = True

    def __init__(self, most: int = 1000, first: First = "constraints") -> None:
        self.most = most
        self.first = first
        self._choose = choice_of(first, alike=False)

    def most_queries(self, text: Text) -> int:
        return 1 + len(text.spans) + len(INVISIBLE) * len(text.spans) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        order = yield from by_deletion(text, goal)
        return (yield from greedily(text, goal, order, partial(_variants, rng=rng), self._choose, self.most))


def _variants(text: Text, index: int, rng: np.random.Generator) -> list[Text]:
    return [text.replace(index, word) for word in with_invisible(text.word(index), rng)]
