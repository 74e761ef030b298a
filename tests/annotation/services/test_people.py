"""Invitations, accounts, consent."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.errors import DomainError, InvitationError
from annotation.models import Consent, Invitation, Membership, User
from annotation.services.people import INVITATION_LASTS, consent, has_consented, invite, join, register
from annotation.services.sheets import publish_sheet
from tests.annotation.conftest import MakeCampaign

PASSWORD = "harbour-lantern-77"


def test_a_new_person_joins_by_link(make_campaign: MakeCampaign, organiser: User) -> None:
    campaign = make_campaign()
    user = register(token=invite(campaign=campaign, by=organiser), username="ada", password=PASSWORD)
    assert user.check_password(PASSWORD)
    assert (user.kind, user.is_organiser, user.is_staff) == (User.Kind.PERSON, False, False)
    assert [m.role for m in Membership.objects.filter(user=user, campaign=campaign)] == ["annotator"]
    assert Invitation.objects.get().uses_left == 0


def test_the_database_does_not_hold_the_token(make_campaign: MakeCampaign, organiser: User) -> None:
    token = invite(campaign=make_campaign(), by=organiser)
    assert token not in str(Invitation.objects.values().get())


def test_a_link_works_as_often_as_it_says(make_campaign: MakeCampaign, organiser: User) -> None:
    token = invite(campaign=make_campaign(), by=organiser, uses=2)
    register(token=token, username="ada", password=PASSWORD)
    ben = register(token=token, username="ben", password=PASSWORD)
    with pytest.raises(InvitationError, match="has been used"):
        register(token=token, username="cem", password=PASSWORD)
    assert not User.objects.filter(username="cem").exists()
    with pytest.raises(InvitationError, match="has been used"):
        join(token=token, user=ben)


def test_joining_twice_uses_the_link_once(make_campaign: MakeCampaign, organiser: User) -> None:
    token = invite(campaign=make_campaign(), by=organiser, uses=2)
    ada = register(token=token, username="ada", password=PASSWORD)
    join(token=token, user=ada)
    assert Invitation.objects.get().uses_left == 1


def test_a_link_expires(make_campaign: MakeCampaign, organiser: User) -> None:
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        token = invite(campaign=make_campaign(), by=organiser)
    with time_machine.travel(start + INVITATION_LASTS, tick=False), pytest.raises(InvitationError, match="expired"):
        register(token=token, username="ada", password=PASSWORD)
    with time_machine.travel(start + INVITATION_LASTS - timedelta(seconds=1), tick=False):
        assert register(token=token, username="ada", password=PASSWORD).pk


@pytest.mark.parametrize(
    ("username", "password", "message"),
    [
        ("olga", PASSWORD, "is taken"),
        ("OLGA", PASSWORD, "is taken"),
        ("ada", "12345678", "common|numeric"),
        ("ada", "ada", "too short"),
    ],
)
def test_a_bad_account_is_refused_and_leaves_nothing(
    make_campaign: MakeCampaign, organiser: User, username: str, password: str, message: str
) -> None:
    token = invite(campaign=make_campaign(), by=organiser)
    with pytest.raises(DomainError, match=message):
        register(token=token, username=username, password=password)
    assert (User.objects.count(), Invitation.objects.get().uses_left) == (1, 1)


def test_an_organiser_does_not_answer_in_the_own_campaign(make_campaign: MakeCampaign, organiser: User) -> None:
    campaign = make_campaign()
    with pytest.raises(DomainError, match="You organise this campaign"):
        join(token=invite(campaign=campaign, by=organiser), user=organiser)
    assert Membership.objects.get(user=organiser).role == Membership.Role.ORGANISER


def test_consent_is_to_one_version_and_recorded_once(make_campaign: MakeCampaign, organiser: User) -> None:
    campaign = make_campaign()
    ada = register(token=invite(campaign=campaign, by=organiser), username="ada", password=PASSWORD)
    assert not has_consented(campaign=campaign, user=ada)
    sheet = campaign.sheets.get()
    assert consent(sheet=sheet, user=ada) == consent(sheet=sheet, user=ada)
    assert Consent.objects.count() == 1
    assert has_consented(campaign=campaign, user=ada)
    publish_sheet(campaign=campaign, sections=[{"key": "purpose", "heading": "Why", "text": "A new purpose."}])
    assert not has_consented(campaign=campaign, user=ada)
