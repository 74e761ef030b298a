"""What bodies may hold, whichever call they are sent to."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from django.test import Client

from annotation.models import Campaign, User
from annotation.services.claiming import claim_next

from .conftest import Caller, problem

NEW = {"name": "large", "title": "Large", "protocol": "meaning"}
UNSTORABLE = "Text may hold neither NUL nor half of a surrogate pair."
TOO_LARGE = "A number must be finite and at most 2^53."
CALLS = [
    ("post", "/api/campaigns/", '{"name": "a", "title": "t", "protocol": %s}', "/protocol"),
    (
        "post",
        "/api/campaigns/",
        '{"name": "a", "title": "t", "protocol": "meaning", "settings": {"x": [0, %s]}}',
        "/settings/x/1",
    ),
    ("patch", "/api/campaigns/harbour/items/1/", '{"use": %s}', "/use"),
    ("patch", "/api/campaigns/harbour/items/1/", '{"label": %s}', "/label"),
    ("post", "/api/campaigns/harbour/items/", '{"items": [{"scenario": %s}]}', "/items/0/scenario"),
    ("post", "/api/campaigns/harbour/items/", '{"items": [{"score_before": %s}]}', "/items/0/score_before"),
    ("post", "/api/work/harbour/claims/{claim}/skip/", '{"reason": %s}', "/reason"),
    ("post", "/api/tokens/", '{"name": "t", "days": %s}', "/days"),
    ("post", "/api/campaigns/", "%s", ""),
]

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

    says = f"The name of a field is wrong. {UNSTORABLE}"
    assert refused(client, "/api/sign-in/") == says
    assert refused(calling(organiser), "/api/campaigns/") == says
    assert refused(calling(organiser), "/api/campaigns/harbour/items/") == says


@pytest.mark.parametrize(("method", "path", "body", "pointer"), CALLS)
@pytest.mark.parametrize(
    ("value", "says"),
    [
        (r'"\ud800"', UNSTORABLE),
        (r'"a\u0000"', UNSTORABLE),
        ("9" * 400, TOO_LARGE),
        ("-" + "9" * 400, TOO_LARGE),
        ("1e999", TOO_LARGE),
        (str(2**53 + 1), TOO_LARGE),
    ],
    ids=["half", "nul", "huge", "very negative", "infinite", "inexact"],
)
def test_what_no_database_holds_is_refused_wherever_it_stands(
    method: str,
    path: str,
    body: str,
    pointer: str,
    value: str,
    says: str,
    organiser: User,
    annotator: User,
    campaign: Campaign,
    calling: Caller,
) -> None:
    path = path.format(claim=claim_next(campaign=campaign, annotator=annotator).pk)
    client = calling(annotator if "/work/" in path else organiser)
    refused = getattr(client, method)(path, body % value, content_type="application/json")
    assert problem(refused) == (400, "invalid")
    assert refused.json()["errors"] == [{"pointer": pointer, "detail": says}]


def test_a_whole_pair_and_the_largest_number_are_read(organiser: User, campaign: Campaign, calling: Caller) -> None:
    body = r'{"name": "a", "title": "\ud83d\ude00", "protocol": "meaning", "settings": {"x": %s}}' % 2**53
    refused = calling(organiser).post("/api/campaigns/", body, content_type="application/json")
    assert [error["pointer"] for error in refused.json()["errors"]] == ["/settings/x"]
    assert problem(refused) == (422, "invalid_settings")


def test_of_many_wrong_values_the_first_are_named(organiser: User, calling: Caller) -> None:
    refused = calling(organiser).post("/api/campaigns/", f"[{', '.join(['1e999'] * 11)}]", content_type="application/json")
    assert [error["pointer"] for error in refused.json()["errors"]] == [f"/{number}" for number in range(10)]


@pytest.mark.parametrize(("depth", "says"), [(18, "There is no setting x."), (19, "This is nested too deeply.")])
def test_a_body_is_nested_so_deep_and_no_deeper(depth: int, says: str, organiser: User, calling: Caller) -> None:
    body = '{"name": "a", "title": "t", "protocol": "meaning", "settings": {"x": %s}}' % ("[" * depth + "]" * depth)
    refused = calling(organiser).post("/api/campaigns/", body, content_type="application/json")
    assert [error["detail"] for error in refused.json()["errors"]] == [says]


def caller(how: str, organiser: User, calling: Caller) -> tuple[Client, dict[str, str]]:
    """Somebody with a token, or with a session and its CSRF token."""
    if how == "token":
        return calling(organiser), {}
    client = Client(enforce_csrf_checks=True)
    client.force_login(organiser)
    client.get("/api/docs/")
    return client, {"X-CSRFToken": client.cookies["csrftoken"].value}


@pytest.mark.parametrize("how", ["token", "session"])
def test_the_limit_of_the_api_holds_and_not_that_of_pages(how: str, organiser: User, calling: Caller, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE, settings.API_LARGEST_BODY = 100, 300
    client, headers = caller(how, organiser, calling)
    for size, status in ((200, 201), (301, 413)):
        body = str(NEW | {"name": f"n{size}"}).replace("'", '"').ljust(size)
        answered = client.post("/api/campaigns/", body, content_type="application/json", headers=headers)
        assert answered.status_code == status
    assert problem(answered) == (413, "too_large")


@pytest.mark.parametrize("how", ["token", "session"])
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary=x"])
def test_no_form_is_read_however_large(kind: str, how: str, organiser: User, calling: Caller, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE, settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 5, 1
    client, headers = caller(how, organiser, calling)
    refused = client.post("/api/campaigns/", "a=1&b=2&c=3", content_type=kind, headers=headers)
    assert problem(refused) == (415, "unsupported_media_type")


@pytest.mark.parametrize("position", ["9" * 5_000, "9" * 101, "\u0661", "-1"])
def test_a_cursor_holds_a_number_that_can_be_read(position: str, organiser: User, campaign: Campaign, calling: Caller) -> None:
    cursor = b64encode(f"p={position}".encode()).decode()
    refused = calling(organiser).get("/api/campaigns/", {"cursor": cursor})
    assert problem(refused) == (400, "parse_error")
