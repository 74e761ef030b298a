"""The populated world, made once for each module; whatever a test does to it is undone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from .world import World, build


@contextmanager
def undone() -> Iterator[None]:
    """What is done to the database within is undone at the end."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def open_database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database for a whole module."""
    with django_db_blocker.unblock(), undone():
        yield


@pytest.fixture(scope="module")
def world(open_database: None) -> World:
    return build()
