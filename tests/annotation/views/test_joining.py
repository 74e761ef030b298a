from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Campaign, Consent, Membership, User
from annotation.services.people import invite
from annotation.services.sheets import publish_sheet

SignIn = Callable[[User], Client]
NEW = {"username": "nora", "password": "a-long-password-2"}


@pytest.fixture
def address(campaign: Campaign, organiser: User) -> str:
    return f"/join/{invite(campaign=campaign, by=organiser, uses=1)}/"


def test_a_new_person_joins_and_is_led_to_the_sheet(address: str, campaign: Campaign, client: Client) -> None:
    assert "About harbour" in client.get(address).text
    response = client.post(address, NEW)
    assert response.headers["Location"] == "/campaigns/harbour/sheet/"
    assert list(campaign.memberships.filter(role="annotator").values_list("user__username", flat=True)) == ["nora"]
    assert client.get("/campaigns/harbour/sheet/").status_code == 200


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"username": "nora", "password": "12345678"}, "entirely numeric"),
        ({"username": "", "password": "a-long-password-2"}, "Name</a>: This field is required."),
        ({"username": "no ra", "password": "a-long-password-2"}, "Enter a valid username"),
        ({"username": "olga", "password": "a-long-password-2"}, "The name “olga” is taken."),
    ],
)
def test_what_cannot_be_an_account_is_refused_and_uses_nothing(
    form: dict[str, str], says: str, address: str, campaign: Campaign, client: Client
) -> None:
    response = client.post(address, form)
    assert (response.status_code, says in response.text) == (422, True)
    assert (User.objects.count(), campaign.invitations.get().uses_left) == (1, 1)


def test_a_used_link_lets_nobody_in(address: str, client: Client) -> None:
    client.post(address, NEW)
    response = Client().get(address)
    assert (response.status_code, "This invitation link has been used." in response.text) == (404, True)
    assert Client().post(address, {"username": "late", "password": "a-long-password-3"}).status_code == 404
    assert not User.objects.filter(username="late").exists()


def test_an_unknown_link_says_so(db: None, client: Client) -> None:
    response = client.get("/join/nothing/")
    assert (response.status_code, "not known here" in response.text) == (404, True)


def test_somebody_with_an_account_joins_with_it(address: str, campaign: Campaign, sign_in: SignIn) -> None:
    user = User.objects.create_user(username="nora")
    assert "Join as nora" in sign_in(user).get(address).text
    assert campaign.memberships.filter(user=user).count() == 0
    sign_in(user).post(address)
    assert campaign.memberships.get(user=user).role == Membership.Role.ANNOTATOR


def test_the_organiser_cannot_answer_in_their_own_campaign(address: str, organiser: User, sign_in: SignIn) -> None:
    response = sign_in(organiser).post(address)
    assert (response.status_code, "You organise this campaign" in response.text) == (422, True)


def test_consent_is_asked_before_the_first_item_and_recorded(
    campaign: Campaign, make_annotator: Callable[..., User], sign_in: SignIn
) -> None:
    user = make_annotator(campaign, "nora")
    client = sign_in(user)
    assert client.get("/campaigns/harbour/work/").headers["Location"] == "/campaigns/harbour/sheet/"
    sheet = campaign.sheets.get()
    response = client.post("/campaigns/harbour/sheet/", {"sheet": sheet.pk})
    assert (response.status_code, "Tick every statement" in response.text, Consent.objects.count()) == (422, True, 0)
    response = client.post("/campaigns/harbour/sheet/", {"sheet": sheet.pk, "agree": ["1", "2", "3"]})
    assert (response.status_code, Consent.objects.count()) == (422, 0)
    response = client.post("/campaigns/harbour/sheet/", {"sheet": sheet.pk, "agree": ["1", "2", "3", "4"]})
    assert response.headers["Location"] == "/campaigns/harbour/work/"
    assert list(Consent.objects.values_list("user__username", "sheet__version")) == [("nora", 1)]


def test_agreeing_to_a_sheet_that_was_changed_meanwhile_is_no_consent(
    campaign: Campaign, make_annotator: Callable[..., User], sign_in: SignIn
) -> None:
    client = sign_in(make_annotator(campaign, "nora"))
    read = campaign.sheets.get()
    publish_sheet(campaign=campaign, sections=[{"key": "data", "heading": "Data", "text": "We now also keep your shoe size."}])
    response = client.post("/campaigns/harbour/sheet/", {"sheet": read.pk, "agree": ["1", "2", "3", "4"]}, follow=True)
    assert ("The sheet was changed meanwhile." in response.text, "shoe size" in response.text) == (True, True)
    assert Consent.objects.count() == 0


def test_the_sheet_is_for_those_who_take_part(
    campaign: Campaign, organiser: User, annotator: User, other_organiser: User, sign_in: SignIn
) -> None:
    people = (organiser, annotator, other_organiser)
    assert [sign_in(user).get("/campaigns/harbour/sheet/").status_code for user in people] == [200, 200, 404]
    page = sign_in(organiser).get("/campaigns/harbour/sheet/").text
    assert ("Consent form" in page, 'href="/campaigns/harbour/people/"' in page) == (False, True)
    assert 'href="/campaigns/harbour/people/"' not in sign_in(annotator).get("/campaigns/harbour/sheet/").text


def test_the_organiser_gives_no_consent(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    form = {"sheet": campaign.sheets.get().pk, "agree": ["1", "2", "3", "4"]}
    assert sign_in(organiser).post("/campaigns/harbour/sheet/", form).status_code == 404
    assert Consent.objects.count() == 0


def test_signing_in_and_out(organiser: User, client: Client) -> None:
    wrong = client.post("/signin/", {"username": "olga", "password": "no"})
    assert "do not go together" in wrong.text
    right = client.post("/signin/", {"username": "olga", "password": "a-long-password-1"})
    assert right.headers["Location"] == "/"
    assert "Sign out" in client.get("/").text
    assert client.get("/signout/").status_code == 405
    client.post("/signout/")
    assert "Sign out" not in client.get("/").text


def test_signing_in_leads_to_no_other_site(organiser: User, client: Client) -> None:
    form = {"username": "olga", "password": "a-long-password-1", "next": "https://example.org/"}
    assert client.post("/signin/", form).headers["Location"] == "/"
