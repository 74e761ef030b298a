"""Paraphrase: sentences in other words, by a model that paraphrases, after SCPN's use as an attack (Iyyer et al. 2018,
"Adversarial Example Generation with Syntactically Controlled Paraphrase Networks", NAACL), without its syntactic templates."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, Final, Self

import numpy as np

from attacks.attackers.base import NamedAttacker
from attacks.attackers.steps import constraints_first
from attacks.constraints.similarity import EncoderSimilarityAtLeast
from attacks.engine.asks import Consult, Goal, Query, Search
from attacks.resources import PARAPHRASER, Resources
from attacks.substitutes.paraphrases import Paraphrases, paraphraser_at
from attacks.text import Text
from scoring.texts.tokens import sentences

_KEPT: Final = re.compile(r"(?:https?://|www\.)\S+|~", re.IGNORECASE)
"""What a paraphrase must keep, in its order: web addresses, and the separator of pairs."""


class Paraphrase(NamedAttacker):
    """Greedy paraphrasing, sentence by sentence, the most important first.

    The importance of a sentence is how much nearer to the goal the text comes without it. Of a sentence's ``count`` paraphrases
    that keep web addresses and ``~``, and whose text keeps an encoder similarity of at least ``similarity`` to the original, the
    most similar that changes the victim's answer ends the search; without one, that which comes nearest to the goal is kept, if
    it is nearer than the text so far. What stands between sentences stays as it was.

    Asks 1 + sentences + (admitted paraphrases of the sentences tried) + 1 queries.
    """

    name = "paraphrase"
    unit = "sentences"
    variant = "greedy over sentences, no syntactic templates"
    source = "after SCPN (Iyyer et al. 2018)"
    needs = (PARAPHRASER,)
    keeps_its_path = True
    resources = Resources()

    def __init__(
        self,
        count: int = 10,
        similarity: float = 0.7,
        *,
        paraphrases: Paraphrases | None = None,
        constraints: tuple[Any, ...] | None = None,
    ) -> None:
        self.count = count
        self.similarity = similarity
        self.constraints = (EncoderSimilarityAtLeast(similarity),) if constraints is None else constraints
        self._given = paraphrases

    @classmethod
    def made_with(cls, resources: Resources, **parameters: Any) -> Self:
        attacker = cls(**parameters)
        attacker.resources = resources
        return attacker

    @cached_property
    def paraphrases(self) -> Paraphrases:
        return paraphraser_at(self.resources.paraphraser, self.count) if self._given is None else self._given

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"paraphrases": self.paraphrases.describe()}

    def most_queries(self, text: Text) -> int:
        return 1 + (1 + self.count) * len(pieces_of(text.text)[1::2]) + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        pieces = pieces_of(text.text)
        places = range(1, len(pieces), 2)
        probabilities = yield Query([Text(_with(pieces, place, ""), text) for place in places])
        current, score = text, goal.start
        for place in (places[i] for i in np.argsort(-goal.scores(probabilities), kind="stable").tolist()):
            (paraphrases,) = yield Consult(self.paraphrases, [pieces[place]])
            kept = [each for each in paraphrases if _KEPT.findall(each) == _KEPT.findall(pieces[place])]
            candidates = {_with(pieces, place, each): each for each in kept}
            step = yield from constraints_first([Text(each, current) for each in candidates], goal, score)
            if step is not None:
                current, score, reached = step
                if reached:
                    return current
                pieces[place] = candidates[current.text]
        return None


def pieces_of(text: str) -> list[str]:
    """What stands between sentences, and the sentences, by turns; joined, they are the text again. ``~`` stands between them."""
    pieces: list[str] = []
    end = 0
    for part in re.finditer(r"[^~]+", text):
        at = part.start()
        for sentence in map(str.strip, sentences(part.group())):
            start = text.index(sentence, at)
            if Text(sentence).words:
                pieces += [text[end:start], sentence]
                end = start + len(sentence)
            at = start + len(sentence)
    return [*pieces, text[end:]]


def _with(pieces: list[str], place: int, sentence: str) -> str:
    return "".join([*pieces[:place], sentence, *pieces[place + 1 :]])
