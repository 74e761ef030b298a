"""Drawing a sample from examples that were kept."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from annotation.models import Example, Item

from .conftest import COLUMNS, PAIRS, describe, send


def test_kept_examples_become_items_by_a_sample(client: Client) -> None:
    upload = send(client, "pairs.csv", PAIRS)
    describe(client, upload, **COLUMNS, kept="on")
    client.post(f"/campaigns/harbour/import/{upload.pk}/preview/")
    assert (Item.objects.count(), Example.objects.count()) == (0, 2)
    asked = {
        "uploads": upload.pk,
        "by": "attacker",
        "count": 1,
        "per": "each",
        "seed": 7,
        "common": 1,
        "common_slots": 3,
        "rest_slots": 1,
    }
    page = client.get("/campaigns/harbour/sample/", asked).text
    assert re.findall(r'<th scope="row">(\w+)</th><td>(\d)</td><td>(\d)</td>', page) == [("bug", "1", "1"), ("fooler", "1", "1")]
    assert Item.objects.count() == 0
    client.post("/campaigns/harbour/sample/", asked)
    assert sorted(item.slots.count() for item in Item.objects.all()) == [1, 3]
    assert "There is nothing new to draw." in client.get("/campaigns/harbour/sample/", asked).text


def test_a_sample_without_a_source_says_what_to_do(client: Client) -> None:
    assert "There is nothing to draw from yet." in client.get("/campaigns/harbour/sample/").text


@pytest.mark.parametrize("number", ["9" * 30, "-1", "x"])
@pytest.mark.parametrize("field", ["runs", "uploads"])
def test_a_source_that_no_number_can_name_is_refused_at_its_field(field: str, number: str, client: Client) -> None:
    send(client, "pairs.csv", PAIRS)
    asked = {"count": "1", "per": "all", "seed": "0", field: number}
    for answer in (client.get("/campaigns/harbour/sample/", asked), client.post("/campaigns/harbour/sample/", asked)):
        assert (answer.status_code, f"“{number}” is not a valid value." in answer.text) == (422, True)
