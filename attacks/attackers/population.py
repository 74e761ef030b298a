"""Populations of texts that grow out of one original: what the genetic and the swarm search have in common."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, TypeAlias

import numpy as np

from attacks.attackers.words import places_of
from attacks.engine.asks import Admit, Goal, Query
from attacks.text import Text

Asking: TypeAlias = Generator[Admit | Query, Any, Text | None]
"""Asks, and ends with a text that reaches the goal, or None."""


class Population:
    """Members that differ from the original in which words were replaced by what.

    ``choices`` [members, words] says for each member which of a word's options stands there, counted from 1; 0 is the
    original's own word. ``texts`` and ``scores`` [members] are what these make and how near to the goal they come. At the
    beginning all members are the original.
    """

    def __init__(self, original: Text, options: Sequence[Sequence[str]], goal: Goal, size: int) -> None:
        self.original = original
        self.options = options
        self.goal = goal
        self.choices = np.zeros((size, len(options)), dtype=np.int64)
        self.texts = [original] * size
        self.scores = np.full(size, goal.start)

    def __len__(self) -> int:
        return len(self.texts)

    def move(self, choices: np.ndarray) -> Asking:
        """Members become what ``choices`` [members, words] say, where that is something else and the constraints admit it.

        Asks one query for each member that changes.
        """
        moved = [i for i in range(len(self)) if (choices[i] != self.choices[i]).any()]
        return (yield from self._become(moved, [choices[i] for i in moved], [self._text_of(choices[i]) for i in moved]))

    def mutate(self, who: np.ndarray, weights: np.ndarray, rng: np.random.Generator) -> Asking:
        """Members, where ``who`` [members] says so, have one more word replaced by the option that brings them nearest to the
        goal, if that is nearer than they are. The word is drawn among those not replaced yet by ``weights`` [words].

        Asks one query for each admitted option of the words drawn.
        """
        members: list[int] = []
        choices: list[np.ndarray] = []
        texts: list[Text] = []
        for member in np.flatnonzero(who).tolist():
            index = _drawn(np.where(self.choices[member] == 0, weights, 0), rng)
            if index is not None:
                words = self.options[index]
                members += [member] * len(words)
                choices += [_with(self.choices[member], index, option) for option in range(1, len(words) + 1)]
                texts += [self.texts[member].replace(index, word) for word in words]
        return (yield from self._become(members, choices, texts, only_nearer=True))

    def _become(self, members: list[int], choices: list[np.ndarray], texts: list[Text], *, only_nearer: bool = False) -> Asking:
        """Members take the nearest of the choices that are offered to them and admitted; if it is to be nearer than they are,
        and is not, they stay as they are."""
        admitted = places_of((yield Admit(texts)), texts) if texts else []
        if not admitted:
            return None
        probabilities = yield Query([texts[place] for place in admitted])
        offered = dict(zip(admitted, self.goal.scores(probabilities).tolist(), strict=True))
        nearest_first = sorted(offered, key=lambda place: -offered[place])
        best: dict[int, int] = {}
        for place in nearest_first:
            best.setdefault(members[place], place)
        for member, place in best.items():
            if not only_nearer or offered[place] > self.scores[member]:
                self.choices[member], self.texts[member], self.scores[member] = choices[place], texts[place], offered[place]
        return texts[nearest_first[0]] if self.goal.reached(probabilities).any() else None

    def _text_of(self, choices: np.ndarray) -> Text:
        chosen = np.flatnonzero(choices).tolist()
        return self.original.replace_each({i: self.options[i][choices[i] - 1] for i in chosen})


def _drawn(weights: np.ndarray, rng: np.random.Generator) -> int | None:
    """An index, drawn by its weight; None where nothing weighs anything."""
    up_to = np.cumsum(weights)
    return int(np.searchsorted(up_to, rng.random() * up_to[-1], side="right")) if up_to[-1] > 0 else None


def _with(choices: np.ndarray, index: int, option: int) -> np.ndarray:
    changed = choices.copy()
    changed[index] = option
    return changed
