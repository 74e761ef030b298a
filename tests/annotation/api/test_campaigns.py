"""/api/campaigns/: listing, making, reading, opening, closing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Campaign, Membership, User
from annotation.services.crowd import set_entrance
from annotation.services.sheets import unfilled

from .conftest import NO_TOKEN, NOT_FOUND, WRONG_METHOD, Caller, problem

HARBOUR = "/api/campaigns/harbour/"
NEW = {"name": "quay", "title": "The quay", "protocol": "suspicion"}


def names(response: Any) -> list[str]:
    return [campaign["name"] for campaign in response.json()["results"]]


def test_the_list_holds_the_campaigns_that_the_caller_organises(
    campaign: Campaign, annotator: User, organiser: User, other_organiser: User, calling: Caller
) -> None:
    lists = {who.username: names(calling(who).get("/api/campaigns/")) for who in (organiser, other_organiser, annotator)}
    assert lists == {"olga": ["harbour"], "otto": ["elsewhere"], "anna": []}


def test_a_campaign_is_read_with_its_settings_labels_and_progress(campaign: Campaign, organiser: User, calling: Caller) -> None:
    body = calling(organiser).get(HARBOUR).json()
    assert [body[key] for key in ("name", "title", "protocol", "state")] == ["harbour", "About harbour", "meaning", "open"]
    assert body["settings"] == campaign.settings
    assert [label["key"] for label in body["labels"]] == ["preserve", "change", "no_sense"]
    assert [body[key] for key in ("item_count", "complete_count", "annotator_count")] == [3, 0, 0]


def test_making_a_campaign_makes_its_maker_the_organiser(organiser: User, calling: Caller) -> None:
    made = calling(organiser).post("/api/campaigns/", NEW | {"settings": {"slots": 5}}, content_type="application/json")
    assert (made.status_code, made.json()["name"], made.json()["state"]) == (201, "quay", "draft")
    stored = Campaign.objects.get(name="quay")
    assert (stored.created_by, stored.settings["slots"]) == (organiser, 5)
    assert list(stored.memberships.values_list("user__username", "role")) == [("olga", Membership.Role.ORGANISER)]


def test_only_organisers_make_campaigns(annotator: User, calling: Caller) -> None:
    refused = calling(annotator).post("/api/campaigns/", NEW, content_type="application/json")
    assert problem(refused) == (403, "permission_denied")
    assert not Campaign.objects.filter(name="quay").exists()


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"name": "harbour"}, 409, "refused"),
        ({"name": "new"}, 409, "refused"),
        ({"name": "two words"}, 400, "invalid"),
        ({"name": ""}, 400, "invalid"),
        ({"title": "NUL \0"}, 400, "invalid"),
        ({"title": "half \ud83d"}, 400, "invalid"),
        ({"protocol": "astrology"}, 400, "invalid"),
        ({"settings": ["slots"]}, 400, "invalid"),
        ({"settings": {"question": "\0"}}, 400, "invalid"),
        ({"settings": {"question": "half \ud83d"}}, 400, "invalid"),
        ({"settings": {"slots": 10**30}}, 400, "invalid"),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(
    change: dict[str, Any], status: int, code: str, campaign: Campaign, organiser: User, calling: Caller
) -> None:
    refused = calling(organiser).post("/api/campaigns/", NEW | change, content_type="application/json")
    assert problem(refused) == (status, code)
    assert Campaign.objects.count() == 1


def test_a_refusal_says_where(organiser: User, calling: Caller) -> None:
    refused = calling(organiser).post("/api/campaigns/", {"name": "a b", "title": "t"}, content_type="application/json").json()
    assert [(error["pointer"], error["detail"]) for error in refused["errors"]] == [
        ("/name", "Use only letters, digits, hyphens and underscores."),
        ("/protocol", "This field is required."),
    ]


@pytest.mark.parametrize("body", ["[" * 100_000, "{", '{"title": NaN}', "[1]", "null", "\xff"], ids=lambda body: body[:20])
def test_a_body_that_is_no_object_is_refused(body: str, organiser: User, calling: Caller) -> None:
    refused = calling(organiser).post("/api/campaigns/", body.encode("latin-1"), content_type="application/json")
    assert refused.status_code == 400
    problem(refused)


def test_a_body_that_is_too_large_is_not_read(organiser: User, calling: Caller, settings: Any) -> None:
    settings.API_LARGEST_BODY = 50
    refused = calling(organiser).post("/api/campaigns/", NEW | {"title": "x" * 60}, content_type="application/json")
    assert problem(refused) == (413, "too_large")


def test_a_form_is_not_read(organiser: User, calling: Caller) -> None:
    assert problem(calling(organiser).post("/api/campaigns/", NEW)) == (415, "unsupported_media_type")


def test_the_list_can_be_narrowed(
    make_campaign: Callable[..., Campaign], campaign: Campaign, organiser: User, calling: Caller
) -> None:
    make_campaign("suspicion", name="quay", opened=False)
    client = calling(organiser)
    found = {query: names(client.get(f"/api/campaigns/?{query}")) for query in ("state=open", "protocol=suspicion", "title=QUA")}
    assert found == {"state=open": ["harbour"], "protocol=suspicion": ["quay"], "title=QUA": ["quay"]}


@pytest.mark.parametrize("query", ["created_by__password__startswith=md5", "state=lost", "limit=0", "limit=x", "cursor=x"])
def test_other_parameters_are_refused(query: str, campaign: Campaign, organiser: User, calling: Caller) -> None:
    refused = calling(organiser).get(f"/api/campaigns/?{query}")
    assert refused.status_code == 400
    problem(refused)


def test_title_settings_and_labels_are_changed(make_campaign: Callable[..., Campaign], organiser: User, calling: Caller) -> None:
    make_campaign(opened=False)
    labels = [{"key": "same", "value": 0, "name": "says the same"}, {"key": "other", "value": 1, "name": "says another thing"}]
    change = {"title": "The harbour", "settings": {"slots": 3, "kept": ["same"], "examples": []}, "labels": labels}
    body = calling(organiser).patch(HARBOUR, change, content_type="application/json").json()
    assert (body["title"], body["settings"]["slots"]) == ("The harbour", 3)
    assert [label["key"] for label in body["labels"]] == ["same", "other"]
    assert [event.verb for event in Campaign.objects.get().events.all()][0:2] == ["settings", "created"]


def test_what_would_change_the_meaning_of_answers_is_refused(
    campaign: Campaign, annotator: User, answer: Any, organiser: User, calling: Caller
) -> None:
    answer(campaign, annotator, "change")
    change = {"title": "The harbour", "settings": {"question": "Is it the same?", "claim_minutes": 30}}
    refused = calling(organiser).patch(HARBOUR, change, content_type="application/json")
    assert problem(refused) == (422, "invalid_settings")
    assert [error["pointer"] for error in refused.json()["errors"]] == ["/settings/question"]
    campaign.refresh_from_db()
    assert (campaign.title, campaign.settings["claim_minutes"]) == ("About harbour", 60)


@pytest.mark.parametrize("name", ["guidelines_", "slots__gt", "created_by"])
def test_an_unknown_setting_is_refused(name: str, campaign: Campaign, organiser: User, calling: Caller) -> None:
    refused = calling(organiser).patch(HARBOUR, {"settings": {name: 1}}, content_type="application/json")
    assert (problem(refused), refused.json()["errors"][0]["pointer"]) == ((422, "invalid_settings"), f"/settings/{name}")


def test_a_copy_has_the_items_and_nobody(
    campaign: Campaign, annotator: User, answer: Any, organiser: User, calling: Caller
) -> None:
    answer(campaign, annotator, "change")
    client = calling(organiser)
    made = client.post(f"{HARBOUR}copy/", {"name": "again", "title": "Again"}, content_type="application/json")
    assert [made.json()[key] for key in ("name", "state", "item_count", "annotator_count")] == ["again", "draft", 3, 0]
    taken = client.post(f"{HARBOUR}copy/", {"name": "again", "title": "Again"}, content_type="application/json")
    assert problem(taken) == (409, "refused")


def test_it_is_opened_paused_and_closed(make_campaign: Callable[..., Campaign], organiser: User, calling: Caller) -> None:
    make_campaign(opened=False)
    client = calling(organiser)
    verbs = ("open", "pause", "close", "open")
    states = [client.post(f"{HARBOUR}{verb}/", content_type="application/json").json()["state"] for verb in verbs]
    assert states == ["open", "paused", "closed", "open"]
    assert {event.actor for event in Campaign.objects.get().events.all()} == {organiser}


def test_only_an_open_campaign_is_paused(make_campaign: Callable[..., Campaign], organiser: User, calling: Caller) -> None:
    make_campaign(opened=False)
    assert problem(calling(organiser).post(f"{HARBOUR}pause/")) == (409, "refused")


def test_an_empty_campaign_is_not_opened(make_campaign: Callable[..., Campaign], organiser: User, calling: Caller) -> None:
    make_campaign(items=0, opened=False)
    refused = calling(organiser).post(f"{HARBOUR}open/", content_type="application/json")
    assert problem(refused) == (409, "refused")
    assert refused.json()["detail"].startswith("There are no items yet")


def test_a_crowd_is_let_to_a_sheet_with_gaps_only_when_that_is_confirmed(
    make_campaign: Callable[..., Campaign], organiser: User, calling: Caller
) -> None:
    campaign, client = make_campaign(opened=False), calling(organiser)
    set_entrance(campaign=campaign, kind="crowd", by=organiser, platform="prolific", participant_parameter="PID")
    gaps = unfilled(campaign.sheets.first())
    for body in ({}, {"confirm_gaps": False}):
        refused = client.post(f"{HARBOUR}open/", body, content_type="application/json")
        assert (problem(refused), refused.json()["gaps"]) == ((409, "sheet_has_gaps"), gaps)
        assert "[ethics board, date and number]" in refused.json()["detail"]
    assert problem(client.post(f"{HARBOUR}open/", {"confirm_gaps": "yes"}, content_type="application/json")) == (400, "invalid")
    campaign.refresh_from_db()
    assert campaign.state == "draft"
    opened = client.post(f"{HARBOUR}open/", {"confirm_gaps": True}, content_type="application/json")
    assert (opened.status_code, opened.json()["state"]) == (200, "open")


def test_opening_needs_no_body(make_campaign: Callable[..., Campaign], organiser: User, calling: Caller) -> None:
    make_campaign(opened=False)
    assert calling(organiser).generic("POST", f"{HARBOUR}open/").json()["state"] == "open"


@pytest.mark.parametrize(
    ("verb", "method"),
    [("", "get"), ("", "patch"), ("copy/", "post"), ("open/", "post"), ("pause/", "post"), ("close/", "post")],
)
def test_others_find_nothing_there(verb: str, method: str, campaign: Campaign, strangers: list[Client]) -> None:
    assert [problem(getattr(stranger, method)(HARBOUR + verb)) for stranger in strangers] == [NOT_FOUND] * 3
    campaign.refresh_from_db()
    assert campaign.state == "open"


def test_queries_do_not_grow_with_the_list(make_campaign: Callable[..., Campaign], organiser: User, calling: Caller) -> None:
    client, counts = calling(organiser), []
    for wanted in (1, 3, 30):
        for number in range(Campaign.objects.count(), wanted):
            make_campaign(items=1, name=f"quay{number}", opened=False)
        with CaptureQueriesContext(connection) as captured:
            assert len(names(client.get("/api/campaigns/"))) == wanted
        counts.append(len(captured))
    assert len(set(counts)) == 1, counts


@pytest.mark.parametrize(
    ("address", "method"),
    [("/api/campaigns/", "put"), (HARBOUR, "delete"), (HARBOUR, "post"), (f"{HARBOUR}open/", "get"), (f"{HARBOUR}close/", "get")],
)
def test_other_methods_are_refused(address: str, method: str, campaign: Campaign, organiser: User, calling: Caller) -> None:
    assert problem(getattr(calling(organiser), method)(address)) == WRONG_METHOD


@pytest.mark.parametrize("address", ["/api/campaigns/", HARBOUR, f"{HARBOUR}open/", f"{HARBOUR}close/"])
def test_nobody_comes_in_without_a_token(address: str, campaign: Campaign, client: Client) -> None:
    assert problem(client.get(address)) == NO_TOKEN
    assert problem(client.post(address)) == NO_TOKEN
