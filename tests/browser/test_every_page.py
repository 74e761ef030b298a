"""Every page of the site, populated, as everybody who may open it: axe, widths, headings, focus, console. The pages come from the
table of permissions, so that a new address is looked at without being listed here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest

from tests.matrix.rows import ROWS
from tests.matrix.world import ROLES, World, build

from .conftest import Visitor
from .examination import THEMES, faults

pytestmark = pytest.mark.browser

WATCHED = ("anonymous", "annotator", "adjudicator", "organiser")
"""Roles that see different pages; the others see what one of these sees."""
OWN_FACE = ("start", "sheet", "conflicts", "conflict")
"""Pages that each of them sees differently; the others are looked at as their reader only."""


@pytest.fixture
def world(transactional_db: None) -> World:
    return build(size=2)


@pytest.mark.parametrize("role", WATCHED)
def test_every_page_once(role: str, world: World, visitor: Callable[..., Visitor]) -> None:
    guest = arrive(visitor, world, role)
    wrong = []
    seen = [name for name, row in ROWS.items() if (row.page and role == row.reader) or name in OWN_FACE]
    for number, address in enumerate(pages(world, role, seen)):
        wrong += look_at(guest, address, (THEMES[number % 2],))
    wrong += guest.complaints
    assert not wrong, "\n".join(wrong)


@pytest.mark.nightly
@pytest.mark.parametrize("protocol", list(build.__kwdefaults__["protocols"]))
@pytest.mark.parametrize("role", ROLES)
def test_every_page_of_every_protocol(role: str, protocol: str, world: World, visitor: Callable[..., Visitor]) -> None:
    guest = arrive(visitor, world, role)
    wrong = [fault for address in pages(world, role, ROWS, protocol) for fault in look_at(guest, address, THEMES)]
    wrong += guest.complaints
    assert not wrong, "\n".join(wrong)


def arrive(visitor: Callable[..., Visitor], world: World, role: str, **options: bool) -> Visitor:
    guest = visitor(**options)
    if role in world.people:
        guest.sign_in(world.people[role].username)
    return guest


def pages(world: World, role: str, names: Iterable[str] = ROWS, protocol: str = "") -> Iterator[str]:
    """The addresses of the named pages that this role may open."""
    for name, row in ((name, ROWS[name]) for name in names):
        if row.page and role in row.get:
            for query in row.queries:
                yield world.address(name, row.args, protocol or row.protocol, query)


def look_at(guest: Visitor, address: str, themes: tuple[str, ...]) -> list[str]:
    response = guest.page.goto(guest.address + address)
    assert response is not None
    if response.status != 200:
        return [f"{address} gives {response.status}"]
    return [f"{address} {fault}" for fault in faults(guest.page, themes=themes)]
