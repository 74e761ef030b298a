"""Every form of every page, completed and sent in a browser that runs no script; then the database has changed as declared."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from django.apps import apps
from django.db import connection

from tests.matrix.rows import ROWS
from tests.matrix.world import World, build

from .conftest import Visitor
from .filled import FORMS
from .forms import Form, complete, names_of_forms, send
from .occasions import OCCASIONS
from .test_every_page import WATCHED, arrive, pages

pytestmark = pytest.mark.browser


@pytest.fixture
def world(transactional_db: None) -> World:
    return build(size=2, protocols=sorted({row.protocol for row in ROWS.values()}))


def test_every_form_works_without_script(world: World, visitor: Callable[..., Visitor]) -> None:
    wrong: list[str] = []
    sent: set[str] = set()
    for role in WATCHED:
        guest = arrive(visitor, world, role, java_script_enabled=False)
        for address, happened in _visits(world, role):
            with database_as_before(guest):
                happened()
                guest.open(address())
                found = {name for name, _ in names_of_forms(guest.page)}
            for name in sorted(found - sent):
                with database_as_before(guest):
                    happened()
                    page = guest.open(address())
                    faults = _send(guest, name, FORMS[name]) if name in FORMS else ["is not in the table"]
                    wrong += [f"{page.url}: {name}: {fault}" for fault in faults]
            sent |= found | {FORMS[name].then[0] for name in found & set(FORMS) if FORMS[name].then}
        # The browser reports each refused form, which the statuses are about.
        guest.complaints.clear()
    wrong += [f"{name} stands on no page" for name in sorted(set(FORMS) - sent)]
    assert not wrong, "\n".join(wrong)


def _visits(world: World, role: str) -> Iterator[tuple[Callable[[], str], Callable[[], None]]]:
    """Each page's address, and what happens before the visit."""
    for address in pages(world, role):
        yield partial(str, address), lambda: None
    for occasion in OCCASIONS:
        if occasion.role == role:
            happened = partial(occasion.happened, world.campaigns[occasion.protocol])
            args = occasion.args or ROWS[occasion.page].args
            # What the address names may only be there once it has happened, so it is asked for then.
            yield partial(world.address, occasion.page, args, occasion.protocol), happened


def _send(guest: Visitor, name: str, wanted: Form) -> Iterator[str]:
    """Complete and send the form on the page that is open, and the one that it leads to."""
    button = dict(reversed(names_of_forms(guest.page)))[name]
    complete(button.locator("xpath=ancestor::form"), wanted)
    before = {table: _state(table) for table in wanted.changes}
    status = send(guest.page, button)
    if status != wanted.status:
        said = guest.page.locator("[role=alert], .notice").all_inner_texts()
        yield f"gives {status}: {said}"
    unchanged = [table for table, state in before.items() if _state(table) == state]
    if unchanged:
        yield f"changed nothing in {', '.join(unchanged)}: {guest.page.locator('.notice').all_inner_texts()}"
    if wanted.then:
        yield from _send(guest, *wanted.then)


def _state(table: str) -> str:
    rows = apps.get_model(table)._default_manager.order_by("pk").values_list()
    return hashlib.sha256(repr(list(rows)).encode()).hexdigest()


@contextmanager
def database_as_before(guest: Visitor) -> Iterator[None]:
    """Puts database and cookies back at the end: pages were served by other threads, so no transaction could undo it."""
    connection.ensure_connection()
    kept, cookies = sqlite3.connect(":memory:"), guest.context.cookies()
    connection.connection.backup(kept)
    try:
        yield
    finally:
        kept.backup(connection.connection)
        kept.close()
        guest.context.clear_cookies()
        guest.context.add_cookies(cookies)  # type: ignore[arg-type]
