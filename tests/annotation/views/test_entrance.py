"""How people come in, registration where it is open, and the sheet's editor."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client

from annotation.models import Campaign, Entrance, InformationSheet, User
from annotation.services.crowd import set_entrance

SignIn = Callable[[User], Client]
ENTRANCE = "/campaigns/harbour/entrance/"
EDIT = "/campaigns/harbour/sheet/edit/"
REGISTER = "/campaigns/harbour/register/"
NEW = {"username": "nora", "password": "a-long-password-2"}


@pytest.fixture
def olga(organiser: User, campaign: Campaign, sign_in: SignIn) -> Client:
    return sign_in(organiser)


def sheet_form(sheet: InformationSheet, **changes: str) -> dict[str, str]:
    fields = {f"section_{part['key']}": part["text"] for part in sheet.sections if part["key"] != "withdrawal"}
    return fields | {"consent_form": "\n".join(sheet.consent_form), "language": "en", "on_withdrawal": "erase"} | changes


@pytest.mark.parametrize(
    ("platform", "names"),
    [
        ("prolific", ["PROLIFIC_PID", "STUDY_ID", "SESSION_ID"]),
        ("mturk", ["workerId", "hitId", "assignmentId"]),
        ("other", ["participant", "study", "session"]),
    ],
)
def test_a_platforms_names_are_filled_in(olga: Client, platform: str, names: list[str]) -> None:
    assert olga.post(ENTRANCE, {"kind": "crowd", "platform": platform}).status_code == 302
    made = Entrance.objects.get()
    assert [made.participant_parameter, made.study_parameter, made.session_parameter] == names
    page = olga.get("/campaigns/harbour/people/").text
    address = re.search(r'id="entrance-address"[^>]*>([^<]*)<', page)
    assert address is not None and 'data-copy="entrance-address"' in page
    own = {
        "prolific": "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}",
        "other": "?participant=…&study=…&session=…",
    }
    page = "http://testserver/crowd/harbour/"
    if platform == "mturk":
        assert f'href="{page}"' in unescape(address[1]) and "location.search" in unescape(address[1])
    else:
        assert unescape(address[1]) == page + own[platform]


def test_the_address_of_an_open_campaign_can_be_copied_too(olga: Client) -> None:
    assert 'id="entrance-address"' not in olga.get("/campaigns/harbour/people/").text
    olga.post(ENTRANCE, {"kind": "open"})
    page = olga.get("/campaigns/harbour/people/").text
    assert re.findall(r'id="entrance-address"[^>]*>([^<]*)<', page) == [f"http://testserver{REGISTER}"]
    assert 'data-copy="entrance-address"' in page


def test_what_belongs_to_a_crowd_is_asked_of_nobody_else(olga: Client) -> None:
    form = {"kind": "open", "platform": "prolific", "completion_code": "C0DE", "completion_url": "no address"}
    assert olga.post(ENTRANCE, form).status_code == 302
    made = Entrance.objects.get()
    assert (made.platform, made.completion_code, made.completion_url) == ("", "", "")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"pay_per_item": "0.1"}, "in which currency"),
        ({"pay_per_item": "-1", "currency": "EUR"}, "greater than or equal to 0"),
        ({"currency": "Euro"}, "Currency"),
        ({"kind": "crowd", "completion_url": "javascript:alert(1)"}, "valid URL"),
        ({"kind": "door"}, "not one of the available choices"),
    ],
)
def test_a_wrong_entrance_is_refused(olga: Client, change: dict[str, str], says: str) -> None:
    response = olga.post(ENTRANCE, {"kind": "open"} | change)
    assert (response.status_code, says in response.text, Entrance.objects.count()) == (422, True, 0)


def test_pay_publishes_a_sheet_that_says_so(olga: Client, campaign: Campaign) -> None:
    form = {"kind": "open", "pay_per_item": "0.12", "minimum_hourly_pay": "13.5", "currency": "eur", "criteria": "Adults."}
    page = olga.post(ENTRANCE, form, follow=True).text
    assert "version 2 is published" in page
    sheet = campaign.sheets.first()
    assert sheet is not None
    texts = {part["key"]: part["text"] for part in sheet.sections}
    assert texts["pay"].startswith("You are paid 0.12 EUR for each text") and "at least 13.50 EUR an hour" in texts["pay"]
    assert texts["recruitment"] == "Adults."


def test_anybody_registers_only_where_a_campaign_lets_them(campaign: Campaign, organiser: User, client: Client) -> None:
    assert [client.get(REGISTER).status_code, client.post(REGISTER, NEW).status_code] == [404, 404]
    set_entrance(campaign=campaign, kind="crowd", by=organiser, participant_parameter="p")
    assert client.post(REGISTER, NEW).status_code == 404
    set_entrance(campaign=campaign, kind="open", by=organiser)
    assert client.get(REGISTER).status_code == 200
    assert client.post(REGISTER, NEW | {"password": "12345678"}).status_code == 422
    assert client.post(REGISTER, NEW).headers["Location"] == "/campaigns/harbour/sheet/"
    nora = campaign.memberships.get(user__username="nora")
    assert (nora.role, nora.user.is_organiser) == ("annotator", False)


@pytest.mark.parametrize("state", ["draft", "paused", "closed"])
def test_nobody_registers_while_it_is_not_open(campaign: Campaign, organiser: User, client: Client, state: str) -> None:
    set_entrance(campaign=campaign, kind="open", by=organiser)
    Campaign.objects.filter(pk=campaign.pk).update(state=state)
    response = client.post(REGISTER, NEW)
    assert (response.status_code, "takes nobody in at present" in response.text) == (404, True)
    assert not User.objects.filter(username="nora").exists()


def test_somebody_with_an_account_registers_with_it_once(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    set_entrance(campaign=campaign, kind="open", by=organiser)
    client = sign_in(User.objects.create_user(username="nora"))
    for _ in range(2):
        assert client.post(REGISTER).headers["Location"] == "/campaigns/harbour/sheet/"
    assert campaign.memberships.filter(user__username="nora").count() == 1
    assert sign_in(organiser).post(REGISTER).status_code == 422


def test_the_editor_shows_every_section_and_a_preview_publishes_nothing(olga: Client, campaign: Campaign) -> None:
    sheet = campaign.sheets.get()
    page = olga.get(EDIT).text
    assert "Legal basis and who is responsible" in page and "[institution, address]" in page
    response = olga.post(EDIT, sheet_form(sheet, section_purpose="We study <b>bridges</b>.", preview="yes"))
    assert response.status_code == 200
    assert "Preview: not published yet" in response.text and "We study &lt;b&gt;bridges&lt;/b&gt;." in response.text
    assert campaign.sheets.count() == 1


def test_the_gaps_are_those_of_the_draft(olga: Client, campaign: Campaign) -> None:
    sheet = campaign.sheets.get()
    assert "Still to be filled in: [Add a sentence about your study.]" in olga.get(EDIT).text
    page = olga.post(
        EDIT, sheet_form(sheet, section_purpose="We study bridges.", section_approval="By [board].", preview="yes")
    ).text
    (gaps,) = re.findall("Still to be filled in: ([^<]*)", page)
    assert ("Add a sentence" in gaps, "[ethics board" in gaps, "[board]" in gaps, "[how long]" in gaps) == (
        False,
        False,
        True,
        True,
    )
    refused = olga.post(EDIT, sheet_form(sheet, consent_form=" ", preview="yes")).text
    assert "Still to be filled in" not in refused


def test_the_sheet_of_a_draft_is_stored_and_nowhere_called_published(olga: Client, campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(state="draft")
    sheet = campaign.sheets.get()
    looked = olga.post(EDIT, sheet_form(sheet, section_purpose="We study bridges.", preview="yes")).text
    stored = olga.post(EDIT, sheet_form(sheet, section_purpose="We study bridges.", publish="yes"), follow=True).text
    pay = {"kind": "open", "pay_per_item": "0.12", "currency": "eur", "criteria": "Adults."}
    paid = olga.post(ENTRANCE, pay, follow=True).text
    said = ("Preview: not stored yet" in looked, "Version 2 is stored." in stored, "version 3 is stored" in paid)
    assert said == (True, True, True)
    pages = looked + stored + paid + olga.get(EDIT).text
    assert re.findall(r"[Vv]ersion \d+ is published|not published yet|, published on|Publish as", pages) == []


def test_publishing_makes_a_version_and_says_so(olga: Client, campaign: Campaign) -> None:
    sheet = campaign.sheets.get()
    changed = sheet_form(
        sheet, section_purpose="We study bridges.", section_approval="", publish="yes", on_withdrawal="pseudonymise"
    )
    assert "Version 2 is published." in olga.post(EDIT, changed, follow=True).text
    new = campaign.sheets.first()
    assert new is not None
    keys = [part["key"] for part in new.sections]
    assert ("approval" in keys, new.sections[0]["text"], new.on_withdrawal) == (False, "We study bridges.", "pseudonymise")
    assert "Nothing had changed." in olga.post(EDIT, changed, follow=True).text
    assert campaign.sheets.count() == 2


@pytest.mark.parametrize(
    ("changes", "says"), [({"consent_form": " "}, "Consent form"), ({"on_withdrawal": "sell"}, "not one of the available")]
)
def test_a_wrong_sheet_is_not_published(olga: Client, campaign: Campaign, changes: dict[str, str], says: str) -> None:
    response = olga.post(EDIT, sheet_form(campaign.sheets.get(), publish="yes", **changes))
    assert (response.status_code, says in response.text, campaign.sheets.count()) == (422, True, 1)


def test_before_the_campaign_is_opened_the_sheet_is_a_draft(olga: Client, campaign: Campaign) -> None:
    for state, draft in (("draft", True), ("open", False), ("closed", False)):
        Campaign.objects.filter(pk=campaign.pk).update(state=state)
        edited, read = olga.get("/campaigns/harbour/sheet/edit/").text, olga.get("/campaigns/harbour/sheet/").text
        assert ("a draft of" in edited, "published on" in edited, "a draft of" in read) == (draft, not draft, draft)


def test_opening_with_gaps_in_the_sheet_warns(olga: Client, campaign: Campaign) -> None:
    page = olga.post("/campaigns/harbour/open/", follow=True).text
    assert "The information sheet still has gaps that people can see" in page and "[ethics board, date and number]" in page
    plain = {f"section_{part['key']}": "Something." for part in campaign.sheets.get().sections}
    olga.post(EDIT, sheet_form(campaign.sheets.get(), publish="yes", **plain))
    assert "still has gaps" not in olga.post("/campaigns/harbour/open/", follow=True).text
