"""The second-order attack: spoil a text as far as a constraint still accepts it (Morris 2020, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attacks.engine.lockstep import generator_of
from attacks.robustness.damage import Damage
from attacks.text import Text

Accept = Callable[[Sequence[str], Sequence[str]], np.ndarray]
"""Originals and candidates to how readily the constraint accepts them, float64 [n]: more is readier."""
Fluent = Callable[[Sequence[str], Sequence[str]], np.ndarray]
"""Originals and candidates to whether they read well enough, bool [n]."""


@dataclass(frozen=True, slots=True)
class Spoiled:
    """An example after so many damages as were wanted: the text that is accepted most readily, and how readily.

    ``text`` and ``accepted`` are None where the text has too few words that can be spoiled. ``damages`` name what was done.
    """

    id: int
    original: str
    text: str | None = None
    accepted: float | None = None
    damages: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__} | {"damages": list(self.damages)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Spoiled:
        return cls(**values | {"damages": tuple(values["damages"])})


@dataclass(frozen=True, slots=True)
class _State:
    text: Text
    damaged: frozenset[int] = frozenset()
    done: tuple[str, ...] = ()


Scored = dict[int, list[tuple[float, _State]]]
"""By example: how readily each text is accepted, and how it came about."""


def spoil(
    examples: Sequence[tuple[int, str]],
    accept: Accept,
    damages: Sequence[Damage],
    *,
    wanted: int,
    beam: int = 4,
    most: int = 60,
    seed: int = 0,
    fluent: Fluent | None = None,
) -> list[Spoiled]:
    """Spoil ``wanted`` words of each example, id and text, so that the constraint accepts the text as readily as possible.

    Beam search: of all texts with one more damage, at most ``most`` drawn at random for each text of the beam, the ``beam``
    that are accepted most readily are spoiled further; with ``fluent``, of those that read well enough. The examples go in lock
    step, the constraint is asked once a step.
    An example has its own random generator, so what comes of it does not depend on the others.
    """
    originals = dict(examples)
    generators = {id: generator_of(seed, id) for id, _ in examples}
    beams: dict[int, list[_State]] = {id: [_State(Text(text))] for id, text in examples}
    best: dict[int, float] = {}
    for _ in range(wanted):
        next_states = {id: _further(states, damages, generators[id], most) for id, states in beams.items()}
        asked = [(id, state) for id, states in next_states.items() for state in states]
        readiness = accept([originals[id] for id, _ in asked], [state.text.text for _, state in asked])
        scored: Scored = {id: [] for id in originals}
        for (id, state), ready in zip(asked, readiness.tolist(), strict=True):
            scored[id].append((ready, state))
        for each in scored.values():
            each.sort(key=lambda found: -found[0])  # stable: the first of equals stays first
        kept = _first(scored, beam) if fluent is None else _first_fluent(scored, beam, originals, fluent)
        beams = {id: [state for _, state in each] for id, each in kept.items()}
        best = {id: each[0][0] for id, each in kept.items() if each}
    return [
        Spoiled(id, text, beams[id][0].text.text, best[id], beams[id][0].done) if beams[id] else Spoiled(id, text)
        for id, text in examples
    ]


def _first(scored: Scored, beam: int) -> Scored:
    return {id: each[:beam] for id, each in scored.items()}


def _first_fluent(scored: Scored, beam: int, originals: dict[int, str], fluent: Fluent) -> Scored:
    """The first ``beam`` of each example that read well enough. A language model is slow: it is asked about as many as are
    wanted, and about as many again where that was not enough."""
    kept: Scored = {id: [] for id in scored}
    for start in range(0, max(map(len, scored.values()), default=0), beam):
        asked = [(id, found) for id, each in scored.items() if len(kept[id]) < beam for found in each[start : start + beam]]
        if not asked:
            break
        reads = fluent([originals[id] for id, _ in asked], [state.text.text for _, (_, state) in asked])
        for (id, found), well in zip(asked, reads.tolist(), strict=True):
            if well:
                kept[id].append(found)
    return _first(kept, beam)


def _further(states: Sequence[_State], damages: Sequence[Damage], rng: np.random.Generator, most: int) -> list[_State]:
    """The texts with one more damage; of texts that come about in two ways, the first way."""
    found: dict[str, _State] = {}
    for state in states:
        options = list(_options(state, damages, rng))
        if len(options) > most:
            options = [options[place] for place in sorted(rng.choice(len(options), size=most, replace=False).tolist())]
        for option in options:
            found.setdefault(option.text.text, option)
    return list(found.values())


def _options(state: _State, damages: Sequence[Damage], rng: np.random.Generator) -> Iterator[_State]:
    for index in range(len(state.text.spans)):
        if index in state.damaged or not state.text.word(index):
            continue
        for damage in damages:
            for text in damage.at(state.text, index, rng):
                yield _State(text, state.damaged.union(index + step for step in damage.reach), (*state.done, damage.name))
