"""Signing in is limited, passwords are checked and can be changed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from annotation.models import Tries, User
from annotation.services import limits

SignIn = Callable[[User], Client]
RIGHT = {"username": "olga", "password": "a-long-password-1"}
WRONG = RIGHT | {"password": "guess"}
MOST = limits.WRONG_BY_NAME_AND_ADDRESS.most


def test_guessing_a_password_is_stopped_and_allowed_again_later(organiser: User, client: Client) -> None:
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        assert [client.post("/signin/", WRONG).status_code for _ in range(MOST)] == [200] * MOST
        refused = client.post("/signin/", RIGHT)
        assert (refused.status_code, "Too many tries. Wait 15 minutes" in refused.text) == (429, True)
        assert client.post("/signin/", RIGHT | {"username": " OLGA"}).status_code == 429
    with time_machine.travel(start + timedelta(minutes=15, seconds=1), tick=False):
        assert client.post("/signin/", RIGHT).headers["Location"] == "/"


def test_others_and_other_places_are_not_stopped(organiser: User, client: Client) -> None:
    User.objects.create_user(username="ada", password="a-long-password-1")
    for _ in range(MOST):
        client.post("/signin/", WRONG)
    assert client.post("/signin/", RIGHT | {"username": "ada"}).status_code == 302
    assert Client(REMOTE_ADDR="10.0.0.9").post("/signin/", RIGHT).status_code == 302


def test_many_names_from_one_place_are_stopped(organiser: User, client: Client) -> None:
    for _ in range(limits.WRONG_BY_ADDRESS.most):
        limits.count((limits.WRONG_BY_ADDRESS, "127.0.0.1"))
    assert client.post("/signin/", RIGHT).status_code == 429


def test_a_success_starts_the_count_anew(organiser: User) -> None:
    for _ in range(3):
        for _ in range(MOST - 1):
            Client().post("/signin/", WRONG)
        assert Client().post("/signin/", RIGHT).status_code == 302


@pytest.mark.parametrize(("proxies", "status"), [(0, 429), (1, 200)])
def test_the_forwarded_address_is_believed_only_behind_a_proxy(
    organiser: User, client: Client, settings: object, proxies: int, status: int
) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": proxies}  # type: ignore[attr-defined]
    for number in range(MOST):
        client.post("/signin/", WRONG, headers={"X-Forwarded-For": f"10.0.0.{number}"})
    response = client.post("/signin/", WRONG, headers={"X-Forwarded-For": "10.0.0.99"})
    assert response.status_code == status


def test_no_name_and_no_address_lies_among_the_tries(organiser: User, client: Client) -> None:
    client.post("/signin/", WRONG)
    rows = str(list(Tries.objects.values_list()))
    assert "sign-in:" in rows
    assert ("olga" in rows, "127.0.0.1" in rows) == (False, False)


def test_a_password_is_changed_by_whoever_knows_it(organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    new = "another-long-one-2"
    refused = client.post("/password/", {"old_password": "no", "new_password1": new, "new_password2": new})
    weak = client.post("/password/", {"old_password": RIGHT["password"], "new_password1": "olga", "new_password2": "olga"})
    assert (refused.status_code, weak.status_code, "too short" in weak.text) == (422, 422, True)
    organiser.refresh_from_db()
    assert organiser.check_password(RIGHT["password"])
    done = client.post("/password/", {"old_password": RIGHT["password"], "new_password1": new, "new_password2": new})
    assert (done.status_code, client.get("/password/").status_code) == (302, 200)
    organiser.refresh_from_db()
    assert organiser.check_password(new)
