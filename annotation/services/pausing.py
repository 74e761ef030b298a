"""Whoever writes much, in many short transactions, lets others write in between."""

from __future__ import annotations

import time

from django.db import connection

SECONDS = 0.1
"""SQLite does not queue writers: those who wait look whether it is their turn, in the end every tenth of a second. Whoever writes
again at once is nearly always faster."""


def pause() -> None:
    """Called between two transactions of many."""
    if connection.vendor == "sqlite":
        time.sleep(SECONDS)
