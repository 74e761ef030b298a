"""Who counts as signed in."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import User

pytestmark = pytest.mark.django_db
HOME = reverse("password")
"""A page that only somebody who is signed in gets to see."""


@pytest.fixture
def browser(organiser: User) -> Client:
    """Somebody else's session is there too, so that it could be taken by mistake."""
    Client().force_login(User.objects.create_user(username="other", password="a-long-password-1"))
    client = Client()
    client.force_login(organiser)
    return client


def signed_in_as(client: Client) -> str | None:
    page = client.get(HOME)
    return str(page.context["user"].username) if page.status_code == 200 else None


def test_a_session_is_its_owners(browser: Client) -> None:
    assert signed_in_as(browser) == "olga"


def test_a_session_ends_when_its_time_is_over(browser: Client) -> None:
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert signed_in_as(browser) is None


def test_signing_out_ends_the_session_for_a_copied_cookie_too(browser: Client) -> None:
    copied = Client()
    copied.cookies["sessionid"] = browser.cookies["sessionid"].value
    assert signed_in_as(copied) == "olga"
    browser.post(reverse("logout"))
    assert signed_in_as(copied) is None


@pytest.mark.parametrize("key", ["", "x", "' OR 1=1 --", "%s", "a" * 500])
def test_made_up_sessions_are_nobodys(browser: Client, key: str) -> None:
    browser.cookies["sessionid"] = key
    assert signed_in_as(browser) is None


def test_an_account_that_was_switched_off_is_signed_out(browser: Client) -> None:
    User.objects.filter(username="olga").update(is_active=False)
    assert signed_in_as(browser) is None


def test_a_new_password_ends_the_other_sessions(browser: Client, organiser: User) -> None:
    organiser.set_password("another-long-password-2")
    organiser.save()
    assert signed_in_as(browser) is None
