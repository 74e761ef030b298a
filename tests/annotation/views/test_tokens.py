"""The page of API tokens: making one, which is shown once; revoking; nobody else's."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import ApiToken, User
from annotation.services.tokens import make_token

SignIn = Callable[[User], Client]
NEW = {"name": "laptop", "days": "7"}


def test_a_new_token_is_shown_once_and_works(organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    made = client.post("/tokens/", NEW)
    found = re.search(r'value="(passable_[0-9a-f]{64})"', made.text)
    assert found
    assert "no-store" in made.headers["Cache-Control"]
    assert Client(headers={"Authorization": f"Token {found[1]}"}).get("/api/tokens/").json()[0]["name"] == "laptop"
    assert timedelta(days=6, hours=23) < ApiToken.objects.get().expiry - timezone.now() <= timedelta(days=7)
    later = client.get("/tokens/").text
    assert ("laptop" in later, found[1][9:20] in later) == (True, False)


@pytest.mark.parametrize(("who", "address"), [("organiser", "/api/campaigns/"), ("annotator", "/api/work/")])
def test_with_a_new_token_comes_a_line_that_uses_it(
    who: str, address: str, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    page = sign_in(request.getfixturevalue(who)).post("/tokens/", NEW).text
    found = re.search(r'id="curl"[^>]*>([^<]*)<', page)
    assert found is not None and 'data-copy="curl"' in page
    curl, option, header, called = shlex.split(unescape(found[1]))
    assert (curl, option, called) == ("curl", "-H", f"http://testserver{address}")
    name, _, value = header.partition(": ")
    assert Client(headers={name: value}).get(address).status_code == 200


def test_annotators_have_tokens_too(annotator: User, sign_in: SignIn) -> None:
    assert sign_in(annotator).post("/tokens/", NEW).status_code == 200
    assert ApiToken.objects.get().user == annotator


@pytest.mark.parametrize("change", [{"name": ""}, {"name": "x" * 81}, {"days": "0"}, {"days": "367"}, {"days": "many"}], ids=str)
def test_a_wrong_form_comes_back(change: dict[str, str], organiser: User, sign_in: SignIn) -> None:
    assert sign_in(organiser).post("/tokens/", NEW | change).status_code == 422
    assert ApiToken.objects.count() == 0


def test_revoking_ends_it_at_once(organiser: User, sign_in: SignIn) -> None:
    made, token = make_token(user=organiser, name="laptop", lasts=timedelta(days=1))
    done = sign_in(organiser).post(f"/tokens/{made.public_id}/revoke/", follow=True)
    assert "The token is revoked" in done.text
    assert Client(headers={"Authorization": f"Token {token}"}).get("/api/tokens/").status_code == 401


def test_somebody_elses_token_is_neither_seen_nor_revoked(organiser: User, other_organiser: User, sign_in: SignIn) -> None:
    made, _ = make_token(user=organiser, name="laptop", lasts=timedelta(days=1))
    client = sign_in(other_organiser)
    assert "laptop" not in client.get("/tokens/").text
    assert client.post(f"/tokens/{made.public_id}/revoke/").status_code == 404
    assert ApiToken.objects.count() == 1


def test_strangers_are_sent_to_sign_in(client: Client, db: None) -> None:
    assert client.get("/tokens/").headers["Location"] == "/signin/?next=/tokens/"


def test_revoking_refuses_get(organiser: User, sign_in: SignIn) -> None:
    made, _ = make_token(user=organiser, name="laptop", lasts=timedelta(days=1))
    assert sign_in(organiser).get(f"/tokens/{made.public_id}/revoke/").status_code == 405


def test_the_page_is_reached_from_the_bar_by_organisers_and_from_the_password_by_all(
    organiser: User, annotator: User, sign_in: SignIn
) -> None:
    for page, current in (("/", ""), ("/tokens/", ' aria-current="true"')):
        assert f'<a href="/tokens/"{current}>Tokens</a>' in sign_in(organiser).get(page).text
    assert 'href="/tokens/"' not in sign_in(annotator).get("/").text
    assert 'href="/tokens/"' in sign_in(annotator).get("/password/").text
