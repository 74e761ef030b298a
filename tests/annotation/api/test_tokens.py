"""Tokens: signing in for one, making, listing and revoking; what a wrong or old one comes to; that they leak nowhere."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import ApiToken, Campaign, User
from annotation.services.tokens import MOST, make_token

from .conftest import NO_TOKEN, NOT_FOUND, WRONG_METHOD, Caller, problem

FAILED = (401, "authentication_failed")
OLGA = {"username": "olga", "password": "a-long-password-1", "name": "laptop", "days": 7}


def ask(token: str) -> Any:
    return Client(headers={"Authorization": f"Token {token}"}).get("/api/tokens/")


def test_name_and_password_give_a_token_that_works(organiser: User, client: Client) -> None:
    made = client.post("/api/sign-in/", OLGA, content_type="application/json")
    assert made.status_code == 201
    assert made.headers["Cache-Control"].startswith("max-age=0, no-cache, no-store")
    token = made.json()["token"]
    assert token.startswith("passable_")
    assert [known["name"] for known in ask(token).json()] == ["laptop"]
    lasts = ApiToken.objects.get().expiry - timezone.now()
    assert timedelta(days=6, hours=23) < lasts <= timedelta(days=7)


@pytest.mark.django_db
def test_whoever_comes_without_a_token_is_told_how_to_get_and_send_one(client: Client) -> None:
    refused = client.get("/api/campaigns/")
    assert (problem(refused), refused.headers["WWW-Authenticate"]) == (NO_TOKEN, "Token")
    assert "“Authorization: Token passable_…”" in refused.json()["detail"] and "/tokens/" in refused.json()["detail"]


@pytest.mark.django_db
@pytest.mark.parametrize("token", ["passable_0", "päss"])
def test_a_token_that_does_not_work_is_told_where_to_get_another(token: str) -> None:
    refused = ask(token)
    assert (problem(refused), refused.headers["WWW-Authenticate"]) == (FAILED, "Token")
    assert "was revoked" in refused.json()["detail"] and "/tokens/" in refused.json()["detail"]


@pytest.mark.parametrize("change", [{"password": "wrong"}, {"username": "nobody"}, {"username": "Olga"}], ids=str)
def test_a_wrong_name_or_password_give_none(change: dict[str, str], organiser: User, client: Client) -> None:
    assert problem(client.post("/api/sign-in/", OLGA | change, content_type="application/json")) == FAILED
    assert ApiToken.objects.count() == 0


def test_a_server_behind_a_socket_knows_no_address(organiser: User) -> None:
    client = Client()
    client.defaults["REMOTE_ADDR"] = None
    assert client.post("/api/sign-in/", OLGA, content_type="application/json").status_code == 201


def test_a_token_is_made_listed_and_revoked(organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    made = client.post("/api/tokens/", {"name": "cluster"}, content_type="application/json").json()
    listed = client.get("/api/tokens/").json()
    assert [known["name"] for known in listed] == ["cluster", "tests"]
    assert [sorted(known) for known in listed] == [["created", "expiry", "id", "name"]] * 2
    assert ask(made["token"]).status_code == 200
    assert client.delete(f"/api/tokens/{made['id']}/").status_code == 204
    assert problem(ask(made["token"])) == FAILED


def test_only_digests_are_kept(organiser: User) -> None:
    _, token = make_token(user=organiser, name="laptop", lasts=timedelta(days=1))
    row = ApiToken.objects.values().get()
    assert not any(token[15:] in str(value) for value in row.values())


def test_a_token_of_somebody_else_does_not_exist(organiser: User, other_organiser: User, calling: Caller) -> None:
    theirs, secret = make_token(user=other_organiser, name="theirs", lasts=timedelta(days=1))
    client = calling(organiser)
    assert problem(client.delete(f"/api/tokens/{theirs.public_id}/")) == NOT_FOUND
    assert problem(client.delete("/api/tokens/1/")) == NOT_FOUND
    assert ask(secret).status_code == 200
    assert [known["name"] for known in client.get("/api/tokens/").json()] == ["tests"]


def test_an_expired_token_is_refused(organiser: User) -> None:
    made, token = make_token(user=organiser, name="old", lasts=timedelta(days=1))
    ApiToken.objects.filter(pk=made.pk).update(expiry=timezone.now() - timedelta(seconds=1))
    assert problem(ask(token)) == FAILED


def test_a_token_of_a_deactivated_account_is_refused(organiser: User) -> None:
    _, token = make_token(user=organiser, name="laptop", lasts=timedelta(days=1))
    organiser.is_active = False
    organiser.save()
    assert problem(ask(token)) == FAILED


@pytest.mark.parametrize("header", ["Token", "Token a b", "Token passable_0", "Token \xff\xfe", "Token passable_" + "0" * 64])
def test_what_is_no_token_is_refused(header: str, organiser: User) -> None:
    make_token(user=organiser, name="laptop", lasts=timedelta(days=1))
    assert problem(Client().get("/api/tokens/", headers={"Authorization": header})) == FAILED


@pytest.mark.parametrize("days", [0, 367, 10**30, "many"])
def test_a_token_ends_within_a_year(days: object, organiser: User, calling: Caller) -> None:
    refused = calling(organiser).post("/api/tokens/", {"name": "n", "days": days}, content_type="application/json")
    assert problem(refused) == (400, "invalid")


def test_there_is_a_largest_number_of_tokens(organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    for number in range(MOST - 1):
        make_token(user=organiser, name=str(number), lasts=timedelta(days=1))
    assert problem(client.post("/api/tokens/", {"name": "one more"}, content_type="application/json")) == (409, "refused")


def test_other_methods_are_refused(organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    assert problem(client.get("/api/sign-in/")) == WRONG_METHOD
    assert problem(client.put("/api/tokens/")) == WRONG_METHOD
    assert problem(client.get(f"/api/tokens/{ApiToken.objects.get().public_id}/")) == WRONG_METHOD


def test_nobody_comes_in_without_a_token(client: Client, db: None) -> None:
    assert [problem(client.get("/api/tokens/")), problem(client.post("/api/tokens/"))] == [NO_TOKEN] * 2
    assert client.get("/api/tokens/").headers["WWW-Authenticate"] == "Token"


def test_no_secret_is_logged_even_when_the_server_fails(
    campaign: Campaign, organiser: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _, token = make_token(user=organiser, name="laptop", lasts=timedelta(days=1))

    def fail(*_: object) -> None:
        raise RuntimeError("on purpose")

    monkeypatch.setattr("annotation.api.campaigns.organised_by", fail)
    caplog.set_level(logging.DEBUG)
    client = Client(headers={"Authorization": f"Token {token}"}, raise_request_exception=False)
    answers = [client.get("/api/campaigns/"), client.get("/api/nowhere/"), Client().post("/api/sign-in/", OLGA)]
    assert [answer.status_code for answer in answers] == [500, 404, 415]
    logged = caplog.text + "".join(str(vars(record)) for record in caplog.records) + "".join(answer.text for answer in answers)
    assert "on purpose" in logged
    assert [secret for secret in (token, token[15:], "a-long-password-1") if secret in logged] == []


def test_a_token_needs_no_name(organiser: User, client: Client) -> None:
    given = {"username": OLGA["username"], "password": OLGA["password"]}
    made = client.post("/api/sign-in/", given, content_type="application/json")
    assert (made.status_code, made.json()["name"]) == (201, "a program")


@pytest.mark.parametrize("address", ["/api/", "/api/nowhere/"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_an_address_that_leads_nowhere_says_where_to_look(address: str, method: str, client: Client) -> None:
    refused = getattr(client, method)(address)
    assert problem(refused) == NOT_FOUND
    assert "/api/schema/" in refused.json()["detail"]
