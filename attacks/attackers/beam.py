"""Beam search over changes of words, after BeamAttack (TextTrojaners at CheckThat! 2024: Przybyła et al. 2024, "Overview of the
CLEF-2024 CheckThat! Lab Task 6 on Robustness of Credibility Assessment with Adversarial Examples (InCrediblAE)").

Differences from the team's code: substitutes come from WordNet unless another source is given, there from RoBERTa; words
are ranked by leaving each out, there by that or by LIME; the search ends with the first word at which a text reaches the
goal, there it goes on until ten do.
"""

from __future__ import annotations

import numpy as np

from attacks.attackers.importance import by_deletion
from attacks.attackers.words import WordAttacker, places_of, wordnet_synonyms
from attacks.engine.asks import Admit, Consult, Goal, Query, Search
from attacks.errors import AttackError
from attacks.resources import DICTIONARY, WORDNET
from attacks.substitutes.source import Substitutes
from attacks.text import Text


class Beam(WordAttacker):
    """The ``width`` best texts are taken further, one word after the other, most important first.

    In each of them the word is kept, replaced by up to ``count`` substitutes, or, unless ``remove`` is false, removed with the
    space after it, as long as a word is left; of all these the ``width`` texts nearest to the goal are the next ones. The search
    ends with the word at which texts reach the goal: of these the one that is nearest to the original in characters is taken.

    Asks at most 1 + words + width · (count + 1) · words + 1 queries: kept texts are known, and where ``remove`` is false there
    are ``count`` instead of ``count`` + 1.
    """

    name = "beam"
    variant = "beam search, importance by deletion, words kept, replaced or removed"
    source = "BeamAttack (TextTrojaners, CheckThat! 2024); Przybyła et al. 2024"
    needs = (WORDNET, DICTIONARY)

    def __init__(
        self,
        width: int = 3,
        count: int = 10,
        remove: bool = True,
        keep: str = "",
        *,
        substitutes: Substitutes | None = None,
    ) -> None:
        if width < 1 or count < 0:
            raise AttackError(f"a beam needs a width of at least 1 and a count of at least 0, not {width} and {count}")
        super().__init__(keep, substitutes)
        self.width = width
        self.count = count
        self.remove = remove

    def own_substitutes(self) -> Substitutes:
        return wordnet_synonyms()

    def most_queries(self, text: Text) -> int:
        words = len(text.words)
        return 1 + words + self.width * (self.count + self.remove) * words + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        stay = self.protected.indices(text)
        beam = {text: goal.start}
        for i in (yield from by_deletion(text, goal)):
            if i in stay:
                continue
            words = yield Consult(self.substitutes, [(kept, i) for kept in beam])
            candidates = [each for kept, found in zip(beam, words, strict=True) for each in self._changed(kept, i, found)]
            candidates = [each for each in dict.fromkeys(candidates) if each not in beam]
            admitted = [candidates[place] for place in places_of((yield Admit(candidates)), candidates)]
            if not admitted:
                continue
            probabilities = yield Query(admitted)
            reached = [admitted[place] for place in np.flatnonzero(goal.reached(probabilities))]
            if reached:
                return min(reached, key=lambda each: _distance(text, each))
            beam |= dict(zip(admitted, goal.scores(probabilities).tolist(), strict=True))
            beam = dict(sorted(beam.items(), key=lambda item: -item[1])[: self.width])
        return None

    def _changed(self, text: Text, i: int, words: list[str]) -> list[Text]:
        replaced = [text.replace(i, word) for word in words[: self.count]]
        others = any(end > start for index, (start, end) in enumerate(text.spans) if index != i)
        return [*replaced, text.emptied(i)] if self.remove and others else replaced


def _distance(original: Text, changed: Text) -> int:
    import Levenshtein

    return Levenshtein.distance(original.text, changed.text)
