"""Letters replaced by characters that look the same (Boucher et al. 2022, "Bad Characters: Imperceptible NLP Attacks", IEEE
S&P, section IV.B); which do is told in `attacks.substitutes.characters.homoglyphs`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil

import numpy as np

from attacks.attackers.base import NamedAttacker
from attacks.attackers.deepwordbug import MASK
from attacks.attackers.greedy import Scored, greedily, nearest, scored
from attacks.attackers.importance import by_masking
from attacks.attackers.steps import First, choice_of
from attacks.engine.asks import Admit, Goal, Query, Search
from attacks.errors import AttackError
from attacks.resources import CONFUSABLES
from attacks.substitutes.characters import homoglyph_variants
from attacks.text import Text

Glyph = tuple[int, int, str]
"""A word's index, a place in the word, and the character for it."""


class Homoglyphs(NamedAttacker):
    """Every letter is tried alone, then the most effective ones together.

    First the text with each single homoglyph is asked about; if the one nearest to the goal reaches it, that is the result.
    Otherwise, with ``memory``, what helped is remembered: the best homoglyph of each place is put into the text, the most
    effective place first, and stays if the text comes nearer, until the answer changes or as many letters are replaced as
    may be: ``most``, and no more than the ``share`` of all characters (0-1, rounded up). Without memory no two letters are
    replaced together.

    The memory is of one text. A table that grew from text to text would make results depend on the order in which texts are
    attacked, and on how many at a time.

    Asks 1 + (admitted homoglyphs) + (places put in, none without memory) + 1 queries.
    """

    name = "homoglyphs"
    unit = "characters"
    variant = "exhaustive: every place alone, then greedily by effect"
    source = "Boucher et al. 2022 (the edit); Przybyła et al. 2024 (searches of this kind)"
    needs = (CONFUSABLES,)

    def __init__(self, share: float = 1.0, most: int = 1000, memory: bool = True) -> None:
        if not 0 < share <= 1 or most < 1:
            raise AttackError(f"homoglyphs replaces a share above 0 and up to 1 and at least one letter, not {share} and {most}")
        self.share = share
        self.most = most
        self.memory = memory

    def most_queries(self, text: Text) -> int:
        places = [(i, place) for i, word in enumerate(text.words) for place, _ in homoglyph_variants(word)]
        return 1 + len(places) + (len(set(places)) if self.memory else 0) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        glyphs = [(i, place, new[place]) for i, word in enumerate(text.words) for place, new in homoglyph_variants(word)]
        found = yield from scored((_with_glyph(text, glyph) for glyph in glyphs), goal)
        if not found:
            return None
        if (best := nearest(found)).reached:
            return _with_glyph(text, glyphs[best.number])
        return (yield from self._together(text, goal, _by_effect(glyphs, found))) if self.memory else None

    def _together(self, text: Text, goal: Goal, glyphs: Sequence[Glyph]) -> Search:
        current, score, left = text, goal.start, min(self.most, ceil(self.share * len(text.text)))
        for glyph in glyphs:
            if not left:
                break
            admitted = yield Admit([_with_glyph(current, glyph)])
            if not admitted:
                continue
            probabilities = yield Query([admitted[0].text])
            if goal.scores(probabilities)[0] > score:
                current, score, left = admitted[0].text, goal.scores(probabilities)[0], left - 1
                if goal.reached(probabilities)[0]:
                    return current
        return None


class ImportantHomoglyphs(NamedAttacker):
    """One homoglyph in each of the most important words.

    Words are ranked by masking. In each in turn, most important first, a letter is replaced: the ``place`` is "begin" for the
    first one that has a homoglyph, "end" for the last, "random" for any. It stays if the text comes nearer to the goal, until
    the answer changes or ``most`` words are changed. ``first`` says whether constraints or victim are asked first: both come to
    the same text. Asks 1 + words + (homoglyphs of the words tried, one or two each, with "constraints" only the admitted ones)
    + 1 queries.
    """

    name = "important-homoglyphs"
    unit = "characters"
    variant = "greedy, importance by masking, one homoglyph a word"
    source = "Boucher et al. 2022 (the edit); Roadhouse et al. 2024 (importance with homoglyphs)"
    needs = (CONFUSABLES,)
    keeps_its_path = True

    def __init__(self, place: str = "random", most: int = 1000, first: First = "constraints") -> None:
        if place not in _CHOICES:
            raise AttackError(f"important-homoglyphs knows no place {place!r}; there are {', '.join(_CHOICES)}")
        self.place = place
        self.most = most
        self.first = first
        self._choose = choice_of(first, alike=False)

    def most_queries(self, text: Text) -> int:
        return 1 + len(text.spans) + _MOST_GLYPHS * len(text.spans) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        order = yield from by_masking(text, goal, MASK)
        variants = partial(self._variants, rng=rng)
        return (yield from greedily(text, goal, order, variants, self._choose, self.most))

    def _variants(self, text: Text, index: int, rng: np.random.Generator) -> list[Text]:
        variants = list(homoglyph_variants(text.word(index)))
        places = list(dict.fromkeys(place for place, _ in variants))
        if not places:
            return []
        chosen = places[_CHOICES[self.place](len(places), rng)]
        return [text.replace(index, new) for place, new in variants if place == chosen]


_CHOICES = {
    "random": lambda count, rng: int(rng.integers(count)),
    "begin": lambda count, rng: 0,
    "end": lambda count, rng: -1,
}
_MOST_GLYPHS = 2
"""How many homoglyphs a letter has at most."""


def _with_glyph(text: Text, glyph: Glyph) -> Text:
    index, place, character = glyph
    word = text.word(index)
    return text.replace(index, word[:place] + character + word[place + 1 :])


def _by_effect(glyphs: Sequence[Glyph], found: Sequence[Scored]) -> list[Glyph]:
    """The best homoglyph of each place, the most effective place first."""
    ranked = (glyphs[each.number] for each in sorted(found, key=lambda each: -each.score))
    best: dict[tuple[int, int], Glyph] = {}
    for index, place, character in ranked:
        best.setdefault((index, place), (index, place, character))
    return list(best.values())
