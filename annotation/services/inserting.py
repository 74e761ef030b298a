"""Inserting very many items in as little time as can be: while SQLite inserts, nobody else writes.

`bulk_create` spends most of its time on turning values into those of the database. Here that is done before, without a lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, models

from annotation.models import Item, Slot

from .campaigns import ReadyItems


@dataclass(frozen=True, slots=True)
class Insertion:
    """Statements, each with the values of all the rows that it inserts."""

    statements: tuple[tuple[str, Sequence[tuple[Any, ...]]], ...]


def insertion_of(ready: ReadyItems) -> Insertion:
    """What inserts the items and then their slots. A slot finds its item by the number, as no item has a key yet."""
    items, item_rows = _rows(Item, ready.items)
    slots, slot_rows = _rows(Slot, ready.slots, but="item")
    item, slot = connection.ops.quote_name(Item._meta.db_table), connection.ops.quote_name(Slot._meta.db_table)
    found = f"(SELECT id FROM {item} WHERE campaign_id = %s AND number = %s)"
    of_item = [(made.campaign_id, made.item.number, *row) for made, row in zip(ready.slots, slot_rows, strict=True)]
    return Insertion((
        (f"INSERT INTO {item} ({_names(items)}) VALUES ({_places(items)})", item_rows),
        (f"INSERT INTO {slot} (item_id, {_names(slots)}) VALUES ({found}, {_places(slots)})", of_item),
    ))  # fmt: skip


def insert(insertion: Insertion) -> None:
    """Insert all rows, within the caller's transaction."""
    with connection.cursor() as cursor:
        for statement, rows in insertion.statements:
            if rows:
                cursor.executemany(statement, rows)


def _rows(
    model: type[models.Model], made: Iterable[models.Model], *, but: str = ""
) -> tuple[list[models.Field[Any, Any]], list[tuple[Any, ...]]]:
    fields = [field for field in model._meta.concrete_fields if not field.primary_key and field.name != but]
    values = [
        tuple(field.get_db_prep_save(getattr(row, field.attname), connection=connection) for field in fields) for row in made
    ]
    return fields, values


def _names(fields: Iterable[models.Field[Any, Any]]) -> str:
    return ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)


def _places(fields: Sequence[models.Field[Any, Any]]) -> str:
    return ", ".join(["%s"] * len(fields))
