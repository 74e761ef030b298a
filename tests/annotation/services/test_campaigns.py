"""Campaigns from presets, their items and slots."""

from __future__ import annotations

import pytest

from annotation.errors import DomainError
from annotation.models import Campaign, Slot, User
from annotation.protocols import PROTOCOLS
from annotation.services.campaigns import close_campaign, create_campaign, open_campaign
from tests.annotation.conftest import MakeCampaign


@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
def test_a_campaign_takes_its_protocols_preset(organiser: User, protocol: str) -> None:
    campaign = create_campaign(name="c", title="C", protocol=protocol, created_by=organiser)
    preset = PROTOCOLS[protocol].preset
    assert campaign.settings == dict(preset.settings)
    assert [(x.value, x.key, x.name) for x in campaign.labels.all()] == [(x.value, x.key, x.name) for x in preset.labels]
    assert campaign.sheets.get().version == 1
    assert campaign.memberships.get().role == "organiser"


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
