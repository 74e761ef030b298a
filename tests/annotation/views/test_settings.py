"""The settings page: what it stores, what it refuses, what it shows as frozen; copies and links."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Campaign, User
from annotation.protocols import PROTOCOLS
from annotation.services.settings import specs_of
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

SignIn = Callable[[User], Client]
ADDRESS = "/campaigns/harbour/settings/"
WRONG = "A whole number from 5 to 10,080, not 0."
EMPTY = "This may not be empty."


def fields_of(page: str) -> dict[str, list[str]]:
    """What a browser without script would send of the first form, as it stands on the page."""
    form = page[page.index('<form method="post">') : page.index("</form>", page.index('<form method="post">'))]
    sent: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        name, kind = re.search(r'name="([^"]+)"', tag), re.search(r'type="([^"]+)"', tag)
        value = re.search(r'value="([^"]*)"', tag)
        if name and kind and (kind[1] not in ("radio", "checkbox") or " checked" in tag):
            sent.setdefault(name[1], []).append(_plain(value[1] if value else ""))
    for name, value in re.findall(r'<textarea name="([^"]+)"[^>]*>([^<]*)</textarea>', form):
        sent.setdefault(name, []).append(_plain(value))
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', form, re.S):
        chosen = re.search(r'value="([^"]*)" selected', options) or re.search(r'value="([^"]*)"', options)
        sent.setdefault(name, []).append(chosen[1] if chosen else "")
    return sent


def _plain(text: str) -> str:
    for entity, character in (("&quot;", '"'), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(entity, character)
    return text


@pytest.mark.parametrize(("protocol", "preset"), [(key, preset) for key in PROTOCOLS for preset in PROTOCOLS[key].presets])
def test_storing_the_page_as_it_stands_changes_nothing(
    make_campaign: MakeCampaign, organiser: User, sign_in: SignIn, protocol: str, preset: str
) -> None:
    campaign = make_campaign(protocol, preset=preset)
    before = (dict(campaign.settings), specs_of(campaign), campaign.title)
    client = sign_in(organiser)
    response = client.post(ADDRESS, fields_of(client.get(ADDRESS).text))
    assert response.status_code == 302
    campaign.refresh_from_db()
    assert (campaign.settings, specs_of(campaign), campaign.title) == before
    assert not campaign.events.filter(verb="settings").exists()


def test_every_kind_of_setting_can_be_changed(make_campaign: MakeCampaign, organiser: User, sign_in: SignIn) -> None:
    campaign = make_campaign(opened=False)
    client = sign_in(organiser)
    form = fields_of(client.get(ADDRESS).text)
    levels = [f"level {number}" for number in range(1, 6)]
    form |= {
        "title": ["Another title"], "question": ["What happened to it?"], "comment": ["yes"], "claim_minutes": ["90"],
        "pass_mark": ["0.75"], "weights": ["linear"], "confidence_levels": levels, "kept": ["preserve, no_sense"],
        "labels-2-name": ["alters the meaning"], "labels-2-hotkey": ["c"], "guidelines": ["First.\r\n\r\nSecond."],
    }  # fmt: skip
    del form["differences"]
    assert client.post(ADDRESS, form).status_code == 302
    campaign.refresh_from_db()
    stored = campaign.settings
    assert campaign.title == "Another title"
    wanted = {
        "question": "What happened to it?", "comment": True, "claim_minutes": 90, "pass_mark": 0.75, "weights": "linear",
        "confidence_levels": levels, "kept": ["preserve", "no_sense"], "guidelines": "First.\n\nSecond.", "differences": False,
    }  # fmt: skip
    assert {name: stored[name] for name in wanted} == wanted
    assert [(label.name, label.hotkey) for label in campaign.labels.all()] == [
        ("keeps the meaning", ""), ("alters the meaning", "c"), ("makes no sense", ""),
    ]  # fmt: skip
    event = campaign.events.get(verb="settings")
    assert (event.actor, "“title”, “question”" in event.detail["what"]) == (organiser, True)


def test_labels_and_examples_are_added_and_taken_out(make_campaign: MakeCampaign, organiser: User, sign_in: SignIn) -> None:
    campaign = make_campaign(opened=False)
    client = sign_in(organiser)
    form = fields_of(client.get(ADDRESS).text)
    form |= {"labels-4-value": ["7"], "labels-4-key": ["unsure"], "labels-4-name": ["cannot tell"]}
    form |= {"labels-3-name": [""], "examples-3-after": [""], "examples-3-before": [""]}
    form |= {"examples-99-after": ["A new text."], "examples-99-label": ["unsure"], "examples-99-why": ["It is new."]}
    assert client.post(ADDRESS, form).status_code == 302
    campaign.refresh_from_db()
    assert [label.key for label in campaign.labels.all()] == ["preserve", "change", "unsure"]
    assert [example["label"] for example in campaign.settings["examples"]] == ["preserve", "change", "unsure"]


def test_a_wrong_value_stands_beside_its_field_and_nothing_is_stored(
    make_campaign: MakeCampaign, organiser: User, sign_in: SignIn
) -> None:
    campaign = make_campaign(opened=False)
    client = sign_in(organiser)
    form = fields_of(client.get(ADDRESS).text) | {"claim_minutes": ["0"], "title": ["Typed title"], "question": [" "]}
    response = client.post(ADDRESS, form)
    assert response.status_code == 422
    (notice,) = re.findall(r'<div class="notice bad" role="alert">(.*?)</div>', response.text, re.S)
    assert re.findall(r'href="#([^"]+)">[^<]*</a>: ([^<]+)<', notice) == [("id_question", EMPTY), ("id_claim_minutes", WRONG)]
    assert re.findall(r'class="errorlist">([^<]+)<', response.text) == [EMPTY, WRONG]
    assert all(f'id="{address}"' in response.text for address in ("id_claim_minutes", "id_question"))
    assert "Typed title" in response.text
    campaign.refresh_from_db()
    assert (campaign.title, campaign.settings["claim_minutes"]) == ("About harbour", 60)


def test_answers_freeze_what_gives_them_their_meaning(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User, sign_in: SignIn
) -> None:
    campaign = make_campaign()
    client = sign_in(organiser)
    open_before = set(fields_of(client.get(ADDRESS).text))
    answer(campaign, make_annotator(campaign, "ada"), "preserve")
    page = client.get(ADDRESS).text
    assert "For another value, make a copy of the campaign and set it there." in page
    left = set(fields_of(page))
    gone = {"question", "prevalence", "slots", "tie", "weights", "conflicts", "kept", "labels-1-name", "confidence-asked"}
    assert (gone <= open_before, gone & left) == (True, set())
    assert {"title", "guidelines", "quota", "claim_minutes"} <= left
    # A form from before the first answer, or one made by hand, changes nothing that is frozen.
    client.post(ADDRESS, fields_of(page) | {"question": ["Another?"], "labels-asked": ["yes"], "labels-1-name": ["x"]})
    campaign.refresh_from_db()
    assert campaign.settings["question"] == "Compared with the original, the modified text…"
    assert campaign.labels.order_by("value")[0].name == "keeps the meaning"


def test_a_copy_is_one_click(make_campaign: MakeCampaign, organiser: User, sign_in: SignIn) -> None:
    campaign = make_campaign()
    client = sign_in(organiser)
    page = client.get(ADDRESS).text
    offered = re.search(r'action="/campaigns/harbour/copy/".*?value="([^"]+)".*?value="([^"]+)".*?value="([^"]+)"', page, re.S)
    assert offered and offered[3] == "harbour-copy"
    response = client.post("/campaigns/harbour/copy/", {"title": offered[2], "name": offered[3]})
    assert response.headers["Location"] == "/campaigns/harbour-copy/settings/"
    assert Campaign.objects.get(name="harbour-copy").items.count() == campaign.items.count()
    assert "harbour-copy-2" in client.get(ADDRESS).text
    again = client.post("/campaigns/harbour/copy/", {"title": "x", "name": "harbour-copy"})
    assert (again.status_code, "already a campaign named" in again.text, Campaign.objects.count()) == (422, True, 2)


def test_linking_and_unlinking(make_campaign: MakeCampaign, organiser: User, other_organiser: User, sign_in: SignIn) -> None:
    make_campaign()
    second = make_campaign(name="second")
    client = sign_in(organiser)
    page = client.get(ADDRESS).text
    assert ('value="second"' in page, 'value="elsewhere"' in page) == (True, False)
    assert "Choose another campaign to link" in client.post("/campaigns/harbour/link/", {"with": ["", "x"]}, follow=True).text
    assert "Linked" in client.post("/campaigns/harbour/link/", {"with": ["second"]}, follow=True).text
    groups = Campaign.objects.order_by("name").values_list("name", "link_group")
    assert list(groups) == [("elsewhere", ""), ("harbour", "harbour"), ("second", "harbour")]
    client.post("/campaigns/second/unlink/")
    second.refresh_from_db()
    assert second.link_group == ""
    client.post("/campaigns/harbour/link/", {"with": ["elsewhere"]})
    assert Campaign.objects.get(name="elsewhere").link_group == ""


@pytest.mark.parametrize("verb", ["settings", "copy", "link", "unlink", "pause"])
def test_nobody_else_may(
    verb: str, make_campaign: MakeCampaign, make_annotator: MakeAnnotator, other_organiser: User, sign_in: SignIn
) -> None:
    campaign = make_campaign()
    anna = make_annotator(campaign, "anna")
    before = dict(campaign.settings)
    for stranger in (anna, other_organiser):
        client = sign_in(stranger)
        form = {"title": "Mine", "name": "mine", "with": ["harbour", "elsewhere"], "question": "Mine?"}
        assert client.post(f"/campaigns/harbour/{verb}/", form).status_code == 404
    campaign.refresh_from_db()
    assert (campaign.title, campaign.settings, campaign.state) == ("About harbour", before, "open")
    assert set(Campaign.objects.values_list("name", flat=True)) == {"harbour", "elsewhere"}


@pytest.mark.parametrize("campaigns", [1, 3, 30])
def test_the_number_of_queries_does_not_grow(
    campaigns: int,
    make_campaign: MakeCampaign,
    organiser: User,
    sign_in: SignIn,
    django_assert_num_queries: Callable[..., object],
) -> None:
    make_campaign(items=campaigns)
    for number in range(campaigns):
        make_campaign(name=f"other-{number}", items=0, opened=False)
    client = sign_in(organiser)
    client.get(ADDRESS)
    with django_assert_num_queries(9):  # type: ignore[attr-defined]
        page = client.get(ADDRESS).text
    assert page.count('name="with"') == campaigns
