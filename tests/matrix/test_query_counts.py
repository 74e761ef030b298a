"""A page asks the database equally often however long its lists are."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from django.db import connection
from django.http import StreamingHttpResponse
from django.test.utils import CaptureQueriesContext

from .conftest import undone
from .rows import ROWS
from .world import World, build

pytestmark = pytest.mark.django_db

SIZES = (1, 3, 30)
MOST = 40
"""Queries of any one page."""


@pytest.fixture(scope="module")
def worlds(open_database: None) -> Mapping[int, World]:
    """One world of each size, side by side in one database."""
    protocols = sorted({row.protocol for row in ROWS.values() if row.get})
    return {size: build(size, prefix=f"{'x' * size}-", protocols=protocols) for size in SIZES}


@pytest.mark.parametrize(
    ("name", "query"), [(name, query) for name, row in sorted(ROWS.items()) if row.get and row.counted for query in row.queries]
)
def test_the_number_of_queries_is_the_same_for_1_3_and_30_rows(name: str, query: str, worlds: Mapping[int, World]) -> None:
    counts = {size: _queries(world, name, query) for size, world in worlds.items()}
    assert set(counts.values()) == {counts[1]}, counts
    assert counts[1] <= MOST


def _queries(world: World, name: str, query: str) -> int:
    row = ROWS[name]
    client = world.client(row.reader)
    address = world.address(name, row.args, row.protocol, query)
    with undone():
        # The first visit may do what is done once: give back claims that ran out, hand out an item.
        client.get(address)
        with CaptureQueriesContext(connection) as asked:
            response = client.get(address)
            if isinstance(response, StreamingHttpResponse):
                b"".join(response.streaming_content)  # type: ignore[arg-type]
    assert response.status_code in row.sends
    return len(asked)
