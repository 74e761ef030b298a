from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Campaign, CrowdVisit, User
from annotation.services import limits
from annotation.services.answering import submit
from annotation.services.campaigns import close_campaign
from annotation.services.claiming import claim_next
from annotation.services.crowd import set_entrance
from annotation.services.members import set_quota
from annotation.services.people import consent
from annotation.services.sheets import publish_sheet

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


def finish(campaign: Campaign, client: Client) -> User:
    """Come in, agree, and answer one text, which is all that is asked."""
    client.post(ADDRESS)
    user = user_of(client)
    assert user is not None
    consent(sheet=campaign.sheets.first(), user=user)  # type: ignore[arg-type]
    set_quota(member=campaign.memberships.get(user=user), quota=1, by=user)
    claim = claim_next(campaign=campaign, annotator=user)
    submit(claim_id=claim.pk, annotator=user, data={"label": "preserve", "confidence": 4})
    assert "C0FFEE" in client.get("/campaigns/harbour/work/").text
    return user


def test_whoever_is_done_and_comes_back_gets_the_code(campaign: Campaign, client: Client) -> None:
    finish(campaign, client)
    back = client.get(ADDRESS, follow=True)
    assert (back.redirect_chain, "C0FFEE" in back.text, 'data-copy="completion-code"' in back.text) == (
        [("/campaigns/harbour/work/", 302)], True, True,
    )  # fmt: skip
    elsewhere = Client()
    assert "Show my completion code" in elsewhere.get(ADDRESS).text
    assert "C0FFEE" in elsewhere.post(ADDRESS, follow=True).text


def test_the_code_is_still_there_after_the_end_and_after_a_new_sheet(campaign: Campaign, client: Client) -> None:
    finish(campaign, client)
    publish_sheet(campaign=campaign, sections=[{"key": "purpose", "heading": "What", "text": "Something else."}])
    assert "C0FFEE" in client.get("/campaigns/harbour/work/").text
    close_campaign(campaign=campaign)
    for browser in (client, Client()):
        assert "C0FFEE" in browser.post(ADDRESS, follow=True).text
    guessing = Client().post(ADDRESS.replace("s1", "s2"))
    assert (guessing.status_code, "C0FFEE" in guessing.text) == (422, False)


def test_whoever_is_not_done_goes_on_at_work(campaign: Campaign, client: Client) -> None:
    client.post(ADDRESS)
    assert client.post(ADDRESS).headers["Location"] == "/campaigns/harbour/sheet/"
    consent(sheet=campaign.sheets.first(), user=user_of(client))  # type: ignore[arg-type]
    assert "Go on" in client.get(ADDRESS).text
    assert client.post(ADDRESS).headers["Location"] == "/campaigns/harbour/work/"


def rows_of(client: Client, file: str) -> list[dict[str, str]]:
    body = client.get(f"/campaigns/harbour/people/{file}").getvalue().decode()
    return list(csv.DictReader(io.StringIO(body.removeprefix("\ufeff"))))


def test_organisers_see_and_download_whom_the_platform_sent(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    done, begun = Client(), Client()
    finished = finish(campaign, done)
    begun.post("/crowd/harbour/?PROLIFIC_PID==p2&STUDY_ID=st&SESSION_ID=s2")
    olga = sign_in(organiser)
    rows = rows_of(olga, "crowd.csv")
    shown = [(row["participant"], row["answers"], row["finished"], row["code_given"], bool(row["code_given_at"])) for row in rows]
    assert shown == [("p1", "1", "yes", "yes", True), ("'=p2", "0", "no", "no", False)]
    people = olga.get("/campaigns/harbour/people/").text
    assert ("<code>p1</code>" in people, "<code>=p2</code>" in people, people.count("not yet")) == (True, True, 1)
    page = olga.get(f"/campaigns/harbour/people/{campaign.memberships.get(user=finished).pk}/").text
    assert ("<code>p1</code>" in page, "<dt>Finished</dt><dd>yes</dd>" in page, "Sent by</dt><dd>Prolific" in page) == (
        True, True, True,
    )  # fmt: skip
    done.post("/campaigns/harbour/withdraw/", {"sure": "yes"})
    assert [row["participant"] for row in rows_of(olga, "crowd.csv")] == ["'=p2"]
    assert "p1</code>" not in olga.get("/campaigns/harbour/people/").text
    assert olga.get("/campaigns/harbour/people/names.csv").status_code == 404


def test_consents_are_shown_and_downloaded_under_numbers(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = Client()
    user = finish(campaign, client)
    olga, sheet = sign_in(organiser), campaign.sheets.get(version=2)
    (row,) = rows_of(olga, "consents.csv")
    assert (row["annotator"], row["sheet_version"], row["sheet_sha256"], row["language"], row["withdrawn_at"]) == (
        "A1", "2", sheet.sha256, "en", "",
    )  # fmt: skip
    page = f"/campaigns/harbour/people/{campaign.memberships.get(user=user).pk}/"
    assert (sheet.sha256 in olga.get(page).text, "<dt>Withdrawn</dt>" in olga.get(page).text) == (True, False)
    client.post("/campaigns/harbour/withdraw/", {"sure": "yes"})
    (row,) = rows_of(olga, "consents.csv")
    assert (row["annotator"], bool(row["withdrawn_at"])) == ("", True)
    assert "<dt>Withdrawn</dt>" in olga.get(page).text


def test_a_missing_completion_code_is_said_on_storing_and_on_people(organiser: User, sign_in: SignIn) -> None:
    olga, says = sign_in(organiser), "cannot tell the platform so"
    assert says not in olga.get("/campaigns/harbour/people/").text
    stored = {"kind": "crowd", "platform": "prolific"}
    assert says not in olga.post("/campaigns/harbour/entrance/", stored | {"completion_code": "C0FFEE"}, follow=True).text
    assert olga.post("/campaigns/harbour/entrance/", stored, follow=True).text.count(says) == 2
    assert says in olga.get("/campaigns/harbour/people/").text
