"""Queries that are asked for every answer, put into SQL once.

Django builds a query anew each time that it is asked, and for one with several subqueries that takes ten times longer than the
database takes to answer it. `prepared` keeps the SQL, and how its rows become objects, for as long as the process lives.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

from django.db import connections
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler

P = ParamSpec("P")
Row = TypeVar("Row")
FIRST_STAND_IN = 1_600_000_000
"""Stand-ins for numbers count from here: larger than any constant in a query, and still in the range of every column of ids."""


def prepared(build: Callable[P, QuerySet[Any, Row]]) -> Callable[P, list[Row]]:
    """Let a function from keyword arguments to a queryset build it once for all numbers and strings that it is asked with, and
    give its rows.

    Numbers and strings become parameters of the SQL: `build` may hand them to lookups, and do nothing else with them. Every other
    value (None, a truth value, a tuple) shapes the query, and each shape has SQL of its own.
    """
    known: dict[object, _Template[Row]] = {}

    @wraps(build)
    def ask(*args: P.args, **values: P.kwargs) -> list[Row]:
        shape = tuple((name, type(value) if _is_parameter(value) else (value,)) for name, value in values.items())
        template = known.get(shape)
        if template is None:
            template = known[shape] = _Template(build, values)
        return template.rows(values)

    return ask


class _Template(Generic[Row]):
    """One shape of a query: its SQL, with the places where the values go."""

    def __init__(self, build: Callable[..., QuerySet[Any, Row]], values: Mapping[str, object]) -> None:
        stand_ins = {name: _stand_in(n, value) for n, (name, value) in enumerate(values.items()) if _is_parameter(value)}
        self.queryset = build(**{**values, **stand_ins})
        self.compiler = self.queryset.query.get_compiler(self.queryset.db)
        self.sql, parameters = self.compiler.as_sql()
        names = {stand_in: name for name, stand_in in stand_ins.items()}
        self.parameters = [(names.get(parameter) if _is_parameter(parameter) else None, parameter) for parameter in parameters]
        lost = set(stand_ins) - {name for name, _ in self.parameters}
        if lost:
            raise TypeError(f"{build.__name__} does more with {', '.join(sorted(lost))} than hand it to a lookup.")

    def rows(self, values: Mapping[str, object]) -> list[Row]:
        """What the query gives for these values."""
        parameters = tuple(constant if name is None else values[name] for name, constant in self.parameters)
        query = copy.copy(self.queryset.query)
        query.get_compiler = lambda using, **options: self._compiler(using, parameters)  # type: ignore[method-assign]
        filled = type(self.queryset)(model=self.queryset.model, query=query, using=self.queryset.db)
        filled._iterable_class, filled._fields = self.queryset._iterable_class, self.queryset._fields  # type: ignore[attr-defined]
        return list(filled)

    def _compiler(self, using: str, parameters: tuple[object, ...]) -> SQLCompiler:
        """The compiler that made the SQL knows which columns become which objects; it only has to leave the SQL as it is."""
        compiler = copy.copy(self.compiler)
        compiler.connection = connections[using]
        compiler.as_sql = lambda *args, **options: (self.sql, parameters)
        return compiler


def _is_parameter(value: object) -> bool:
    return type(value) in (int, str)


def _stand_in(number: int, value: object) -> int | str:
    return FIRST_STAND_IN + number if isinstance(value, int) else f"stand-in {number}"
