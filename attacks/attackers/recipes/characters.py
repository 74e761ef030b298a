"""The character attacks of CLEF 2024 CheckThat! task 6 (InCrediblAE; Przybyła et al. 2024, CEUR-WS 3740, paper 28), as the teams
built them. All of them keep the text's spacing, where the teams' code joined words by single spaces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attacks.attackers.base import NamedAttacker, Recipe
from attacks.attackers.greedy import scored
from attacks.attackers.homoglyphs import ImportantHomoglyphs
from attacks.attackers.steps import First
from attacks.engine.asks import Admit, Goal, Query, Search
from attacks.errors import AttackError
from attacks.resources import CONFUSABLES, Resources
from attacks.substitutes.characters import homoglyph_variants, split
from attacks.text import Text

_LONG = 100
"""Words of a text from which on SINAI's search gives up trying all words anew for every one that is fixed."""


class IterativeHomoglyphs(NamedAttacker):
    """Team SINAI: a random homoglyph in every word alone, then again with more and more words fixed.

    In a round each word of two characters or more gets a random homoglyph at a random place, alone; the first text that
    changes the victim's answer is the result. Otherwise the next word from the beginning keeps a homoglyph, and all words are
    tried again. Texts of more than 100 words have two rounds only: each word alone, then word after word, all of them kept.

    Asks 1 + words · (words - 1) + 1 queries at most, and 1 + 2 · words + 1 for long texts. What differs: homoglyphs are those
    that look the same (theirs were any of the package homoglyphs), a round is asked at once, and the length of the text
    decides about the second kind of search, where theirs went by task. The published code never enters the rounds (it
    compares a flag where it should set it); this is what the paper and the code's names describe.
    """

    name = "incrediblae:sinai"
    unit = "characters"
    variant = "iterative search with memory, one random homoglyph a word"
    source = "Valle-Aguilera et al. 2024, SINAI at CheckThat! 2024 (CEUR-WS 3740, paper 61)"
    needs = (CONFUSABLES,)

    def most_queries(self, text: Text) -> int:
        words = len(text.spans)
        return 1 + (2 * words if words > _LONG else words * max(words - 1, 1)) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        words = len(text.spans)
        if words > _LONG:
            return (yield from self._alone(text, goal, rng)) or (yield from self._together(text, goal, rng))
        current = text
        for fixed in range(max(words - 1, 1)):
            if (found := (yield from self._alone(current, goal, rng))) is not None:
                return found
            admitted = yield Admit(_with_random_glyph(current, fixed, rng))
            current = admitted[0].text if admitted else current
        return None

    def _alone(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        candidates = [new for i in range(len(text.spans)) for new in _with_random_glyph(text, i, rng)]
        found = yield from scored(candidates, goal)
        return next((candidates[each.number] for each in found if each.reached), None)

    def _together(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        current = text
        for i in range(len(text.spans)):
            admitted = yield Admit(_with_random_glyph(current, i, rng))
            if admitted:
                current = admitted[0].text
                if goal.reached((yield Query([current])))[0]:
                    return current
        return None


def _with_random_glyph(text: Text, index: int, rng: np.random.Generator) -> list[Text]:
    """The text with a random homoglyph at a random place of a word, which may have one already; none where there is no place."""
    word = text.word(index)
    variants = [new for _, new in homoglyph_variants(word)] if len(word) > 1 else []
    return [text.replace(index, variants[int(rng.integers(len(variants)))])] if variants else []


class GeneticSplitting(NamedAttacker):
    """Team TurQUaz: words split at random places, by a genetic algorithm.

    A population of texts in which each word was split with the chance ``rate`` is asked about; of those that change the
    victim's answer the one with the fewest changed words is the result. Otherwise each pair of children of the next
    generation swaps the words of two random parents from a random word on, and splits words as above. Nothing but success
    counts for the selection of parents, so this is a random search.

    Asks 1 + ``population`` · (``generations`` + 1) + 1 queries at most (theirs were twice as many: every text was asked about
    for its fitness and again for its success). What differs: words are those of `Text`, so that punctuation and addresses are
    not split, and a text of one word has no crossover, where theirs failed. Of their attacks this is the one called splitR.
    """

    name = "incrediblae:turquaz"
    unit = "characters"
    variant = "genetic algorithm over random splits"
    source = "Demirok et al. 2024, TurQUaz at CheckThat! 2024 (CEUR-WS 3740, paper 35)"

    def __init__(self, population: int = 20, generations: int = 10, rate: float = 0.1) -> None:
        if population < 2 or generations < 1 or not 0 < rate <= 1:
            raise AttackError(
                "incrediblae:turquaz needs a population of at least 2, at least one generation and a rate above 0 and up to 1, "
                f"not {population}, {generations} and {rate}"
            )
        self.population = population
        self.generations = generations
        self.rate = rate

    def most_queries(self, text: Text) -> int:
        return 1 + self.population * (self.generations + 1) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        words = text.words
        population = [self._mutated(words, rng) for _ in range(self.population)]
        for _ in range(self.generations + 1):
            changes = [{i: new for i, new in enumerate(each) if new != words[i]} for each in population]
            candidates = [text.replace_each(each) for each in changes]
            found = yield from scored(candidates, goal)
            successes = [each.number for each in found if each.reached]
            if successes:
                return candidates[min(successes, key=lambda number: len(changes[number]))]
            population = self._children(population, rng)
        return None

    def _children(self, population: Sequence[list[str]], rng: np.random.Generator) -> list[list[str]]:
        children: list[list[str]] = []
        while len(children) < len(population):
            first, second = (population[i] for i in rng.choice(len(population), 2, replace=False))
            point = int(rng.integers(1, len(first))) if len(first) > 1 else 0
            crossed = (first[:point] + second[point:], second[:point] + first[point:])
            children += [self._mutated(each, rng) for each in crossed]
        return children[: len(population)]

    def _mutated(self, words: Sequence[str], rng: np.random.Generator) -> list[str]:
        mutated = list(words)
        for i in np.flatnonzero(rng.random(len(words)) < self.rate).tolist():
            if options := split(words[i]):
                mutated[i] = options[int(rng.integers(len(options)))]
        return mutated


def _mmu_nlp(resources: Resources, place: str = "random", first: First = "constraints") -> NamedAttacker:
    return ImportantHomoglyphs(place, first=first)


MMU_NLP = Recipe(
    "incrediblae:mmu-nlp",
    "characters",
    "Roadhouse et al. 2024, MMU NLP at CheckThat! 2024 (CEUR-WS 3740, paper 53)",
    _mmu_nlp,
    needs=(CONFUSABLES,),
)
"""Team MMU_NLP: importance by masking, then a homoglyph in each important word, at random or at its begin or end.

What is unknown here: their table of homoglyphs, their mask, and whether a replacement that does not help stays. Homoglyphs are
those that look the same, the mask is ``[UNK]``, and what does not help is taken back.
"""
