"""Misspellings inside words (Pruthi et al. 2019, "Combating Adversarial Misspellings with Robust Word Recognition", ACL)."""

from __future__ import annotations

import numpy as np

from attacks.attackers.base import NamedAttacker
from attacks.attackers.greedy import nearest, scored
from attacks.engine.asks import Goal, Search
from attacks.errors import AttackError
from attacks.stop_words import STOP_WORDS
from attacks.substitutes.characters import MOST_KEYS, MOST_PLACES, misspellings
from attacks.text import Text

Beam = tuple[Text, frozenset[int]]
"""A text and the indices of its words that were misspelt."""


class Pruthi(NamedAttacker):
    """The worst few slips of a typist, found by trying all of them.

    In every round each misspelling of each word is tried: swaps of neighbouring characters, omissions, insertions of a random
    letter, hits of a neighbouring key. First and last characters, words of fewer than four characters, stop words and words
    misspelt before stay. The attack ends with the misspelling that comes nearest to the goal if it reaches it; otherwise the
    ``beam`` nearest texts go into the next of ``edits`` rounds.

    With one beam this is TextAttack's recipe pruthi; as there, a place gets one random letter, where the paper inserts each
    of the alphabet. Asks 1 + (admitted misspellings of the texts of every round) + 1 queries.
    """

    name = "pruthi"
    unit = "characters"
    variant = "every inner misspelling of every word, a few rounds"
    source = "Pruthi et al. 2019; TextAttack recipe pruthi (Morris et al. 2020)"

    def __init__(self, edits: int = 1, beam: int = 1) -> None:
        if edits < 1 or beam < 1:
            raise AttackError(f"pruthi needs at least one edit and one beam, not {edits} and {beam}")
        self.edits = edits
        self.beam = beam

    def most_queries(self, text: Text) -> int:
        places = (min(len(text.word(i)) - 2, MOST_PLACES) for i in _editable(text))
        tried = 1 + (self.edits - 1) * self.beam  # texts whose misspellings are tried
        return 1 + tried * sum((3 + MOST_KEYS) * count for count in places) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        editable = _editable(text)
        beams: list[Beam] = [(text, frozenset())]
        for _ in range(self.edits):
            changes = [
                (number, i, word)
                for number, (current, edited) in enumerate(beams)
                for i in editable
                if i not in edited
                for word in misspellings(current.word(i), rng)
            ]
            found = yield from scored((beams[number][0].replace(i, word) for number, i, word in changes), goal)
            if not found:
                return None
            if (best := nearest(found)).reached:
                number, i, word = changes[best.number]
                return beams[number][0].replace(i, word)
            ranked = sorted(found, key=lambda each: -each.score)[: self.beam]
            beams = [_misspelt(beams, *changes[each.number]) for each in ranked]
        return None


def _editable(text: Text) -> list[int]:
    return [i for i, word in enumerate(text.words) if len(word) >= 4 and word not in STOP_WORDS]


def _misspelt(beams: list[Beam], number: int, index: int, word: str) -> Beam:
    text, edited = beams[number]
    return text.replace(index, word), edited | {index}
