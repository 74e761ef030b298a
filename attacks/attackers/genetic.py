"""The genetic attack: replacements by near words, recombined over generations (Alzantot et al. 2018, "Generating Natural
Language Adversarial Examples", EMNLP, algorithm 1).

Differences from the paper: a language model that chooses among the near words must be given, where its authors took Google's of
a billion words; it reads them in the original, where theirs read each member's own text, and a word or two around. Without one
all ``neighbours`` of them are tried, not the ``likely`` that it likes best. Near words come from GloVe by cosine instead of
counter-fitted vectors by distance, unless a file of those is given, so opposites are filtered by WordNet where it is installed.
As in the authors' code a replacement is made only where it brings a text nearer to the goal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from attacks.attackers.population import Population
from attacks.attackers.words import WordAttacker, nearest_words
from attacks.constraints.edits import WordsChangedAtMost
from attacks.engine.asks import Goal, Search
from attacks.resources import DICTIONARY, VECTORS
from attacks.substitutes.likely import LikelyWords, language_model
from attacks.substitutes.source import Substitutes
from attacks.text import Text


class Genetic(WordAttacker):
    """A population of ``population`` texts, for at most ``generations`` generations.

    At first each is the original with one word replaced: the word drawn by how many near words it has, of which the one
    that comes nearest to the goal is taken. In each generation the nearest member lives on, and every other one is the child
    of two parents, drawn in proportion to how near to the goal they come; it has each word of one or the other, and then
    one more word replaced in the same way. The first text that reaches the goal ends the search; so does a generation after
    which all members are alike and none came nearer than before. At most the ``share`` of the words is changed. A causal
    language model, if the resources have one, leaves of each word's near words the ``likely`` with which the text is likeliest.

    Asks at most 1 + N + generations · (population - 1 + N') + 1 queries, N and N' being the near words of the words drawn in
    one generation, which are at most as many as ``neighbours`` for each member, or for each child. A child equal to the member
    in whose place it comes is not asked about.
    """

    name = "genetic"
    variant = "algorithm 1, neighbours by vectors"
    source = "Alzantot et al. 2018"
    needs = (VECTORS, DICTIONARY)

    def __init__(
        self,
        population: int = 60,
        generations: int = 20,
        neighbours: int = 8,
        likely: int = 4,
        nearness: float = 0.7,
        share: float = 0.2,
        keep: str = "",
        *,
        substitutes: Substitutes | None = None,
    ) -> None:
        super().__init__(keep, substitutes)
        self.population = population
        self.generations = generations
        self.neighbours = neighbours
        self.likely = likely
        self.nearness = nearness
        self.share = share
        self.constraints = (WordsChangedAtMost(share),)

    def own_substitutes(self) -> Substitutes:
        near = nearest_words(self.resources, self.neighbours, self.nearness)
        if self.resources.causal_lm is None:
            return near
        return LikelyWords(near, *language_model(self.resources.causal_lm), self.likely)

    def describe(self) -> dict[str, Any]:
        judged = "near words ranked by a language model" if isinstance(self.substitutes, LikelyWords) else "no language model"
        return super().describe() | {"variant": f"{self.variant}, {judged}"}

    def most_queries(self, text: Text) -> int:
        most = max(self.numbers_of_options(text), default=0)
        children = self.population - 1
        return 1 + self.population * most + self.generations * (children + children * most) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        options = yield from self.options(text)
        weights = np.array([len(words) for words in options], dtype=np.float64)
        if not weights.any():
            return None
        members = Population(text, options, goal, self.population)
        everyone = np.ones(self.population, dtype=bool)
        found = yield from members.mutate(everyone, weights, rng)
        for _ in range(self.generations):
            if found is not None:
                return found
            before = members.scores.max()
            elite = int(members.scores.argmax())
            children = everyone.copy()
            children[elite] = False
            found = yield from members.move(_offspring(members, elite, rng))
            if found is None:
                found = yield from members.mutate(children, weights, rng)
            if found is None and members.scores.max() <= before and not (members.choices != members.choices[0]).any():
                return None
        return found


def _offspring(members: Population, elite: int, rng: np.random.Generator) -> np.ndarray:
    """The next generation's choices [members, words]: the elite in its place, in the others' each a child of two members."""
    total = members.scores.sum()
    chances = members.scores / total if total > 0 else None
    mothers, fathers = rng.choice(len(members), size=(2, len(members)), p=chances)
    of_mother = rng.random(members.choices.shape) < 0.5
    children = np.where(of_mother, members.choices[mothers], members.choices[fathers])
    children[elite] = members.choices[elite]
    return children
