"""Paraphrase: sentences or whole texts in other words, by a model that paraphrases; and SCPN (Iyyer et al. 2018, "Adversarial
Example Generation with Syntactically Controlled Paraphrase Networks", NAACL), whose model follows syntactic templates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, Literal, Self, get_args

import numpy as np

from attacks.attackers.base import NamedAttacker, Recipe
from attacks.attackers.importance import ranked
from attacks.attackers.steps import First, choice_of
from attacks.constraints.similarity import EncoderSimilarityAtLeast
from attacks.engine.asks import Consult, Goal, Query, Search
from attacks.errors import AttackError
from attacks.resources import PARAPHRASER, Resources
from attacks.substitutes.paraphrases import Decoding, Paraphrases, paraphraser_at
from attacks.substitutes.source import Passage
from attacks.substitutes.templates import TEMPLATES
from attacks.text import Text
from scoring.texts.tokens import sentences

Scope = Literal["sentences", "text"]

_KEPT: Final = re.compile(r"(?:https?://|www\.)\S+|~", re.IGNORECASE)
"""What a paraphrase must keep, in its order: web addresses, and the separator of pairs."""


class Paraphrase(NamedAttacker):
    """Greedy paraphrasing, passage by passage, the most important first.

    A passage is a sentence, or with ``scope`` "text" the whole text, or the whole of either part of a pair. Its importance is how
    much nearer to the goal the text comes without it; a text of one passage is not asked about for that. Of a passage's ``count``
    paraphrases that keep web addresses and ``~``, and whose text keeps an encoder similarity of at least ``similarity`` to the
    original, the most similar that changes the victim's answer ends the search; without one, that which comes nearest to the goal
    is kept, if it is nearer than the text so far. What stands between passages stays as it was.

    ``decoding`` and ``templates`` say how paraphrases are made (`attacks.substitutes.paraphrases.Seq2SeqParaphrases`): "sampling"
    draws with the text's own random numbers, which hang on the run's seed and the text's place only. ``first`` says whether
    constraints or victim are asked first: both come to the same text.

    Asks 1 + passages, if several, + (paraphrases of the passages tried, with "constraints" only the admitted ones) + 1 queries.
    """

    name = "paraphrase"
    unit = "sentences"
    variant = "greedy over passages"
    source = "after SCPN (Iyyer et al. 2018)"
    needs = (PARAPHRASER,)
    keeps_its_path = True
    resources = Resources()

    def __init__(
        self,
        count: int = 10,
        similarity: float = 0.7,
        scope: Scope = "sentences",
        decoding: Decoding = "beams",
        templates: bool = False,
        first: First = "constraints",
        *,
        paraphrases: Paraphrases | None = None,
        constraints: tuple[Any, ...] | None = None,
    ) -> None:
        if scope not in get_args(Scope):
            raise AttackError(f"{scope!r} is nothing to paraphrase; there are {', '.join(get_args(Scope))}")
        self.count = count
        self.similarity = similarity
        self.scope = scope
        self.decoding = decoding
        self.templates = templates
        self.first = first
        self._choose = choice_of(first, alike=True)
        self.constraints = (EncoderSimilarityAtLeast(similarity),) if constraints is None else constraints
        self._given = paraphrases

    @classmethod
    def made_with(cls, resources: Resources, **parameters: Any) -> Self:
        attacker = cls(**parameters)
        attacker.resources = resources
        return attacker

    @cached_property
    def paraphrases(self) -> Paraphrases:
        if self._given is not None:
            return self._given
        return paraphraser_at(self.resources.paraphraser, self.count, self.decoding, self.templates)

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"paraphrases": self.paraphrases.describe()}

    def most_queries(self, text: Text) -> int:
        passages = len(self._pieces(text)[1::2])
        return 1 + (passages if passages > 1 else 0) + self.count * passages + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        pieces = self._pieces(text)
        places: Sequence[int] = range(1, len(pieces), 2)
        if len(places) > 1:
            probabilities = yield Query([Text(_with(pieces, place, ""), text) for place in places])
            places = [places[i] for i in ranked(goal.scores(probabilities))]
        current, score = text, goal.start
        for place in places:
            (paraphrases,) = yield Consult(self.paraphrases, [Passage(pieces[place], int(rng.integers(2**32)))])
            kept = [each for each in paraphrases if _KEPT.findall(each) == _KEPT.findall(pieces[place])]
            candidates = {_with(pieces, place, each): each for each in kept}
            step = yield from self._choose([Text(each, current) for each in candidates], goal, score)
            if step is not None:
                current, score, reached = step
                if reached:
                    return current
                pieces[place] = candidates[current.text]
        return None

    def _pieces(self, text: Text) -> list[str]:
        return pieces_of(text.text, self.scope)


def pieces_of(text: str, scope: Scope = "sentences") -> list[str]:
    """What stands between passages, and the passages, by turns; joined, they are the text again. ``~`` stands between them."""
    pieces: list[str] = []
    end = 0
    for part in re.finditer(r"[^~]+", text):
        at = part.start()
        for passage in map(str.strip, sentences(part.group()) if scope == "sentences" else [part.group()]):
            start = text.index(passage, at)
            if Text(passage).words:
                pieces += [text[end:start], passage]
                end = start + len(passage)
            at = start + len(passage)
    return [*pieces, text[end:]]


def _with(pieces: list[str], place: int, sentence: str) -> str:
    return "".join([*pieces[:place], sentence, *pieces[place + 1 :]])


def _scpn(resources: Resources, count: int = len(TEMPLATES), similarity: float = -1.0) -> NamedAttacker:
    return Paraphrase.made_with(resources, count=count, similarity=similarity, scope="text", templates=True)


SCPN = Recipe(
    "scpn",
    "sentences",
    "Iyyer et al. 2018; OpenAttack's attacker SCPN (Zeng et al. 2021), as BODEGA uses it (Przybyła et al. 2024)",
    _scpn,
    needs=(PARAPHRASER,),
)
"""The whole text once by each of the ten most frequent templates, the most similar that changes the victim's answer.

What differs: a model for transformers that reads templates (`attacks.substitutes.templates.INPUT`) instead of the authors' LSTMs,
one of which fills in the template's lower levels; of several successes the most similar is taken, there the first; each part of
a pair is a text of its own; ``similarity`` asks for no encoder similarity unless it is raised.
"""
