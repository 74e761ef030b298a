"""What a search can ask, and what it wants.

An attacker's search is a generator. It yields a `Query` and is sent the victim's probabilities; it yields an `Admit` and
is sent the candidates that every constraint lets through; it yields a `Consult` and is sent what a source of substitutes
says. The engine decides when and in what company they are answered.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from attacks.text import Text


@dataclass(frozen=True, slots=True)
class Query:
    """Ask the victim about texts. The answer is a float64 array [len(texts), 2] of probabilities."""

    texts: Sequence[Text]


@dataclass(frozen=True, slots=True)
class Admit:
    """Ask the constraints about candidates. The answer is a list of `Admitted`, in the candidates' order.

    ``waived`` are constraints of the attacker that these candidates need not meet: in an ensemble, those of the other parts.
    A run's own constraints are met by all.
    """

    candidates: Sequence[Text]
    waived: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Admitted:
    """A candidate that every constraint lets through, waived ones apart, with the scores of those that were asked by name."""

    text: Text
    scores: Mapping[str, float]


class Source(Protocol):
    """Something with answers that may take a model: a masked language model, a paraphraser, a word list.

    An answer must depend on its own question only, not on those beside it.
    """

    def answer(self, questions: Sequence[Any]) -> Sequence[Any]:
        """One answer for each question, in their order."""
        ...


@dataclass(frozen=True, slots=True)
class Consult:
    """Ask a source. The answer is a list, one entry for each question. Counts as no query: the victim is not asked."""

    source: Source
    questions: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Verify:
    """Ask the victim about a finished text afresh, past the cache. Only the engine asks this."""

    text: Text


Ask = Query | Admit | Consult | Verify
Search = Generator[Query | Admit | Consult, Any, Text | None]


@dataclass(frozen=True, slots=True)
class Goal:
    """Leave the label ``leave``, which the victim gives the original with the probabilities ``initial`` [2]."""

    leave: int
    initial: np.ndarray = field(repr=False)

    @classmethod
    def away_from(cls, initial: np.ndarray) -> Goal:
        return cls(int(np.argmax(initial)), initial)

    @property
    def start(self) -> float:
        """The score of the original."""
        return float(1.0 - self.initial[self.leave])

    def scores(self, probabilities: np.ndarray) -> np.ndarray:
        """How near the texts come: 1 - P(leave), for probabilities [n, 2]; more is nearer."""
        return 1.0 - probabilities[:, self.leave]

    def reached(self, probabilities: np.ndarray) -> np.ndarray:
        """Which of the texts the victim gives another label: bool [n]. A tie counts as label 0, as argmax has it."""
        return probabilities.argmax(axis=1) != self.leave


class Attacker(Protocol):
    """A search for a text that reaches a goal.

    ``constraints`` are those of the attacker's own source; the engine enforces them beside the run's. ``describe`` says
    algorithm variant, source, parameters and resources, ready for JSON, and is part of a run's header.
    """

    @property
    def name(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def constraints(self) -> Sequence[Any]: ...

    def describe(self) -> dict[str, Any]: ...

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search: ...
