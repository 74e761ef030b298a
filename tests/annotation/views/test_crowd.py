from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Campaign, CrowdVisit, User
from annotation.services import limits
from annotation.services.crowd import set_entrance

SignIn = Callable[[User], Client]
ADDRESS = "/crowd/harbour/?PROLIFIC_PID=p1&STUDY_ID=st&SESSION_ID=s1"


@pytest.fixture(autouse=True)
def _entrance(campaign: Campaign, organiser: User) -> None:
    names = {"participant_parameter": "PROLIFIC_PID", "study_parameter": "STUDY_ID", "session_parameter": "SESSION_ID"}
    set_entrance(campaign=campaign, kind="crowd", by=organiser, platform="prolific", completion_code="C0FFEE", **names)


def user_of(client: Client) -> User | None:
    return User.objects.filter(pk=client.session.get("_auth_user_id")).first()


def test_looking_at_the_address_makes_nothing(campaign: Campaign, client: Client) -> None:
    response = client.get(ADDRESS)
    assert (response.status_code, "About harbour" in response.text, CrowdVisit.objects.count()) == (200, True, 0)


def test_one_button_leads_to_the_sheet_and_on_to_work(campaign: Campaign, client: Client) -> None:
    assert client.post(ADDRESS).headers["Location"] == "/campaigns/harbour/sheet/"
    visit = CrowdVisit.objects.get()
    assert (visit.participant, visit.study, visit.session, visit.user) == ("p1", "st", "s1", user_of(client))
    sheet = campaign.sheets.first()
    assert sheet is not None
    agreed = client.post("/campaigns/harbour/sheet/", {"sheet": sheet.pk, "agree": ["1", "2", "3", "4"]})
    assert agreed.headers["Location"] == "/campaigns/harbour/work/"
    assert client.get("/campaigns/harbour/work/").status_code == 200


def test_another_browser_with_a_guessed_session_gets_nothing(client: Client) -> None:
    client.post(ADDRESS)
    thief = Client()
    response = thief.post(ADDRESS.replace("s1", "guess"))
    assert (response.status_code, "used in another session" in response.text, user_of(thief)) == (422, True, None)
    assert CrowdVisit.objects.get().session == "s1"


def test_the_same_person_returns_to_the_same_account(client: Client) -> None:
    client.post(ADDRESS)
    other = Client()
    other.post(ADDRESS)
    assert user_of(other) == user_of(client) is not None


def test_whoever_is_signed_in_keeps_their_session(organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    says = "You are signed in as olga; sign out first or use a private window."
    looked, pressed = client.get(ADDRESS), client.post(ADDRESS)
    assert (looked.status_code, says in looked.text, "Read the information sheet" in looked.text) == (200, True, False)
    assert (pressed.status_code, says in pressed.text, user_of(client)) == (422, True, organiser)
    assert CrowdVisit.objects.count() == 0


def test_an_address_without_a_session_is_refused_at_once(client: Client) -> None:
    address = ADDRESS.replace("&SESSION_ID=s1", "")
    for response in (client.get(address), client.post(address)):
        assert (response.status_code, "“SESSION_ID” is missing" in response.text) == (422, True)
    assert CrowdVisit.objects.count() == 0


def test_whoever_withdrew_reads_so(campaign: Campaign, client: Client) -> None:
    client.post(ADDRESS)
    assert client.post("/campaigns/harbour/withdraw/", {"sure": "yes"}).status_code in (200, 302)
    response = client.post(ADDRESS)
    assert (response.status_code, "You withdrew from this study" in response.text) == (422, True)
    assert (CrowdVisit.objects.count(), user_of(Client())) == (0, None)


def test_an_address_without_ids_says_what_is_missing(client: Client) -> None:
    for response in (client.get("/crowd/harbour/"), client.post("/crowd/harbour/")):
        assert (response.status_code, "“PROLIFIC_PID” is missing" in response.text) == (422, True)
    assert CrowdVisit.objects.count() == 0


def test_trying_out_ids_is_stopped(client: Client) -> None:
    for _ in range(limits.CROWD_VISITS.most):
        limits.count((limits.CROWD_VISITS, "127.0.0.1"))
    response = client.post(ADDRESS)
    assert (response.status_code, "Too many tries" in response.text, CrowdVisit.objects.count()) == (422, True, 0)


def test_campaigns_without_a_crowd_have_no_such_address(campaign: Campaign, organiser: User, client: Client) -> None:
    for kind in (None, "open"):
        set_entrance(campaign=campaign, kind=kind, by=organiser)
        assert [client.get(ADDRESS).status_code, client.post(ADDRESS).status_code] == [404, 404]


def test_an_account_without_a_password_is_told_how_to_come_back(client: Client) -> None:
    client.post(ADDRESS)
    assert "This account has no password" in client.get("/password/").text
