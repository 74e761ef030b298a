"""DeepWordBug: a few characters of the most important words (Gao et al. 2018, "Black-box Generation of Adversarial Text
Sequences to Evade Deep Learning Classifiers", IEEE SPW).

The variant here is the greedy one that TextAttack's recipe of that name made common (Morris et al. 2020): words are
ranked by deletion; for each word in turn all four edits are tried and the victim is asked at once, where the paper edits
a fixed number of top words and asks at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_lowercase

import numpy as np

from attacks.attackers.base import NamedAttacker
from attacks.attackers.importance import by_deletion
from attacks.constraints.edits import EditDistanceAtMost
from attacks.engine.asks import Admit, Goal, Query, Search
from attacks.text import Text


class DeepWordBug(NamedAttacker):
    """Greedy DeepWordBug with a check per word.

    For each word of at least two characters, most important first: swap two neighbouring characters, substitute one,
    delete one, insert one, each at a random place; of the results within ``max_distance`` edits of the original keep
    the one nearest to the goal, if it is nearer than the text so far; stop when the victim's answer changes. Asks
    1 + words + (admitted edits of the words tried) + 1 queries.
    """

    name = "deepwordbug"
    unit = "characters"
    variant = "greedy, importance by deletion, check per word"
    source = "Gao et al. 2018; TextAttack recipe deepwordbug (Morris et al. 2020)"

    def __init__(self, max_distance: int = 30) -> None:
        self.max_distance = max_distance
        self.constraints = (EditDistanceAtMost(max_distance),)

    def most_queries(self, text: Text) -> int:
        words = len(text.words)
        return 1 + words + len(EDITS) * words + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        current, score = text, goal.start
        for i in (yield from by_deletion(text, goal)):
            edits = edits_of(current.words[i], rng)
            admitted = yield Admit([current.replace(i, word) for word in edits])
            if not admitted:
                continue
            candidates = [candidate.text for candidate in admitted]
            probabilities = yield Query(candidates)
            scores = goal.scores(probabilities)
            best = int(scores.argmax())
            if scores[best] > score:
                current, score = candidates[best], float(scores[best])
                if goal.reached(probabilities)[best]:
                    return current
        return None


def edits_of(word: str, rng: np.random.Generator) -> list[str]:
    """The word after each of the four edits, where it has two characters or more and the edit changes it."""
    if len(word) < 2:
        return []
    edited = (edit(word, rng) for edit in EDITS)
    return list(dict.fromkeys(new for new in edited if new != word))


def swap(word: str, rng: np.random.Generator) -> str:
    i = int(rng.integers(len(word) - 1))
    return word[:i] + word[i + 1] + word[i] + word[i + 2 :]


def substitute(word: str, rng: np.random.Generator) -> str:
    i = int(rng.integers(len(word)))
    return word[:i] + _letter_like(word[i], rng) + word[i + 1 :]


def delete(word: str, rng: np.random.Generator) -> str:
    i = int(rng.integers(len(word)))
    return word[:i] + word[i + 1 :]


def insert(word: str, rng: np.random.Generator) -> str:
    i = int(rng.integers(len(word)))
    return word[:i] + _letter_like(word[i], rng) + word[i:]


EDITS: tuple[Callable[[str, np.random.Generator], str], ...] = (swap, substitute, delete, insert)


def _letter_like(character: str, rng: np.random.Generator) -> str:
    """A random letter a–z in the case of a character."""
    letter = ascii_lowercase[int(rng.integers(26))]
    return letter.upper() if character.isupper() else letter
