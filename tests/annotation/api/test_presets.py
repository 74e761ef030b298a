"""/api/presets/: every starting point of a campaign, ready to be sent back."""

from __future__ import annotations

from django.test import Client

from annotation.models import User
from annotation.protocols import PROTOCOLS

from .conftest import NO_TOKEN, WRONG_METHOD, Caller, problem


def test_every_preset_is_there_with_labels_and_settings(organiser: User, calling: Caller) -> None:
    found = calling(organiser).get("/api/presets/").json()
    assert [(one["protocol"], one["preset"]) for one in found] == [
        (protocol.key, name) for protocol in PROTOCOLS.values() for name in protocol.presets
    ]
    meaning = found[0]
    assert [label["key"] for label in meaning["labels"]] == ["preserve", "change", "no_sense"]
    assert set(meaning["offered_settings"]) <= set(meaning["settings"])


def test_a_campaign_can_be_made_of_each(organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    for number, preset in enumerate(client.get("/api/presets/").json()):
        offered = {name: preset["settings"][name] for name in preset["offered_settings"]}
        wanted = {"name": f"c{number}", "title": preset["title"], "settings": offered, "labels": preset["labels"]}
        wanted |= {"protocol": preset["protocol"], "preset": preset["preset"]}
        made = client.post("/api/campaigns/", wanted, content_type="application/json")
        assert (made.status_code, made.json()["settings"]) == (201, preset["settings"]), made.json()


def test_other_methods_are_refused(organiser: User, calling: Caller) -> None:
    assert problem(calling(organiser).post("/api/presets/")) == WRONG_METHOD


def test_nobody_comes_in_without_a_token(client: Client, db: None) -> None:
    assert problem(client.get("/api/presets/")) == NO_TOKEN
