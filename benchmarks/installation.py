"""A scratch installation: a data folder and a database of its own, both gone afterwards. Never the real ones."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

SQLITE = "sqlite"


@contextmanager
def scratch_installation(database: str = SQLITE, begin_with: Path | None = None) -> Iterator[None]:
    """Set up Django on an empty, migrated database: SQLite in the scratch folder, or a new database on the PostgreSQL server
    that `database` is the address of. Processes started within inherit it. On SQLite, what `begin_with` was migrated to already
    is not done again."""
    folder = tempfile.mkdtemp(prefix="passable-benchmark-")
    os.environ["PASSABLE_DATA"] = folder
    os.environ["LOG_LEVEL"] = "ERROR"
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    os.environ.pop("DATABASE_URL", None)
    try:
        if database == SQLITE:
            if begin_with is not None:
                shutil.copy(begin_with, Path(folder) / "db.sqlite3")
            _migrate()
            yield
        else:
            with _database_on(database) as address:
                os.environ["DATABASE_URL"] = address
                _migrate()
                yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _migrate() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


@contextmanager
def _database_on(server: str) -> Iterator[str]:
    name = f"passable_benchmark_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    try:
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
