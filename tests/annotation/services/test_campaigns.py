"""Campaigns from presets, their items and slots."""

from __future__ import annotations

import pytest

from annotation.errors import DomainError, SettingsProblem
from annotation.models import Campaign, Slot, User
from annotation.protocols import PROTOCOLS
from annotation.services.campaigns import close_campaign, create_campaign, open_campaign
from annotation.services.claiming import claim_next
from tests.annotation.conftest import MakeAnnotator, MakeCampaign

PRESETS = [(key, name) for key, protocol in PROTOCOLS.items() for name in (*protocol.presets, "")]


@pytest.mark.parametrize(("protocol", "name"), PRESETS)
def test_a_campaign_takes_its_protocols_preset(organiser: User, protocol: str, name: str) -> None:
    campaign = create_campaign(name="c", title="C", protocol=protocol, preset=name, created_by=organiser)
    first = next(iter(PROTOCOLS[protocol].presets))
    preset = PROTOCOLS[protocol].presets[name or first]
    assert campaign.preset == (name or first)
    assert campaign.settings == preset.all_settings
    assert [(x.value, x.key, x.name) for x in campaign.labels.all()] == [(x.value, x.key, x.name) for x in preset.labels]
    assert campaign.sheets.get().version == 1
    assert campaign.memberships.get().role == "organiser"
    assert [(event.verb, event.actor) for event in campaign.events.all()] == [("created", organiser)]


def test_settings_of_one_campaign_are_not_those_of_another(organiser: User) -> None:
    first = create_campaign(name="a", title="A", protocol="meaning", created_by=organiser)
    first.settings["kept"].append("change")
    first.settings["examples"][0]["why"] = "Another reason."
    second = create_campaign(name="b", title="B", protocol="meaning", created_by=organiser)
    assert second.settings["kept"] == ["preserve"]
    assert second.settings["examples"][0]["why"] != "Another reason."


def test_a_campaign_can_differ_from_its_preset(organiser: User) -> None:
    labels = [{"value": 2, "key": "no", "name": "no", "hotkey": "n"}, {"value": 1, "key": "yes", "name": "yes", "hotkey": "y"}]
    wanted = {"slots": "5", "comment": "yes"}
    campaign = create_campaign(name="c", title="C", protocol="question", settings=wanted, labels=labels, created_by=organiser)
    assert (campaign.settings["slots"], campaign.settings["comment"]) == (5, True)
    assert [(label.key, label.hotkey) for label in campaign.labels.all()] == [("yes", "y"), ("no", "n")]
    with pytest.raises(SettingsProblem, match="There is no answer whose name in files is preserve"):
        create_campaign(name="d", title="D", protocol="meaning", labels=labels, created_by=organiser)
    with pytest.raises(DomainError, match=r"no preset “x”\. Choose one of grammaticality, task-label"):
        create_campaign(name="d", title="D", protocol="question", preset="x", created_by=organiser)
    assert Campaign.objects.count() == 1


@pytest.mark.parametrize("name", ["a b", "", "a/b", "campaign:1", "x" * 81, "ä"])
def test_a_name_that_cannot_be_an_address_is_refused(organiser: User, name: str) -> None:
    with pytest.raises(DomainError, match="letters, digits"):
        create_campaign(name=name, title="C", protocol="meaning", created_by=organiser)
    assert not Campaign.objects.exists()


def test_a_taken_name_is_refused_and_nothing_is_written(organiser: User) -> None:
    create_campaign(name="c", title="C", protocol="meaning", created_by=organiser)
    with pytest.raises(DomainError, match="already a campaign named “c”"):
        create_campaign(name="c", title="Another", protocol="meaning", created_by=organiser)
    assert [campaign.title for campaign in Campaign.objects.all()] == ["C"]


@pytest.mark.parametrize(("protocol", "chosen", "message"), [("x", {}, "no protocol"), ("meaning", {"y": 1}, "no setting y")])
def test_unknown_protocols_and_settings_are_refused(organiser: User, protocol: str, chosen: dict[str, int], message: str) -> None:
    with pytest.raises(DomainError, match=message):
        create_campaign(name="c", title="C", protocol=protocol, settings=chosen, created_by=organiser)
    assert not Campaign.objects.exists()


def test_sides_of_pairs_are_drawn_and_stored(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign("preference", items=40)
    swapped = Slot.objects.filter(item__campaign=campaign, swapped=True).count()
    assert Slot.objects.filter(item__campaign=campaign).count() == 200
    assert 70 <= swapped <= 130


def test_sides_are_drawn_only_where_they_are_shown_so(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign("meaning", items=20)
    campaign.items.filter(number__lte=4).update(use="training", gold=campaign.labels.first())
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    for person in (ada, ben):
        claim_next(campaign=campaign, annotator=person)
    assert list(Slot.objects.filter(campaign=campaign).order_by().values_list("swapped", flat=True).distinct()) == [False]


def test_only_a_campaign_that_asks_people_something_can_be_opened(make_campaign: MakeCampaign) -> None:
    with pytest.raises(DomainError, match="no items"):
        open_campaign(campaign=make_campaign(items=0, opened=False))
    with pytest.raises(DomainError, match="came from a file"):
        open_campaign(campaign=make_campaign(name="imported", imported=True, opened=False))
    campaign = make_campaign(name="good")
    assert campaign.state == Campaign.State.OPEN
    close_campaign(campaign=campaign)
    assert Campaign.objects.get(name="good").state == Campaign.State.CLOSED


def test_the_address_of_a_page_is_no_name(organiser: User) -> None:
    with pytest.raises(DomainError, match="address of a page"):
        create_campaign(name="new", title="C", protocol="meaning", created_by=organiser)
    assert not Campaign.objects.exists()
