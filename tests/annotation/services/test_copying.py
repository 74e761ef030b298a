"""A copy has all that is asked, and nobody's answers."""

from __future__ import annotations

import pytest

from annotation.errors import DomainError
from annotation.models import Campaign, Claim, Entrance, Item, Judgement, Label, Slot, User
from annotation.services.campaigns import NewItem, add_items
from annotation.services.copying import copy_campaign
from annotation.services.settings import change_settings, specs_of
from annotation.services.sheets import publish_sheet
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign


def content(campaign: Campaign) -> list[tuple[object, ...]]:
    fields = ("number", "original", "first", "second", "example", "published_label", "use", "gold__key", "explanation", "made_by",
              "content_sha256", "task")  # fmt: skip
    return list(Item.objects.filter(campaign=campaign).order_by("number").values_list(*fields))


def test_everything_that_is_asked_is_copied_and_nobodys_answers(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User
) -> None:
    campaign = make_campaign(preset="four-point")
    for name, label in (("ada", "identical"), ("ben", "opposite")):
        person = make_annotator(campaign, name)
        for _ in range(3):
            answer(campaign, person, label)
    assert Slot.objects.filter(extra=True).count() == 3
    gold = Label.objects.get(key="identical")
    known = campaign.items.order_by("number")[0]
    add_items(campaign=campaign, items=[
        NewItem(known.original, known.first, known.second, use="training", gold=gold, explanation="Look at the spelling."),
        NewItem(known.original, known.second, known.first, slots=4),
    ])  # fmt: skip
    change_settings(campaign=campaign, by=organiser, changes={"quota": 9, "comment": True})
    publish_sheet(campaign=campaign, sections=[{"key": "all", "heading": "", "text": "Our own sheet."}], by=organiser)
    Entrance.objects.create(campaign=campaign, kind="crowd", platform="prolific", completion_code="C0DE")
    campaign.refresh_from_db()
    campaign.link_group = "linked"
    campaign.save()

    copy = copy_campaign(campaign=campaign, by=organiser, name="again", title="Once more")
    copy.refresh_from_db()
    assert (copy.protocol, copy.preset, copy.settings, specs_of(copy)) == (
        "meaning", "four-point", campaign.settings, specs_of(campaign),
    )  # fmt: skip
    assert content(copy) == content(campaign)
    assert {item.gold.campaign for item in copy.items.filter(gold__isnull=False)} == {copy}
    assert [item.slots.count() for item in copy.items.order_by("number")] == [2, 2, 2, 0, 4]
    assert set(Slot.objects.filter(campaign=copy).values_list("state", "extra")) == {("open", False)}
    assert (copy.state, copy.link_group, copy.created_by, copy.source["copied_from"]) == ("draft", "", organiser, "harbour")
    sheet, original_sheet = copy.sheets.get(), campaign.sheets.first()
    assert original_sheet is not None
    assert (sheet.sections, sheet.version, sheet.sha256) == (original_sheet.sections, 1, original_sheet.sha256)
    assert copy.entrance.completion_code == "C0DE"
    assert [member.user for member in copy.memberships.all()] == [organiser]
    assert not Claim.objects.filter(campaign=copy).exists()
    assert Judgement.objects.count() == 6
    assert list(copy.events.order_by("pk").values_list("verb", flat=True))[-1] == "copied"


def test_a_copy_of_a_file_asks_people(make_campaign: MakeCampaign, organiser: User) -> None:
    campaign = make_campaign("suspicion", imported=True, opened=False, items=2)
    Slot.objects.all().delete()
    copy = copy_campaign(campaign=campaign, by=organiser, name="again", title="Asked anew")
    assert (copy.imported, [item.slots.count() for item in copy.items.all()]) == (False, [3, 3])


def test_a_taken_name_leaves_nothing(make_campaign: MakeCampaign, organiser: User) -> None:
    campaign = make_campaign()
    with pytest.raises(DomainError, match="already a campaign"):
        copy_campaign(campaign=campaign, by=organiser, name="harbour", title="x")
    assert (Campaign.objects.count(), Item.objects.count()) == (1, 3)


@pytest.mark.parametrize("items", [1, 3, 30])
def test_the_number_of_queries_does_not_grow(
    items: int, make_campaign: MakeCampaign, organiser: User, django_assert_num_queries: object
) -> None:
    campaign = make_campaign(items=items)
    with django_assert_num_queries(43):  # type: ignore[operator]
        copy_campaign(campaign=campaign, by=organiser, name="again", title="x")
