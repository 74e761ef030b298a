"""How often one may ask: by scope and caller, counted for all processes together."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import time_machine
from django.test import Client
from rest_framework.throttling import SimpleRateThrottle

from annotation.models import Campaign, User
from annotation.services.limits import WRONG_BY_NAME_AND_ADDRESS
from tests.annotation.at_once import at_once

from .conftest import Caller, problem

THROTTLED = (429, "throttled")
WRONG = {"username": "olga", "password": "wrong", "name": "x"}


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch, _no_limits: None) -> None:
    rates = {"anonymous": "2/min", "user": "3/min", "work": "4/min", "sign-in": "2/min"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)


def statuses(client: Client, path: str, times: int, method: str = "get", **sent: Any) -> list[int]:
    return [getattr(client, method)(path, **sent).status_code for _ in range(times)]


def test_one_too_many_is_told_when_to_come_back(campaign: Campaign, organiser: User, calling: Caller) -> None:
    with time_machine.travel("2026-11-30T12:00:00Z", tick=False):
        client = calling(organiser)
        assert statuses(client, "/api/campaigns/", 4) == [200, 200, 200, 429]
        refused = client.get("/api/campaigns/")
        assert (problem(refused), refused.headers["Retry-After"]) == (THROTTLED, "60")
    with time_machine.travel("2026-11-30T12:01:01Z", tick=False):
        assert client.get("/api/campaigns/").status_code == 200


def test_everybody_has_a_count_of_their_own(organiser: User, other_organiser: User, calling: Caller) -> None:
    first, second = calling(organiser), calling(other_organiser)
    assert statuses(first, "/api/jobs/", 4)[-1] == 429
    assert statuses(second, "/api/jobs/", 3) == [200] * 3


def test_several_tokens_of_one_person_count_together(organiser: User, calling: Caller) -> None:
    assert [calling(organiser).get("/api/jobs/").status_code for _ in range(4)] == [200, 200, 200, 429]


def test_work_has_a_rate_of_its_own(annotator: User, calling: Caller) -> None:
    client = calling(annotator)
    assert statuses(client, "/api/work/harbour/claims/", 5, "post") == [200] * 4 + [429]
    assert client.get("/api/work/").status_code == 200


def test_passwords_cannot_be_tried_out(organiser: User) -> None:
    sent: dict[str, Any] = {"data": WRONG, "content_type": "application/json"}
    assert statuses(Client(), "/api/sign-in/", 3, "post", **sent) == [401, 401, 429]
    # Neither another address that the caller claims to have, nor another name, makes it another caller.
    forged = Client(headers={"X-Forwarded-For": "203.0.113.9"})
    other = {"data": WRONG | {"username": "otto"}, "content_type": "application/json"}
    assert statuses(forged, "/api/sign-in/", 1, "post", **other) == [429]
    elsewhere = Client(REMOTE_ADDR="203.0.113.9")
    assert statuses(elsewhere, "/api/sign-in/", 1, "post", **sent) == [401]


def test_wrong_passwords_count_here_and_on_the_page_together(organiser: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", dict.fromkeys(("anonymous", "user", "work", "sign-in")))
    for _ in range(WRONG_BY_NAME_AND_ADDRESS.most):
        Client().post("/signin/", {"username": "olga", "password": "wrong"})
    right = WRONG | {"password": "a-long-password-1"}
    assert problem(Client().post("/api/sign-in/", right, content_type="application/json")) == THROTTLED
    elsewhere = Client(REMOTE_ADDR="203.0.113.9").post("/api/sign-in/", right, content_type="application/json")
    assert elsewhere.status_code == 201


def test_the_schema_is_not_for_downloading_all_day(client: Client, db: None) -> None:
    assert statuses(client, "/api/schema/", 3) == [200, 200, 429]


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("on_postgresql")
def test_of_many_calls_at_once_no_more_than_allowed_go_through(organiser: User, calling: Caller) -> None:
    clients = [calling(organiser) for _ in range(8)]
    answers = at_once(*(partial(statuses, client, "/api/jobs/", 1) for client in clients * 2))
    assert sorted(map(str, answers)) == ["[200]"] * 3 + ["[429]"] * 13
