"""Reading a campaign as it is at one moment, however long that takes and whoever answers meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from annotation.models import Campaign
from annotation.services.pseudonyms import everybody_has_a_number, pseudonyms_of


@contextmanager
def snapshot(campaign: Campaign) -> Iterator[None]:
    """Whatever is read within shows the database at one moment; nothing can be written. Within a transaction, that one holds.

    Numbers for people who have none are given before, and once more for whoever has given a first answer just then.
    """
    if connection.in_atomic_block or _begun():
        yield
        return
    while True:
        pseudonyms_of(campaign)
        with _frozen():
            if everybody_has_a_number(campaign):
                yield
                return


def in_one_snapshot(campaign: Campaign, parts: Iterator[bytes]) -> Iterator[bytes]:
    """The parts, all of which are made in one snapshot while they are read."""
    with snapshot(campaign):
        yield from parts


def _begun() -> bool:
    """Whether a snapshot holds already on SQLite, of which Django knows nothing."""
    return connection.vendor == "sqlite" and connection.connection is not None and connection.connection.in_transaction


@contextmanager
def _frozen() -> Iterator[None]:
    if connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
        return
    # Django's own transactions lock SQLite for writing at once; this one only reads, and keeps nobody from answering.
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
