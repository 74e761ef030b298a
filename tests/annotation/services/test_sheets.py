"""The information sheet: complete, versioned, and asked for again after a change."""

from __future__ import annotations

import pytest

from annotation.errors import DomainError
from annotation.models import Campaign, Event, User
from annotation.services.people import consent, has_consented
from annotation.services.sheets import HEADINGS, WRITTEN_HERE, default_sections, preview, publish_sheet, sheet_hash, unfilled
from tests.annotation.conftest import MakeCampaign

WHY = [{"key": "purpose", "heading": "Why", "text": "To learn."}]


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign()


def test_a_new_campaign_has_a_sheet_with_all_that_an_ethics_board_asks_for(campaign: Campaign) -> None:
    sheet = campaign.sheets.get()
    assert [part["key"] for part in sheet.sections] == [key for key in HEADINGS if key not in ("recruitment", "pay")]
    assert (sheet.version, sheet.on_withdrawal, len(sheet.consent_form)) == (1, "erase", 4)
    assert all(part["text"] for part in sheet.sections)


def test_what_is_still_to_be_filled_in_is_found(campaign: Campaign, organiser: User) -> None:
    gaps = unfilled(campaign.sheets.get())
    assert "[ethics board, date and number]" in gaps and len(gaps) >= 6
    assert unfilled(publish_sheet(campaign=campaign, sections=WHY, by=organiser)) == []
    assert unfilled(None) == []


def test_each_change_is_a_version_with_a_hash_over_all_that_is_shown(campaign: Campaign, organiser: User) -> None:
    first = publish_sheet(campaign=campaign, sections=WHY, consent_form=["I agree."], by=organiser)
    assert publish_sheet(campaign=campaign, sections=WHY, consent_form=["I agree. ", " "], by=organiser) == first
    versions = [
        first,
        publish_sheet(campaign=campaign, consent_form=["I agree.", "I am 18."]),
        publish_sheet(campaign=campaign, on_withdrawal="pseudonymise"),
        publish_sheet(campaign=campaign, language="de"),
        publish_sheet(campaign=campaign, sections=[WHY[0] | {"heading": "Purpose"}]),
    ]
    assert [sheet.version for sheet in versions] == [2, 3, 4, 5, 6]
    assert len({sheet.sha256 for sheet in versions}) == 5
    last = versions[-1]
    assert last.sha256 == sheet_hash(last.sections, last.consent_form, last.on_withdrawal, last.language)
    assert (last.consent_form, last.on_withdrawal, last.language) == (["I agree.", "I am 18."], "pseudonymise", "de")
    assert [event.detail for event in Event.objects.filter(verb="sheet")] == [{"version": 2}]


def test_whoever_agreed_to_an_older_version_is_asked_again(campaign: Campaign, organiser: User) -> None:
    ada = User.objects.create_user(username="ada")
    record = consent(sheet=campaign.sheets.get(), user=ada)
    assert (record.sheet_sha256, record.language) == (campaign.sheets.get().sha256, "en")
    publish_sheet(campaign=campaign, sections=WHY, by=organiser)
    assert not has_consented(campaign=campaign, user=ada)


def test_what_withdrawing_does_is_written_by_the_outcome_and_not_by_hand(campaign: Campaign) -> None:
    lie = [*WHY, {"key": "withdrawal", "heading": "Withdrawing", "text": "You can never withdraw."}]
    for outcome, says in (("erase", "are erased for good"), ("pseudonymise", "your answers stay, but every link")):
        sheet = publish_sheet(campaign=campaign, sections=lie, on_withdrawal=outcome)
        assert ("never" in sheet.text, says in sheet.text) == (False, True)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"sections": []}, "says nothing yet"),
        ({"sections": [WHY[0] | {"text": "  "}]}, "says nothing yet"),
        ({"consent_form": ["", "  "]}, "at least one statement"),
    ],
)
def test_an_empty_sheet_is_not_published(campaign: Campaign, change: dict[str, list[object]], says: str) -> None:
    with pytest.raises(DomainError, match=says):
        publish_sheet(campaign=campaign, **change)  # type: ignore[arg-type]
    assert campaign.sheets.count() == 1


def test_a_preview_publishes_nothing(campaign: Campaign) -> None:
    shown = preview(campaign=campaign, sections=WHY, on_withdrawal="pseudonymise")
    assert [part["key"] for part in shown] == ["purpose", "withdrawal"]
    assert campaign.sheets.count() == 1


def test_the_template_leaves_to_others_what_follows_from_elsewhere(campaign: Campaign) -> None:
    written = [part["key"] for part in default_sections(campaign) if part["key"] in WRITTEN_HERE]
    assert written == ["withdrawal"]
