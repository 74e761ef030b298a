"""Everybody at every door: the addresses come from the resolver, what each role gets there from one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from http.cookies import SimpleCookie

import pytest
from django.db import connection
from django.http import HttpResponseBase, StreamingHttpResponse
from django.test import Client
from rest_framework.throttling import SimpleRateThrottle

from annotation.models import Campaign

from .conftest import undone
from .marks import Mark, marks_in, marks_of
from .rows import ROWS
from .table import METHODS, Row, addresses
from .world import ROLES, World

pytestmark = pytest.mark.django_db

SEEN_ANYWHERE: Mapping[str, tuple[str, ...]] = {
    "annotator": ("inside", "text"),
    "other_annotator": ("inside", "text"),
    "adjudicator": ("inside", "text", "answer", "ruling"),
}
"""Marked words of their own campaigns that may stand on any page of a role's; organisers see all."""


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody knocks more often than people may."""
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", dict.fromkeys(SimpleRateThrottle.THROTTLE_RATES))


@pytest.fixture(scope="module")
def sessions(world: World) -> Mapping[str, SimpleCookie]:
    """The cookies of each role."""
    return {role: world.client(role).cookies for role in ROLES}


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    assert set(ROWS) == set(addresses())


@pytest.mark.parametrize("name", sorted(ROWS))
def test_every_row_names_the_parameters_of_its_address(name: str) -> None:
    assert set(ROWS[name].args) == addresses()[name]


@pytest.mark.parametrize("name", sorted(ROWS))
def test_each_role_gets_what_the_table_says(name: str, world: World, sessions: Mapping[str, SimpleCookie]) -> None:
    assert list(_wrong(name, world, sessions, METHODS[:2])) == []


@pytest.mark.parametrize("name", sorted(name for name, row in ROWS.items() if row.get))
def test_head_is_answered_as_get_is(name: str, world: World, sessions: Mapping[str, SimpleCookie]) -> None:
    row = ROWS[name]
    role = next(role for role in sessions if role in row.roles("get"))
    address = world.address(name, row.args, row.protocol, row.queries[0])
    statuses = []
    for method in ("get", "head"):
        with undone():
            statuses.append(_knock(sessions[role], method, address, row, {}).status_code)
    assert statuses[0] == statuses[1]


@pytest.mark.nightly
@pytest.mark.parametrize("state", [state for state in Campaign.State if state != Campaign.State.DELETED])
@pytest.mark.parametrize("name", sorted(ROWS))
def test_each_role_gets_it_in_every_phase(name: str, state: str, world: World, sessions: Mapping[str, SimpleCookie]) -> None:
    with undone():
        Campaign.objects.update(state=state)
        assert [wrong for protocol in world.campaigns for wrong in _wrong(name, world, sessions, METHODS, protocol)] == []


def _wrong(
    name: str, world: World, sessions: Mapping[str, SimpleCookie], methods: Sequence[str], protocol: str = ""
) -> Iterator[str]:
    row = ROWS[name]
    protocol = protocol or row.protocol
    form = world.values(row.form, protocol)
    for role, cookies in sessions.items():
        for method in [each for each in METHODS if each in methods or row.roles(each)]:
            for query in row.queries if method == "get" else ("",):
                address = world.address(name, row.args, protocol, query)
                where = f"{role}: {method.upper()} {address}"
                with undone():
                    before = _rows_written()
                    response = _knock(cookies, method, address, row, form)
                    body = _body(response)
                    written = _rows_written() - before
                allowed = role in row.roles(method)
                if not _as_declared(row, role, method, response):
                    yield f"{where} gives {response.status_code}"
                if leaked := marks_in(body) - _visible(row, role, world, allowed):
                    yield f"{where} shows {sorted(leaked)}"
                if written and not allowed:
                    yield f"{where} writes {written} rows"


def _knock(cookies: SimpleCookie, method: str, address: str, row: Row, form: Mapping[str, str]) -> HttpResponseBase:
    client = Client()
    client.cookies = SimpleCookie(cookies.output(header="", sep=";"))
    how = {"content_type": "application/json"} if row.api and method != "get" else {}
    data = form if method == "post" else {}
    response: HttpResponseBase = getattr(client, method)(address, data, **how)
    return response


def _as_declared(row: Row, role: str, method: str, response: HttpResponseBase) -> bool:
    status = response.status_code
    if role in row.roles(method):
        if method == "get":
            # Whoever is signed in has nothing to do on the sign-in page and is sent on.
            return status in row.sends or (status == 302 and not _to_sign_in(response))
        return status in (400, 409, 422) or (status < 400 and not _to_sign_in(response))
    if status == 405 or role == "anonymous":
        return status == 405 or (status == row.anonymous and (status != 302 or _to_sign_in(response)))
    # A member who may not use the method may be told so: they know that the address exists.
    knows = any(role in row.roles(other) for other in METHODS)
    return status == row.strangers or (status == 403 and knows)


def _rows_written() -> int:
    """How many rows this connection has written, undone ones included."""
    return int(connection.connection.total_changes)


def _to_sign_in(response: HttpResponseBase) -> bool:
    return response.headers.get("Location", "").startswith("/signin/")


def _visible(row: Row, role: str, world: World, allowed: bool) -> set[Mark]:
    """The marked words that this role may see on this page."""
    if not allowed:
        return set()
    shown = row.shows.get(role, ())
    person = world.people.get(role)
    own = Campaign.objects.filter(memberships__user=person) if person else Campaign.objects.none()
    visible = {found for campaign in own for found in marks_of(campaign.name, *SEEN_ANYWHERE.get(role, ()))}
    if own.filter(name__startswith="empty").exists():
        visible |= set(marks_of("empty", "inside"))
    everybodys = {found for campaign in world.campaigns.values() for found in marks_of(campaign.name, *shown)} if shown else set()
    return visible | everybodys


def _body(response: HttpResponseBase) -> str:
    parts = response.streaming_content if isinstance(response, StreamingHttpResponse) else [response.content]  # type: ignore[attr-defined]
    return b"".join(parts).decode(errors="replace") + str(response.headers)
