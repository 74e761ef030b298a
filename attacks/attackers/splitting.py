"""Spaces put into words, and spaces taken from between them."""

from __future__ import annotations

import numpy as np

from attacks.attackers.base import NamedAttacker
from attacks.attackers.greedy import greedily
from attacks.attackers.importance import by_deletion
from attacks.attackers.steps import First, choice_of
from attacks.engine.asks import Goal, Search
from attacks.errors import AttackError
from attacks.substitutes.characters import MOST_PLACES, split
from attacks.text import Text

_KINDS = ("both", "insert", "remove")


class Splitting(NamedAttacker):
    """Whitespace edits of the most important words.

    Words are ranked by deletion. For each in turn, most important first, a space is put at every place inside the word
    (``edits`` "insert" or "both"), and the spaces between it and the next word are taken away ("remove" or "both"), where
    nothing else parts the two; what comes nearest to the goal stays, if it comes nearer than the text so far, until the answer
    changes or ``most`` words are changed. ``first`` says whether constraints or victim are asked first: both come to the same
    text. Asks 1 + words + (edits of the words tried: one less than the word has characters, and one; with "constraints" only the
    admitted ones) + 1 queries.
    """

    name = "splitting"
    unit = "characters"
    variant = "greedy, importance by deletion, every place in a word"
    source = "Demirok et al. 2024 (the insertion); Gröndahl et al. 2018 (both edits)"
    keeps_its_path = True

    def __init__(self, edits: str = "both", most: int = 1000, first: First = "constraints") -> None:
        if edits not in _KINDS:
            raise AttackError(f"splitting knows no edits {edits!r}; there are {', '.join(_KINDS)}")
        self.edits = edits
        self.most = most
        self.first = first
        self._choose = choice_of(first, alike=False)

    def most_queries(self, text: Text) -> int:
        words = len(text.spans)
        inside = sum(min(len(word) - 1, MOST_PLACES) for word in text.words) if self.edits != "remove" else 0
        between = words - 1 if self.edits != "insert" else 0
        return 1 + words + inside + between + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        order = yield from by_deletion(text, goal)
        return (yield from greedily(text, goal, order, self._variants, self._choose, self.most))

    def _variants(self, text: Text, index: int) -> list[Text]:
        variants = [text.replace(index, new) for new in split(text.word(index))] if self.edits != "remove" else []
        joined = text.joined(index) if self.edits != "insert" else None
        return [*variants, joined] if joined is not None else variants
