"""Clients of people who are signed in, and how many queries their pages take."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import User

SignIn = Callable[[User], Client]
SameQueries = Callable[..., dict[int, str]]


@pytest.fixture
def sign_in() -> SignIn:
    def as_user(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return as_user


@pytest.fixture
def same_queries(organiser: User, sign_in: SignIn) -> SameQueries:
    """Opens an organiser's page for 1, 3 and 30 things. All three have to take as many queries, `at_most` so many.

    `build` makes what the number says, and gives the address. Returns number → page.
    """

    def visit(build: Callable[[int], str], *, at_most: int) -> dict[int, str]:
        client, pages, taken = sign_in(organiser), {}, {}
        for count in (1, 3, 30):
            address = build(count)
            with CaptureQueriesContext(connection) as queries:
                pages[count] = client.get(address).text
            taken[count] = len(queries)
        assert len(set(taken.values())) == 1, taken
        assert taken[1] <= at_most
        return pages

    return visit
