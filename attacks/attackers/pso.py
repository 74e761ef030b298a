"""SememePSO: a swarm of texts that moves towards the best it has found (Zang et al. 2020, "Word-level Textual Adversarial
Attacking as Combinatorial Optimization", ACL, section 3).

Substitutes share their sememes with the word, by the file that is given; without one they are WordNet's synonyms, and the
description says so. Velocities are as in the authors' code: they grow in the words where a particle differs from its best
or from the swarm's, by up to 3 each, and shrink where it does not. The best of each particle and of the swarm are kept up to
date after every step. Difference from the paper: parts of speech come from a dictionary instead of a tagger.
"""

from __future__ import annotations

import numpy as np

from attacks.attackers.population import Population
from attacks.attackers.words import WordAttacker, sememe_words
from attacks.constraints.edits import WordsChangedAtMost
from attacks.engine.asks import Goal, Search
from attacks.resources import DICTIONARY, SEMEMES
from attacks.substitutes.source import Substitutes
from attacks.text import Text

_INERTIA = (0.8, 0.2)
"""How much of its velocity a particle keeps, at the beginning and at the end."""
_PULL = (0.8, 0.2)
"""How likely a particle is to move towards its own best, at the beginning and at the end; towards the swarm's it is the
other way round."""
_FASTEST = 3.0
_MUTATION = 2.0
"""So many times the share of words already replaced makes a mutation less likely."""
_WEIGHTIEST = 10
"""A word with more substitutes is drawn for mutation no more often than one with so many."""


class SememePSO(WordAttacker):
    """A swarm of ``particles`` texts, for at most ``steps`` steps.

    At first each is the original with one word replaced: the word drawn by how many substitutes it has, of which the one
    that comes nearest to the goal is taken if it comes nearer. In each step a particle takes, each with some probability,
    words of its own best text and of the swarm's best, more likely the longer it has differed there; then, less likely the
    more of its words are replaced, one more word is replaced as at first. The first text that reaches the goal ends the
    search; so does a step after which all particles are alike and none came nearer than before. At most the ``share`` of
    the words is changed.

    Asks at most 1 + N + steps · (particles + N') + 1 queries, N and N' being the substitutes of the words drawn in one step; a
    particle that does not move is not asked about.
    """

    name = "sememe-pso"
    variant = "section 3, elites updated; substitutes as described"
    source = "Zang et al. 2020"
    needs = (SEMEMES, DICTIONARY)

    def __init__(
        self,
        particles: int = 60,
        steps: int = 20,
        share: float = 0.25,
        keep: str = "",
        *,
        substitutes: Substitutes | None = None,
    ) -> None:
        super().__init__(keep, substitutes)
        self.particles = particles
        self.steps = steps
        self.share = share
        self.constraints = (WordsChangedAtMost(share),)

    def own_substitutes(self) -> Substitutes:
        return sememe_words(self.resources)

    def most_queries(self, text: Text) -> int:
        most = max(self.numbers_of_options(text), default=0)
        return 1 + self.particles * most + self.steps * (self.particles + self.particles * most) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        options = yield from self.options(text)
        weights = np.array([min(len(words), _WEIGHTIEST) for words in options], dtype=np.float64)
        if not weights.any():
            return None
        swarm = Population(text, options, goal, self.particles)
        found = yield from swarm.mutate(np.ones(self.particles, dtype=bool), weights, rng)
        elites, best = swarm.choices.copy(), swarm.scores.copy()
        velocities = np.repeat(rng.uniform(-_FASTEST, _FASTEST, (self.particles, 1)), len(options), axis=1)
        for step in range(self.steps):
            if found is not None:
                return found
            before, leader = best.max(), elites[best.argmax()]
            done = step / self.steps
            kept = _INERTIA[0] + done * (_INERTIA[1] - _INERTIA[0])
            pull = _pull(swarm.choices, elites) + _pull(swarm.choices, leader)
            velocities = kept * velocities + (1 - kept) * pull
            own = _PULL[0] + done * (_PULL[1] - _PULL[0])
            choices = _turned(swarm.choices, elites, own, velocities, rng)
            choices = _turned(choices, leader, sum(_PULL) - own, velocities, rng)
            found = yield from swarm.move(choices)
            if found is None:
                replaced = (swarm.choices != 0).mean(axis=1)
                mutating = rng.random(self.particles) < 1 - _MUTATION * replaced
                found = yield from swarm.mutate(mutating, weights, rng)
            better = swarm.scores > best
            elites[better], best[better] = swarm.choices[better], swarm.scores[better]
            if found is None and best.max() <= before and not (swarm.choices != swarm.choices[0]).any():
                return None
        return found


def _pull(choices: np.ndarray, elite: np.ndarray) -> np.ndarray:
    return np.where(choices == elite, -_FASTEST, _FASTEST)


def _turned(
    choices: np.ndarray, elite: np.ndarray, chance: float, velocities: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Choices [particles, words] of which some rows, by ``chance``, took some words of their elite, by the velocities."""
    turning = rng.random((len(choices), 1)) < chance
    taken = rng.random(choices.shape) < 1 / (1 + np.exp(-velocities))
    return np.where(turning & taken, elite, choices)
