from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.models import Campaign, Item, Job, User
from annotation.protocols import PROTOCOLS
from annotation.services.claiming import claim_next
from annotation.services.crowd import set_entrance
from annotation.services.people import invitation_for
from annotation.services.sheets import publish_sheet
from tests.annotation.conftest import MakeAnnotator, MakeCampaign

SignIn = Callable[[User], Client]
PAIRS = "original,adversarial,attacker\nThe bridge closes.,The brdige closes.,deepwordbug\nIt rains.,It snows.,textfooler\n"


def upload(client: Client, text: str | bytes, *, name: str = "fresh", format: str = "pairs") -> object:
    data = text if isinstance(text, bytes) else text.encode()
    given = {"name": name, "title": "Ours", "format": format, "file": SimpleUploadedFile("pairs.csv", data)}
    return client.post("/campaigns/new/file/", given)


@pytest.mark.parametrize(("protocol", "preset"), [(key, preset) for key in PROTOCOLS for preset in PROTOCOLS[key].presets])
def test_a_campaign_is_made_of_every_preset(protocol: str, preset: str, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    page = client.get("/campaigns/new/").text
    assert f'value="{protocol}/{preset}"' in page
    wanted = {"preset": f"{protocol}/{preset}", "name": "fresh", "title": "A fresh one"}
    page = client.post("/campaigns/new/", wanted, follow=True)
    assert page.redirect_chain[-1][0] == "/campaigns/fresh/settings/"  # type: ignore[attr-defined]
    campaign = Campaign.objects.get()
    made = (campaign.protocol, campaign.preset, campaign.title, campaign.state, campaign.created_by)
    assert made == (protocol, preset, "A fresh one", "draft", organiser)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"preset": ""}, "Choose what people are asked"),
        ({"preset": "meaning/none"}, "Select a valid choice"),
        ({"title": ""}, "required"),
        ({"name": "harbour"}, "already a campaign named “harbour”"),
        ({"name": "new"}, "is an address of this site"),
        ({"name": "a b"}, "Use only letters"),
    ],
)
def test_a_wrong_new_campaign_is_refused_with_what_was_typed(
    wrong: dict[str, str], says: str, campaign: Campaign, organiser: User, sign_in: SignIn
) -> None:
    given = {"preset": "meaning/four-point", "name": "fresh", "title": "Typed by hand"} | wrong
    response = sign_in(organiser).post("/campaigns/new/", given)
    assert (response.status_code, Campaign.objects.count(), says in response.text) == (422, 1, True)
    assert ("Typed by hand" in response.text) == (given["title"] != "")


def test_pausing_and_going_on(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    states = []
    for verb in ("pause", "open", "close", "pause"):
        client.post(f"/campaigns/harbour/{verb}/")
        campaign.refresh_from_db()
        states.append(campaign.state)
    assert states == ["paused", "open", "closed", "closed"]
    assert list(campaign.events.order_by("pk").values_list("verb", flat=True)) == [
        "created", "opened", "paused", "opened", "closed",
    ]  # fmt: skip


def test_opening_and_closing(make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn) -> None:
    campaign = make_campaign(opened=False)
    client = sign_in(organiser)
    assert "Open the campaign" in client.get("/campaigns/harbour/").text
    page = client.post("/campaigns/harbour/open/", follow=True).text
    campaign.refresh_from_db()
    assert (campaign.state, "Close the campaign" in page, "Open the campaign" in page) == ("open", True, False)
    page = client.post("/campaigns/harbour/close/", follow=True).text
    campaign.refresh_from_db()
    assert (campaign.state, "marked as late" in page) == ("closed", True)


def test_a_crowd_is_let_to_a_sheet_with_gaps_only_when_that_is_meant(
    make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn
) -> None:
    campaign, client, says = make_campaign(opened=False), sign_in(organiser), "Open the campaign with gaps in its sheet?"
    set_entrance(campaign=campaign, kind="crowd", by=organiser, platform="prolific", participant_parameter="PID")
    asked = client.post("/campaigns/harbour/open/")
    campaign.refresh_from_db()
    assert (asked.status_code, says in asked.text, "[ethics board, date and number]" in asked.text) == (422, True, True)
    assert (campaign.state, says in client.get("/campaigns/harbour/open/").text) == ("draft", True)
    client.post("/campaigns/harbour/open/", {"sure": "yes"})
    campaign.refresh_from_db()
    assert campaign.state == "open"


def test_a_crowd_is_let_to_a_complete_sheet_at_once(
    make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn
) -> None:
    campaign, client = make_campaign(opened=False), sign_in(organiser)
    set_entrance(campaign=campaign, kind="crowd", by=organiser, platform="prolific", participant_parameter="PID")
    publish_sheet(campaign=campaign, sections=[{"key": "purpose", "heading": "What", "text": "No gap."}])
    client.post("/campaigns/harbour/open/")
    campaign.refresh_from_db()
    assert campaign.state == "open"


@pytest.mark.parametrize(
    ("title", "name"),
    [("Łódź", "lodz"), ("Straße", "strasse"), ("Ærø Ørsted", "aero-orsted"), ("Đà Nẵng", "da-nang"), ("Iğdır", "igdir")],
)
def test_a_name_spells_letters_that_have_no_accent(title: str, name: str, db: None, organiser: User, sign_in: SignIn) -> None:
    sign_in(organiser).post("/campaigns/new/", {"preset": "meaning/incrediblae", "title": title, "name": ""})
    assert list(Campaign.objects.values_list("name", flat=True)) == [name]


@pytest.mark.parametrize("page", ["", "settings/"])
@pytest.mark.parametrize(
    ("state", "offered"),
    [("draft", ["open"]), ("open", ["pause", "close"]), ("paused", ["open", "close"]), ("closed", ["open"])],
)
def test_each_state_offers_what_comes_next(
    page: str, state: str, offered: list[str], campaign: Campaign, organiser: User, sign_in: SignIn
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(state=state)
    seen = sign_in(organiser).get(f"/campaigns/harbour/{page}").text
    assert re.findall(r'(?:action|href)="/campaigns/harbour/(open|pause|close)/"', seen) == offered


def test_closing_asks_first_and_says_what_it_comes_to(
    campaign: Campaign, annotator: User, organiser: User, sign_in: SignIn
) -> None:
    claim_next(campaign=campaign, annotator=annotator)
    client = sign_in(organiser)
    page = client.get("/campaigns/harbour/close/").text
    campaign.refresh_from_db()
    assert (campaign.state, "1 item is with somebody just now" in page) == ("open", True)
    assert re.findall(r'<form method="post"(?: action="([^"]*)")?>.*?<button[^>]*>([^<]*)</button>', page)[1:] == [
        ("", "Close the campaign"),
        ("/campaigns/harbour/pause/", "Pause it instead"),
    ]
    client.post("/campaigns/harbour/close/")
    campaign.refresh_from_db()
    assert (campaign.state, "The campaign is closed" in client.get("/campaigns/harbour/close/").text) == ("closed", True)


def test_a_campaign_without_items_is_not_opened(make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn) -> None:
    campaign = make_campaign(items=0, opened=False)
    page = sign_in(organiser).post("/campaigns/harbour/open/", follow=True).text
    campaign.refresh_from_db()
    assert (campaign.state, "There are no items yet" in page) == ("draft", True)


def test_an_invitation_link_works_and_is_shown_once(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    page = client.post("/campaigns/harbour/invite/", {"role": "annotator", "uses": "7", "days": "3"}).text
    (token,) = re.findall(r'value="http://testserver/join/([^/]+)/"', page)
    invitation = invitation_for(token)
    assert (invitation.campaign, invitation.uses_left) == (campaign, 7)
    assert round((invitation.expires_at - invitation.created_at).total_seconds() / 86400, 3) == 3
    later = client.get("/campaigns/harbour/people/").text
    assert (token in later, "7 uses left" in later) == (False, True)


@pytest.mark.parametrize("form", [{"uses": "0", "days": "3"}, {"uses": "3", "days": "1000"}, {"uses": "x", "days": "3"}, {}])
def test_an_invitation_out_of_range_is_refused(
    form: dict[str, str], campaign: Campaign, organiser: User, sign_in: SignIn
) -> None:
    response = sign_in(organiser).post("/campaigns/harbour/invite/", form)
    assert (response.status_code, campaign.invitations.count()) == (422, 0)


@pytest.mark.parametrize("kind", ["imported", "simulated"])
def test_nobody_is_invited_where_nobody_answers(
    kind: str, make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn
) -> None:
    make_campaign(opened=False, **{kind: True})
    page = sign_in(organiser).get("/campaigns/harbour/").text
    assert ("Make a link" in page, "Open the campaign" in page) == (False, False)


def test_a_campaign_is_made_of_a_file(organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    response = upload(client, PAIRS)
    assert response.headers["Location"] == "/campaigns/fresh/"  # type: ignore[attr-defined]
    campaign = Campaign.objects.get(name="fresh")
    assert (campaign.created_by, campaign.state, campaign.items.count()) == (organiser, "draft", 2)
    assert "2 items were written." in client.get("/campaigns/fresh/").text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("original,changed\na,b\n", "column adversarial"),
        (PAIRS + "It rains.,,x\n", "line 4, column adversarial"),
        (PAIRS.encode() + b"\xff\xfe,b,c\n", "line 4"),
        ("", "empty"),
    ],
)
def test_a_bad_file_is_refused_by_line_and_column_and_nothing_is_written(
    text: str | bytes, says: str, organiser: User, sign_in: SignIn
) -> None:
    response = upload(sign_in(organiser), text)
    assert response.status_code == 422  # type: ignore[attr-defined]
    (notice,) = re.findall(r'<div class="notice bad" role="alert">(.*?)</div>', response.text, re.S)  # type: ignore[attr-defined]
    assert says in notice
    assert (Campaign.objects.count(), Item.objects.count()) == (0, 0)


@pytest.mark.parametrize("name", ["new", "a b", "ä/ö"])
def test_a_name_that_cannot_be_an_address_is_refused(name: str, organiser: User, sign_in: SignIn) -> None:
    response = upload(sign_in(organiser), PAIRS, name=name)
    assert (response.status_code, Campaign.objects.count()) == (422, 0)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("About harbours, 2026", "about-harbours-2026"),
        ("Harbour", "harbour-2"),
        ("New!", "new-2"),
        ("Hafen über alles", "hafen-uber-alles"),
    ],
)
def test_a_name_is_made_of_the_title(title: str, name: str, campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    client.post("/campaigns/new/", {"preset": "meaning/four-point", "title": title, "name": ""})
    made = Campaign.objects.exclude(pk=campaign.pk).get()
    assert (made.name, made.title) == (name, title)


def test_a_title_that_makes_no_name_asks_for_one(organiser: User, sign_in: SignIn) -> None:
    response = sign_in(organiser).post("/campaigns/new/", {"preset": "meaning/four-point", "title": "港", "name": ""})
    assert (response.status_code, "Type one here." in response.text) == (422, True)


def test_a_campaign_from_a_file_has_the_title_that_was_typed(organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    assert upload(client, PAIRS, name="").headers["Location"] == "/campaigns/ours/"  # type: ignore[attr-defined]
    assert Campaign.objects.get().title == "Ours"
    page = client.get("/campaigns/new/file/").text
    assert "The file items.jsonl of the export, as it is" in page and "first_kind" not in page


def test_a_taken_name_is_refused(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    response = upload(sign_in(organiser), PAIRS, name="harbour")
    assert "already a campaign named “harbour”" in response.text  # type: ignore[attr-defined]
    assert campaign.items.count() == 3


def test_training_starts_one_job(make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn) -> None:
    make_campaign("suspicion")
    client = sign_in(organiser)
    assert "Train a model" in client.get("/campaigns/harbour/").text
    page = client.post("/campaigns/harbour/train/", {"model": "first"}, follow=True).text
    job = Job.objects.get()
    assert (job.kind, job.arguments, job.created_by) == ("train", {"campaign": "harbour", "name": "first"}, organiser)
    assert ("A model is being trained" in page, "Train a model" in page) == (True, False)
    client.post("/campaigns/harbour/train/", {"model": "second"})
    assert Job.objects.count() == 1


@pytest.mark.parametrize(("sent", "arguments"), [("3", {"confidence_at_least": 3}), ("1", {}), ("", {})])
def test_training_can_leave_out_less_sure_answers(
    sent: str, arguments: dict[str, int], make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn
) -> None:
    make_campaign("suspicion", settings={"confidence": True})
    client = sign_in(organiser)
    assert 'name="confidence_at_least"' in client.get("/campaigns/harbour/").text
    client.post("/campaigns/harbour/train/", {"model": "sure", "confidence_at_least": sent})
    assert Job.objects.get().arguments == {"campaign": "harbour", "name": "sure", **arguments}


def test_training_on_decisions_takes_all_of_them(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    page = client.get("/campaigns/harbour/").text
    assert ("Meaning model" in page, "Train a model" in page, 'name="confidence_at_least"' in page) == (True, True, False)
    client.post("/campaigns/harbour/train/", {"model": "kept", "confidence_at_least": "3"})
    assert Job.objects.get().arguments == {"campaign": "harbour", "name": "kept"}


def test_there_is_nothing_to_train_where_no_model_can_learn(
    make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn
) -> None:
    make_campaign("preference")
    client = sign_in(organiser)
    assert "Train a model" not in client.get("/campaigns/harbour/").text
    assert client.post("/campaigns/harbour/train/").status_code == 404
    assert Job.objects.count() == 0


@pytest.mark.parametrize("people", [1, 3, 30])
def test_the_number_of_queries_does_not_grow(
    people: int,
    campaign: Campaign,
    organiser: User,
    make_annotator: Callable[..., User],
    sign_in: SignIn,
    django_assert_num_queries: Callable[..., object],
) -> None:
    for number in range(people):
        make_annotator(campaign, f"a{number}")
    client = sign_in(organiser)
    with django_assert_num_queries(25):  # type: ignore[attr-defined]  # two of them say whether the figures are still those
        page = client.get("/campaigns/harbour/").text
    assert len(re.findall(r">a\d+<", page)) == people


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ([], "all invitation links"),
        (["anna"], "1 person with what they agreed to, and all invitation links; accounts stay"),
        (["anna", "boris"], "2 people with what they agreed to, and all invitation links; accounts stay"),
    ],
)
def test_deleting_says_whose_places_go(
    others: list[str], said: str, make_campaign: MakeCampaign, make_annotator: MakeAnnotator, organiser: User, sign_in: SignIn
) -> None:
    campaign = make_campaign(opened=False)
    for name in others:
        make_annotator(campaign, name)
    page = sign_in(organiser).get("/campaigns/harbour/delete/").text
    assert re.findall("<li>(.*invitation links.*)</li>", page) == [said]
