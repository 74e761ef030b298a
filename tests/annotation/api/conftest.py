"""Callers of the API: an organiser, an annotator who agreed, and strangers who have real campaigns of their own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from rest_framework.throttling import SimpleRateThrottle

from annotation.models import Campaign, User
from annotation.services.tokens import make_token

Caller = Callable[[User], Client]
SECRETS = ("olga", "otto", "anna", "boris", "a-long-password-1", "@")
"""What no answer to a stranger, and no list of answers, may hold."""


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests ask more often than people may; the tests of the limits set their own."""
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", dict.fromkeys(("anonymous", "user", "work", "sign-in")))


@pytest.fixture
def calling() -> Caller:
    """A client that calls with a token of the person."""

    def as_user(user: User) -> Client:
        _, token = make_token(user=user, name="tests", lasts=timedelta(days=1))
        return Client(headers={"Authorization": f"Token {token}"})

    return as_user


@pytest.fixture
def strangers(annotator: User, other_organiser: User, make_annotator: Callable[..., User], calling: Caller) -> list[Client]:
    """Who may not see what the organiser of `campaign` sees: its annotator, and the people of another campaign."""
    elsewhere = make_annotator(Campaign.objects.get(name="elsewhere"), "zoe")
    return [calling(user) for user in (annotator, other_organiser, elsewhere)]


def problem(response: Any) -> tuple[int, str]:
    """Status and code of a refusal, which is always a problem document."""
    assert response.headers["Content-Type"] == "application/problem+json"
    body = response.json()
    assert (body["status"], body["type"]) == (response.status_code, "about:blank")
    return response.status_code, body["code"]


NOT_FOUND = (404, "not_found")
NO_TOKEN = (401, "not_authenticated")
WRONG_METHOD = (405, "method_not_allowed")
