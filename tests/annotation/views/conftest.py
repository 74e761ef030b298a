"""Clients of an organiser, of an annotator who has agreed, and of strangers who have real campaigns of their own."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Campaign, User
from annotation.services.people import consent

SignIn = Callable[[User], Client]


@pytest.fixture
def sign_in() -> SignIn:
    def as_user(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return as_user


@pytest.fixture
def campaign(make_campaign: Callable[..., Campaign]) -> Campaign:
    return make_campaign()


@pytest.fixture
def annotator(campaign: Campaign, make_annotator: Callable[..., User]) -> User:
    user = make_annotator(campaign, "anna")
    consent(sheet=campaign.sheets.get(), user=user)
    return user


@pytest.fixture
def other_organiser(db: None) -> User:
    """Organises a campaign of their own, which answers may be confused with."""
    from annotation.services.campaigns import create_campaign

    user = User.objects.create_user(username="otto", password="a-long-password-1", is_organiser=True)
    create_campaign(name="elsewhere", title="Elsewhere", protocol="meaning", created_by=user)
    return user
