"""The page's session works for the API too, so that the offline browser can try it; changes then need the CSRF token."""

from __future__ import annotations

from django.test import Client

from annotation.models import Campaign, User

from .conftest import problem


def test_whoever_is_signed_in_may_read(campaign: Campaign, organiser: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(organiser)
    assert client.get("/api/campaigns/harbour/").status_code == 200


def test_a_change_needs_the_csrf_token(campaign: Campaign, organiser: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(organiser)
    assert problem(client.post("/api/campaigns/harbour/close/", content_type="application/json")) == (403, "permission_denied")
    campaign.refresh_from_db()
    assert campaign.state == "open"
    client.get("/api/docs/")
    headers = {"X-CSRFToken": client.cookies["csrftoken"].value}
    done = client.post("/api/campaigns/harbour/close/", content_type="application/json", headers=headers)
    assert done.json()["state"] == "closed"


def test_signing_in_for_a_token_starts_no_session(organiser: User) -> None:
    client = Client(enforce_csrf_checks=True)
    wanted = {"username": "olga", "password": "a-long-password-1", "name": "laptop"}
    assert client.post("/api/sign-in/", wanted, content_type="application/json").status_code == 201
    assert "sessionid" not in client.cookies
