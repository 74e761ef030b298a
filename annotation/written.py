"""Single rows written for every answer.

`Model.save()` puts each statement together anew, which takes several times longer than the database takes to carry it out. These
write one row of one table as it does, without its signals, which nothing here listens to, and remember the statement; PostgreSQL
remembers its plan, as for queries (see `prepared`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any, cast

from django.db import connection
from django.db.models import Field, Model

from annotation.prepared import NUMBERS, keeps_plans, planned


def insert(row: Model, *, instead: str | None = None) -> None:
    """Store a new row; the database gives its key. If there is one already with the same value of the field `instead`, it comes
    to say what this one says."""
    fields = [field.name for field in row._meta.concrete_fields if not field.primary_key]
    [row.pk] = _execute(_inserting(type(row), instead), row, fields)
    row._state.adding, row._state.db = False, connection.alias


def update(row: Model, *fields: str) -> None:
    """Write these fields of a row that the caller's transaction holds."""
    _execute(_updating(type(row), fields), row, [*fields, row._meta.pk.name])


@dataclass(frozen=True, slots=True)
class _Statement:
    sql: str
    name: str

    @classmethod
    def of(cls, sql: str) -> _Statement:
        return cls(sql, f"row_{next(NUMBERS)}")

    def numbered(self, _: object) -> str:
        places = count(1)
        return re.sub("%s", lambda _: f"${next(places)}", self.sql)


def _execute(statement: _Statement, row: Model, fields: Sequence[str]) -> Sequence[Any]:
    columns = [_column(type(row), name) for name in fields]
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for field in columns]
    known = keeps_plans(connection)
    sql = planned(connection, statement.name, statement.numbered, len(values)) if known else statement.sql
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchone() if cursor.description else ()


@cache
def _inserting(model: type[Model], instead: str | None) -> _Statement:
    key, *columns = _columns(model)
    statement = f"INSERT INTO {_quoted(model._meta.db_table)} ({', '.join(columns)}) VALUES ({', '.join(['%s'] * len(columns))})"
    if instead is not None:
        unique = _quoted(_column(model, instead).column)
        said = ", ".join(f"{column} = EXCLUDED.{column}" for column in columns if column != unique)
        statement += f" ON CONFLICT ({unique}) DO UPDATE SET {said}"
    return _Statement.of(f"{statement} RETURNING {key}")


@cache
def _updating(model: type[Model], fields: tuple[str, ...]) -> _Statement:
    key, *_ = _columns(model)
    said = ", ".join(f"{_quoted(_column(model, name).column)} = %s" for name in fields)
    return _Statement.of(f"UPDATE {_quoted(model._meta.db_table)} SET {said} WHERE {key} = %s")


def _columns(model: type[Model]) -> list[str]:
    """The key first, then the others in the model's order."""
    key = model._meta.pk
    return [_quoted(field.column) for field in (key, *(field for field in model._meta.concrete_fields if field is not key))]


def _column(model: type[Model], name: str) -> Field[Any, Any]:
    return cast("Field[Any, Any]", model._meta.get_field(name))


def _quoted(name: str | None) -> str:
    return connection.ops.quote_name(cast("str", name))
