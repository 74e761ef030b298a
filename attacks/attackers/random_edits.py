"""Edits at random places: the baseline that an attack must beat with the same kind of edit and no more queries."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Sequence
from typing import Any, Literal, get_args

import numpy as np

from attacks.attackers.base import NamedAttacker
from attacks.engine.asks import Admit, Consult, Goal, Query, Search
from attacks.errors import AttackError
from attacks.resources import CONFUSABLES
from attacks.substitutes import characters
from attacks.text import Text


class RandomEdits(NamedAttacker):
    """Edits one random word after another, without a look at the victim's scores, until its answer changes.

    Each of ``tries`` draws is a word, which may be one that was edited before, and one of the words that `options` gives for
    it; it stays if the constraints admit it. Asks 1 + (edits made, at most ``tries``) + 1 queries.
    """

    def __init__(self, tries: int = 100) -> None:
        self.tries = tries

    def most_queries(self, text: Text) -> int:
        return 1 + self.tries + 1

    @abstractmethod
    def options(self, text: Text, index: int, rng: np.random.Generator) -> Generator[Consult, Any, Sequence[str]]:
        """What may stand for a word. A generator, so that it can consult a source."""

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        current = text
        for _ in range(self.tries):
            index = int(rng.integers(len(text.spans)))
            options = yield from self.options(current, index, rng)
            if not options:
                continue
            option = options[int(rng.integers(len(options)))]
            admitted = yield Admit([current.replace(index, option)])
            if not admitted:
                continue
            current = admitted[0].text
            if goal.reached((yield Query([current])))[0]:
                return current
        return None


Kind = Literal["typos", "misspellings", "homoglyphs", "invisible", "spaces"]


class RandomCharacters(RandomEdits):
    """Random edits of characters. ``kind`` is the attacker whose edits they are: "typos" of DeepWordBug, "misspellings" of
    Pruthi et al., "homoglyphs", "invisible" characters, "spaces" that split words."""

    name = "random-characters"
    unit = "characters"
    variant = "random words, random edits, a check per edit"
    source = "a baseline; no publication"
    needs = (CONFUSABLES,)
    keeps_its_path = True

    def __init__(self, kind: Kind = "typos", tries: int = 100) -> None:
        if kind not in get_args(Kind):
            raise AttackError(f"unknown kind of edit {kind!r}; there are {', '.join(get_args(Kind))}")
        super().__init__(tries)
        self.kind = kind

    def options(self, text: Text, index: int, rng: np.random.Generator) -> Generator[Consult, Any, Sequence[str]]:
        yield from ()
        return _EDITS[self.kind](text.word(index), rng)


_EDITS = {
    "typos": characters.typos,
    "misspellings": characters.misspellings,
    "homoglyphs": lambda word, rng: [new for _, new in characters.homoglyph_variants(word)],
    "invisible": characters.with_invisible,
    "spaces": lambda word, rng: characters.split(word),
}
