"""What scripts add to an organiser's and an adjudicator's pages: a name that follows the title, and the keys of a conflict."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Campaign, Job, Ruling, User
from annotation.services.campaigns import create_campaign

from . import study
from .conftest import Visitor
from .examination import faults

pytestmark = pytest.mark.browser

PAIRS = [("The ferry leaves at nine.", "The fery leaves at ten."), ("The bridge is closed.", "The bridge is shut.")]


@pytest.fixture
def host(transactional_db: None, visitor: Callable[..., Visitor]) -> Visitor:
    study.make_organiser()
    guest = visitor()
    guest.sign_in("olga")
    return guest


def test_a_name_follows_the_title_until_somebody_types_one(host: Visitor) -> None:
    page = host.open("/campaigns/new/")
    title, name = page.get_by_label("Title"), page.get_by_label("Name in the address")
    title.fill("Häfen & Brücken, 2. Teil")
    expect(name).to_have_value("hafen-brucken-2-teil")
    title.fill("Łódź, Ærø, Straße")
    expect(name).to_have_value("lodz-aero-strasse")
    name.fill("mine")
    title.fill("Another title")
    expect(name).to_have_value("mine")
    name.fill("")
    title.fill("  --A third_one--  ")
    expect(name).to_have_value("a-third_one")
    page.get_by_role("radio").first.check()
    page.get_by_role("button", name="Make the campaign").click()
    page.get_by_role("heading", name="--A third_one--").wait_for()
    assert Campaign.objects.get().name == "a-third_one"


def test_the_keys_of_a_conflict(host: Visitor) -> None:
    olga = User.objects.get(username="olga")
    campaign = study.make_campaign(olga, "meaning", PAIRS)
    campaign.settings |= {"conflicts": "adjudicate", "differences": True}
    campaign.save()
    for name, label in (("anna", "preserve"), ("boris", "change")):
        study.answer(campaign, study.enlist(campaign, name), label)
    number = campaign.items.get(how="conflict").number
    page = host.open(f"/campaigns/meaning/conflicts/{number}/")
    inserted = page.locator("[data-texts]")
    host.press("d")
    expect(inserted).to_have_class("plain")
    host.press("d")
    expect(inserted).not_to_have_class("plain")
    host.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Guidelines")
    host.press("2")
    assert page.locator("form[data-answer] :checked").count() == 0
    host.press("Escape", "2")
    expect(page.locator("form[data-answer] :checked")).to_have_value("change")
    assert Ruling.objects.count() == 0


REFUSED = {
    "/campaigns/new/": ("Make the campaign", {"#id_title": "A title", "#id_name": "not a name"}),
    "/campaigns/meaning/settings/": ("Store the settings", {"#id_heading": "A title", "#id_question": ""}),
    "/campaigns/meaning/people/": ("Make a link", {"#id_days": "4000"}),
    "/campaigns/meaning/entrance/": ("Store", {"#id_pay_per_item": "0.5"}),
    "/campaigns/meaning/sheet/edit/": ("Preview", {"#id_consent_form": " "}),
    "/campaigns/meaning/items/1/": ("Save", {"#id_use": "test"}),
}


@pytest.mark.parametrize("address", REFUSED)
def test_a_refused_form_is_accessible_in_every_width_and_theme(host: Visitor, address: str) -> None:
    study.make_campaign(User.objects.get(username="olga"), "meaning", PAIRS)
    button, typed = REFUSED[address]
    page = host.open(address)
    page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")
    page.evaluate("document.querySelectorAll('[name=kind]').forEach((each) => each.checked = each.value === 'open')")
    for field, value in typed.items():
        if value == "test":
            page.select_option(field, value)
        else:
            page.fill(field, value)
    page.evaluate("document.querySelectorAll('form').forEach((form) => form.noValidate = true)")
    page.get_by_role("button", name=button, exact=True).click()
    page.get_by_role("alert").first.wait_for()
    assert page.locator("[aria-invalid=true]").count() >= 1
    host.photograph(f"refused-{address.strip('/').replace('/', '-')}")
    assert list(faults(page)) == []
    # A page that refuses is an error to the browser's console, as it should be to programs.
    host.complaints[:] = [complaint for complaint in host.complaints if "422" not in complaint]


def tops(page: Page, *labels: str) -> set[float]:
    """How high the fields with these labels begin."""
    boxes = [page.get_by_label(label, exact=True).bounding_box() for label in labels]
    return {box["y"] for box in boxes if box is not None}


def test_what_is_wrong_with_a_field_moves_no_field_beside_it(host: Visitor, tmp_path: Path) -> None:
    create_campaign(name="fresh", title="New", protocol="meaning", created_by=User.objects.get(username="olga"))
    (tmp_path / "pairs.csv").write_text("before,after\na good day,a g00d day\n")
    page = host.open("/campaigns/fresh/import/")
    page.locator("input[type=file]").set_input_files(tmp_path / "pairs.csv")
    page.get_by_role("button", name="Look at the files").click()
    page.get_by_label("Adversarial text", exact=True).select_option("")
    assert len(tops(page, "Original text", "Adversarial text")) == 1
    page.get_by_role("button", name="Check the file").click()
    expect(page.locator(".errorlist")).to_have_text("Choose the column that holds the “adversarial text”.")
    assert len(tops(page, "Original text", "Adversarial text")) == 1
    host.complaints.clear()  # the browser tells of the status 422


def test_the_buttons_of_the_filters_stand_beside_each_other_below_the_fields(host: Visitor) -> None:
    study.make_campaign(User.objects.get(username="olga"), "meaning", PAIRS)
    page = host.open("/campaigns/meaning/items/?answers=0")
    show, remove, last = (
        place.bounding_box()
        for place in (
            page.get_by_role("button", name="Show these items"),
            page.get_by_role("link", name="Remove the filters"),
            page.get_by_label("To number"),
        )
    )
    assert show and remove and last
    assert (show["y"], show["height"]) == (remove["y"], remove["height"])
    assert show["y"] > last["y"] + last["height"]


def test_figures_of_people_do_not_break_on_a_telephone(host: Visitor) -> None:
    campaign = study.make_campaign(User.objects.get(username="olga"), "meaning", PAIRS)
    for name in ("anna", "boris"):
        study.answer(campaign, study.enlist(campaign, name), "preserve", "change")
    host.page.set_viewport_size({"width": 360, "height": 740})
    for path, figure in (("", "100.0 % n = 2"), ("report/", "50.0 %")):
        cell = host.open(f"/campaigns/meaning/{path}").get_by_role("cell", name=figure, exact=True).first
        assert cell.evaluate("it => getComputedStyle(it).whiteSpace") == "nowrap"


def test_the_focus_stays_where_it_is_while_progress_renews_itself(host: Visitor) -> None:
    """Whoever works with the keyboard would be thrown out to the page's beginning each second."""
    olga = User.objects.get(username="olga")
    Job.objects.create(kind="train", arguments={"name": "one"}, state=Job.State.RUNNING, created_by=olga)
    page = host.open("/models/")
    cancel = page.get_by_role("button", name="Cancel")
    cancel.focus()
    for message in ("Fold 1", "Fold 2"):
        Job.objects.update(message=message)
        page.get_by_text(message).wait_for()
        expect(cancel).to_be_focused()
