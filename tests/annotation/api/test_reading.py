"""What bodies may hold, whichever call they are sent to."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.models import Campaign, User

from .conftest import Caller, problem

KEYS = [r"k\ud800", r"a\u0000b"]
BODIES = ['{"%s": 1}', '{"name": "x", "settings": {"%s": 1}}', '[{"a": [{"%s": 1}]}]']


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("body", BODIES)
def test_the_name_of_a_field_is_a_text_that_can_be_stored(
    key: str, body: str, organiser: User, campaign: Campaign, calling: Caller, client: Client
) -> None:
    def refused(sender: Client, path: str, **more: Any) -> str:
        response = sender.post(path, body % key, content_type="application/json")
        assert problem(response) == (400, "parse_error")
        return str(response.json()["detail"])

    says = "The name of a field is wrong. Text may hold neither NUL nor half of a surrogate pair."
    assert refused(client, "/api/sign-in/") == says
    assert refused(calling(organiser), "/api/campaigns/") == says
    assert refused(calling(organiser), "/api/campaigns/harbour/items/") == says
