"""What attackers have in common: a name, a source, parameters, and what they need."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np

from attacks.engine.asks import Goal, Search
from attacks.resources import Need, Resources
from attacks.text import Text

Unit = Literal["characters", "words", "sentences"]


class NamedAttacker(ABC):
    """An attacker whose class says what it is.

    Parameters are the arguments of ``__init__`` that may be given by position, kept under their names; arguments by
    keyword only stand in for resources (word lists, models), so that tests and notebooks can hand over their own.
    """

    name: ClassVar[str]
    unit: ClassVar[Unit]
    variant: ClassVar[str]
    source: ClassVar[str]
    needs: ClassVar[Sequence[Need]] = ()
    constraints: Sequence[Any] = ()
    keeps_its_path: ClassVar[bool] = False
    """Whether the search comes to the same text under any further constraint that lets through every text on its way there,
    because it takes the best of what is admitted and nothing else hangs on what is refused (see `attacks.sweep`)."""

    @classmethod
    def parameters(cls) -> Mapping[str, Any]:
        """The parameters by name, with their defaults."""
        return _parameters_of(cls)

    @classmethod
    def made_with(cls, resources: Resources, **parameters: Any) -> Self:
        """One that draws on ``resources``. Attackers that need none of them leave this as it is."""
        return cls(**parameters)

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "variant": self.variant,
            "source": self.source,
            "parameters": {name: getattr(self, name) for name in self.parameters()},
        } | ({"keeps_its_path": True} if self.keeps_its_path else {})

    @abstractmethod
    def most_queries(self, text: Text) -> int:
        """How many texts an attack on ``text`` asks at most, first prediction and verification included."""

    @abstractmethod
    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search: ...


@dataclass(frozen=True)
class Recipe:
    """A named, citable setting of attackers: what ``build`` makes of the resources, under the recipe's own name."""

    name: str
    unit: Unit
    source: str
    build: Callable[..., NamedAttacker]
    needs: Sequence[Need] = ()

    def parameters(self) -> Mapping[str, Any]:
        """The parameters of ``build``, which takes the resources first."""
        return _parameters_of(self.build, skip=1)

    def made_with(self, resources: Resources, **parameters: Any) -> Cited:
        return Cited(self, self.build(resources, **parameters))


class Cited:
    """An attacker under the name and source of its recipe."""

    def __init__(self, recipe: Recipe, attacker: NamedAttacker) -> None:
        self.name: str = recipe.name
        self.unit: str = recipe.unit
        self.source = recipe.source
        self.attacker = attacker

    @property
    def constraints(self) -> Sequence[Any]:
        return self.attacker.constraints

    def describe(self) -> dict[str, Any]:
        inner = self.attacker.describe()
        return {"name": self.name, "variant": inner["variant"], "source": self.source, "parameters": {}, "made_of": inner}

    def most_queries(self, text: Text) -> int:
        return self.attacker.most_queries(text)

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        return self.attacker.search(text, goal, rng)


Maker: TypeAlias = type[NamedAttacker] | Recipe
"""An entry of the registry: what makes an attacker of a name."""


def _parameters_of(function: Callable[..., Any], skip: int = 0) -> Mapping[str, Any]:
    given = list(inspect.signature(function).parameters.values())[skip:]
    return {each.name: each.default for each in given if each.kind is each.POSITIONAL_OR_KEYWORD}
