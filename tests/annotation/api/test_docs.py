"""The schema, and the browser for it: offline, and under the site's strict content security policy."""

from __future__ import annotations

from pathlib import Path

from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client
from django.urls import get_resolver

from annotation.api.resource import ABOUT

from .conftest import NOT_FOUND, problem

VERBS = {"get", "post", "put", "patch", "delete"}


def test_the_schema_is_valid_and_without_a_doubt(tmp_path: Path) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml"))


def test_every_address_of_the_api_is_in_it(client: Client, db: None) -> None:
    schema = client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    undocumented = {"api/schema/", "api/docs/", "api/<anything:rest>"}
    routes = [str(pattern.pattern) for include in get_resolver().url_patterns for pattern in include.url_patterns]
    named = {route for route in routes if route.startswith("api/")} - undocumented
    assert len(named) == len(schema["paths"]) - ("/api/schema/" in schema["paths"])


def test_every_call_says_how_it_may_be_refused(client: Client, db: None) -> None:
    schema = client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    calls = {call["operationId"]: call for path in schema["paths"].values() for verb, call in path.items() if verb in VERBS}
    assert [name for name, call in calls.items() if not {"400", "401", "429"} <= set(call["responses"])] == []
    with_body = [name for name, call in calls.items() if "requestBody" in call]
    assert [name for name in with_body if not {"413", "415"} <= set(calls[name]["responses"])] == []
    assert set(map(str, ABOUT)) >= {s for call in calls.values() for s in call["responses"] if not s.startswith("2")}


def test_lists_name_the_parameters_that_they_take(client: Client, db: None) -> None:
    schema = client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    named = [p["name"] for p in schema["paths"]["/api/campaigns/"]["get"]["parameters"]]
    assert sorted(named) == ["cursor", "limit", "protocol", "state", "title"]
    for path in schema["paths"].values():
        shape = path.get("get", {}).get("responses", {}).get("200", {}).get("content", {}).get("application/json", {})
        if "Paginated" in str(shape):
            assert {"cursor", "limit"} <= {p["name"] for p in path["get"]["parameters"]}


def test_what_stands_in_the_address_is_not_repeated_in_a_header(client: Client, db: None) -> None:
    asked = client.get("/api/schema/?version=1%0d%0aX-Evil:%201")
    assert (asked.status_code, "X-Evil" in asked.headers) == (200, False)


def test_the_browser_has_no_inline_script_and_nothing_from_elsewhere(client: Client, db: None) -> None:
    page = client.get("/api/docs/")
    assert page.status_code == 200
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "img-src 'self' data:" in policy
    assert "unsafe" not in policy
    assert "<script>" not in page.text
    assert "style=" not in page.text
    assert "//" not in page.text.replace("<!doctype", "")


def test_its_parts_are_served_from_here() -> None:
    parts = ("swagger-ui.css", "swagger-ui-bundle.js")
    assert all(finders.find(f"drf_spectacular_sidecar/swagger-ui-dist/{part}") for part in parts)


def test_an_address_that_leads_nowhere_answers_in_json(client: Client, db: None) -> None:
    knocks = [client.get("/api/nowhere"), client.post("/api/campaign/"), client.get("/api/campaigns/two%0Alines/")]
    assert [problem(knock) for knock in knocks] == [NOT_FOUND] * 3
