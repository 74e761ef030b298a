"""Emptying SQLite's journal, which keeps earlier versions of pages, and with them what somebody erased.

It can be emptied only while nobody reads what it was written beside. So it is tried when somebody withdraws, and by the
supervisor again and again.
"""

from __future__ import annotations

from django.db import connection

PATIENCE = 2.0
"""Seconds that a withdrawal waits for readers before the journal is left to the supervisor."""
MOMENT = 0.1
"""As long as the supervisor waits each time. Nobody writes meanwhile, so it must be short."""


def empty_journal(*, patience: float = MOMENT) -> bool:
    """Write the journal into the database and cut it to nothing. False when somebody who reads or writes was in the way."""
    if connection.vendor != "sqlite":
        return True
    with connection.cursor() as cursor:
        # Most of the work first, which keeps nobody from writing.
        cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")
        cursor.execute("PRAGMA busy_timeout")
        (usual,) = cursor.fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {round(patience * 1000)}")
        try:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy, *_ = cursor.fetchone()
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {usual}")
    return not busy
