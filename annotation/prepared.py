"""Queries that are asked for every answer, put into SQL once.

Django builds a query anew each time that it is asked, and for one with several subqueries that takes ten times longer than the
database takes to answer it. `prepared` keeps the SQL, and how its rows become objects, for as long as the process lives; on
PostgreSQL also its plan, for as long as the connection does.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping
from functools import wraps
from itertools import count
from typing import Any, Generic, ParamSpec, TypeVar

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model, QuerySet
from django.db.models.sql.compiler import SQLCompiler

P = ParamSpec("P")
Row = TypeVar("Row")
NUMBERS = count(1)
"""Of the shapes that this process has met: statements of two functions with one name must not be taken for each other."""
FIRST_STAND_IN = 1_600_000_000
"""Stand-ins for numbers count from here: larger than any constant in a query, and still in the range of every column of ids."""


def prepared(
    *, share: type[Model] | None = None, hold: type[Model] | None = None
) -> Callable[[Callable[P, QuerySet[Any, Row]]], Callable[P, list[Row]]]:
    """Let a function from keyword arguments to a queryset build it once for all numbers and strings that it is asked with, and
    give its rows.

    Numbers and strings become parameters of the SQL: `build` may hand them to lookups, and do nothing else with them. Every other
    value (None, a truth value, a tuple) shapes the query, and each shape has SQL of its own.

    A query that locks rows may `share` those of one joined table, which Django has no word for: many hold them at once, nobody
    locks them whole meanwhile. It may `hold` those of another that no row of the result shows. Both come before the rows that the
    query locks itself. (SQLite has one writer at a time and needs none of this.)
    """

    def keeping(build: Callable[P, QuerySet[Any, Row]]) -> Callable[P, list[Row]]:
        known: dict[object, _Template[Row]] = {}

        @wraps(build)
        def ask(*args: P.args, **values: P.kwargs) -> list[Row]:
            shape = tuple((name, type(value) if _is_parameter(value) else (value,)) for name, value in values.items())
            template = known.get(shape)
            if template is None:
                template = known[shape] = _Template(build, values, next(NUMBERS), share, hold)
            return template.rows(values)

        return ask

    return keeping


class _Template(Generic[Row]):
    """One shape of a query: its SQL, with the places where the values go."""

    def __init__(
        self,
        build: Callable[..., QuerySet[Any, Row]],
        values: Mapping[str, object],
        number: int,
        share: type[Model] | None,
        hold: type[Model] | None,
    ) -> None:
        stand_ins = {name: _stand_in(n, value) for n, (name, value) in enumerate(values.items()) if _is_parameter(value)}
        self.name = f"{build.__name__}_{number}"
        self.queryset = build(**{**values, **stand_ins})
        self.compiler = self.queryset.query.get_compiler(self.queryset.db)
        self.sql, parameters = self.compiler.as_sql()
        self.converters = self.compiler.get_converters([column for column, *_ in self.compiler.select])
        if connections[self.queryset.db].vendor == "postgresql":
            # PostgreSQL locks a row's parts in the order in which they are named.
            before = f' FOR KEY SHARE OF "{share._meta.db_table}"' if share is not None else ""
            before += f' FOR NO KEY UPDATE OF "{hold._meta.db_table}"' if hold is not None else ""
            self.sql = self.sql.replace(" FOR NO KEY", f"{before} FOR NO KEY", 1)
        names = {stand_in: name for name, stand_in in stand_ins.items()}
        self.parameters = [(names.get(parameter) if _is_parameter(parameter) else None, parameter) for parameter in parameters]
        self.values = list(dict.fromkeys(name for name, _ in self.parameters if name is not None))
        lost = set(stand_ins) - set(self.values)
        if lost:
            raise TypeError(f"{build.__name__} does more with {', '.join(sorted(lost))} than hand it to a lookup.")

    def rows(self, values: Mapping[str, object]) -> list[Row]:
        """What the query gives for these values."""
        query = copy.copy(self.queryset.query)
        query.get_compiler = lambda using, **options: self._compiler(connections[using], values)  # type: ignore[method-assign]
        filled = type(self.queryset)(model=self.queryset.model, query=query, using=self.queryset.db)
        filled._iterable_class, filled._fields = self.queryset._iterable_class, self.queryset._fields  # type: ignore[attr-defined]
        return list(filled)

    def _compiler(self, connection: BaseDatabaseWrapper, values: Mapping[str, object]) -> SQLCompiler:
        """The compiler that made the SQL knows which columns become which objects; it only has to leave the SQL as it is and
        not to ask each column again what it holds."""
        compiler = copy.copy(self.compiler)
        compiler.connection = connection
        if keeps_plans(connection):
            call = planned(connection, self.name, self._numbered, len(self.values))
            statement = call, tuple(values[name] for name in self.values)
        else:
            statement = self.sql, tuple(constant if name is None else values[name] for name, constant in self.parameters)
        compiler.as_sql = lambda *args, **options: statement
        compiler.get_converters = lambda columns: self.converters
        return compiler

    def _numbered(self, connection: Any) -> str:
        """The SQL with $1, $2, … for the values; what is the same in each call is written out, so that it can be planned for."""
        from psycopg.sql import Literal

        places = (
            Literal(constant).as_string(connection) if name is None else f"${self.values.index(name) + 1}"
            for name, constant in self.parameters
        )
        return re.sub("%[s%]", lambda found: next(places) if found[0] == "%s" else "%", self.sql)


def keeps_plans(connection: BaseDatabaseWrapper) -> bool:
    """Whether `planned` works here. A pool between us and the server may forget statements as it forgets cursors; the same
    setting turns both off."""
    return connection.vendor == "postgresql" and not connection.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS")


def planned(connection: BaseDatabaseWrapper, name: str, numbered: Callable[[Any], str], values: int) -> str:
    """The call of a statement that PostgreSQL has planned already: planning takes it longer than answering, too. `numbered` gives
    the statement with $1, $2, … for its values; it is told to the server once in a connection, under this name."""
    connection.ensure_connection()
    known = connection.connection.__dict__.setdefault("prepared_by_passable", set())
    if name not in known:
        connection.connection.execute(f'PREPARE "{name}" AS {numbered(connection.connection)}')
        known.add(name)
    places = ", ".join(["%s"] * values)
    return f'EXECUTE "{name}" ({places})' if places else f'EXECUTE "{name}"'


def _is_parameter(value: object) -> bool:
    return type(value) in (int, str)


def _stand_in(number: int, value: object) -> int | str:
    return FIRST_STAND_IN + number if isinstance(value, int) else f"stand-in {number}"
