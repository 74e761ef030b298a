"""Keys are pressed in a browser, and what counts is what the database then holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from annotation.models import Campaign, Claim, Judgement, User

from . import study
from .conftest import Visitor

pytestmark = pytest.mark.browser

WORK = "/campaigns/meaning/work/"
NUMBERED = [(f"Ship number {n} waits for the tide.", f"Ship number {n} waits for the tied.") for n in range(15)]


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    return study.make_campaign(study.make_organiser(), "meaning", NUMBERED)


@pytest.fixture
def anna(campaign: Campaign, visitor: Callable[..., Visitor]) -> Visitor:
    """An annotator in front of the first item."""
    study.enlist(campaign, "anna")
    guest = visitor()
    guest.sign_in("anna")
    guest.open(WORK)
    return guest


def stored() -> list[tuple[str, int | None]]:
    return list(Judgement.objects.order_by("pk").values_list("label__key", "confidence"))


def draft() -> dict[str, str]:
    return Claim.objects.get(state=Claim.State.LIVE).draft


def test_every_digit_stores_what_its_button_says(anna: Visitor) -> None:
    labels = {"1": "preserve", "2": "change", "3": "no_sense"}
    wanted = []
    for key, label in labels.items():
        for confidence in "12345":
            anna.answer(key, confidence)
            wanted.append((label, int(confidence)))
    assert stored() == wanted


def test_after_the_label_the_focus_is_at_the_confidence(anna: Visitor) -> None:
    focused = anna.page.locator("[data-group=confidence] input:focus")
    anna.press("3")
    expect(focused).to_have_count(1)
    anna.page.get_by_role("radio", name="keeps the meaning").click()
    expect(focused).to_have_count(1)
    anna.answer("2")
    assert stored() == [("preserve", 2)]


def test_arrows_stay_within_the_answers(anna: Visitor) -> None:
    anna.page.get_by_role("radio", name="keeps the meaning").focus()
    anna.press("Space", "ArrowDown")
    expect(anna.page.get_by_role("radio", name="changes the meaning")).to_be_focused()
    anna.answer("Tab", "4")
    assert stored() == [("change", 4)]


def test_a_digit_without_a_button_does_nothing(anna: Visitor) -> None:
    anna.press("4", "9", "0")
    assert anna.page.locator(":checked").count() == 0


def test_enter_before_the_answer_is_complete_says_what_is_missing(anna: Visitor) -> None:
    anna.press("2", "Enter")
    expect(anna.page.get_by_role("alert")).to_have_text("Say how sure you are, from 1 to 5.")
    expect(anna.page.get_by_role("radio", name="changes the meaning")).to_be_checked()
    assert stored() == []
    assert [complaint for complaint in anna.complaints if "422" not in complaint] == []
    anna.complaints.clear()


def test_d_hides_and_shows_the_differences_and_stays_as_chosen(anna: Visitor) -> None:
    texts = anna.page.locator("[data-texts]")
    anna.press("d")
    expect(texts).to_have_class("plain")
    expect(anna.page.get_by_role("button", name="Show differences")).to_be_visible()
    anna.answer("1", "1")
    expect(texts).to_have_class("plain")
    anna.press("d")
    expect(texts).not_to_have_class("plain")
    assert len(stored()) == 1


def test_keys_are_off_in_the_dialog(anna: Visitor) -> None:
    anna.press("?")
    dialog = anna.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    anna.press("1", "d", "5")
    assert (anna.page.locator(":checked").count(), anna.page.locator(".plain").count()) == (0, 0)
    anna.press("Escape")
    expect(dialog).to_be_hidden()
    assert stored() == []


def test_keys_are_off_with_modifiers_while_composing_and_in_text_fields(anna: Visitor) -> None:
    anna.press("Control+1", "Alt+2", "Meta+3")
    anna.page.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '1', isComposing: true, bubbles: true}))")
    anna.page.evaluate("document.querySelector('form[data-answer]').append(document.createElement('textarea'))")
    anna.page.locator("textarea").focus()
    anna.press("1", "Enter", "2")
    assert anna.page.locator(":checked").count() == 0
    assert anna.page.locator("textarea").input_value() == "1\n2"
    assert stored() == []


def test_enter_on_another_button_presses_that_button(anna: Visitor) -> None:
    anna.press("1", "1")
    anna.page.get_by_role("button", name="Hide differences").focus()
    anna.press("Enter")
    expect(anna.page.get_by_role("button", name="Show differences")).to_be_visible()
    assert stored() == []


def test_each_change_is_saved_and_comes_back(anna: Visitor) -> None:
    anna.press("2", "3")
    expect(anna.page.locator("#saved")).to_contain_text("Saved ")
    anna.open(WORK)
    expect(anna.page.get_by_role("radio", name="changes the meaning")).to_be_checked()
    assert draft() == {"label": "change", "confidence": "3"}


def test_a_slow_save_never_overwrites_a_later_one(anna: Visitor) -> None:
    held: list[Route] = []
    anna.page.route("**/draft/", lambda route: route.continue_() if held else held.append(route))
    anna.press("2", "3")
    anna.page.get_by_role("radio", name="makes no sense").check()
    anna.page.wait_for_timeout(200)
    expect(anna.page.locator("#saved")).to_have_text("")
    held[0].continue_()
    expect(anna.page.locator("#saved")).to_contain_text("Saved ")
    assert draft() == {"label": "no_sense", "confidence": "3"}


def test_what_could_not_be_saved_is_tried_again(anna: Visitor) -> None:
    anna.page.route("**/draft/", lambda route: route.abort())
    anna.press("2")
    expect(anna.page.locator("#saved")).to_have_text("Not saved, retrying")
    assert draft() == {}
    anna.page.unroute("**/draft/")
    expect(anna.page.locator("#saved")).to_contain_text("Saved ")
    assert draft() == {"label": "change"}
    anna.complaints.clear()


def test_while_sending_the_button_is_off_and_the_item_stays(anna: Visitor) -> None:
    held: list[Route] = []
    button = anna.page.get_by_role("button", name="Submit and continue")
    anna.press("1", "5")
    expect(anna.page.locator("#saved")).to_contain_text("Saved ")
    anna.page.route(f"**{WORK}*/", lambda route: held.append(route))
    anna.press("Enter")
    expect(button).to_be_disabled()
    anna.press("2", "Enter")
    expect(anna.page.locator("#work h1")).to_have_text("Item 1 of 15")
    expect(anna.page.locator("[data-group=confidence] :checked")).to_have_value("5")
    assert (len(held), stored()) == (1, [])
    held[0].continue_()
    expect(anna.page.locator("#work h1")).to_have_text("Item 2 of 15")
    expect(button).to_be_enabled()
    assert stored() == [("preserve", 5)]


def test_an_answer_that_was_not_sent_stays_and_can_be_sent_again(anna: Visitor) -> None:
    anna.press("1", "5")
    expect(anna.page.locator("#saved")).to_contain_text("Saved ")
    anna.page.route(f"**{WORK}*/", lambda route: route.abort())
    anna.press("Enter")
    expect(anna.page.get_by_role("alert")).to_contain_text("Not sent: no connection. Your answer is still here")
    expect(anna.page.locator("#work h1")).to_have_text("Item 1 of 15")
    anna.page.unroute(f"**{WORK}*/")
    anna.answer()
    assert stored() == [("preserve", 5)]
    anna.complaints.clear()


def test_after_the_session_has_ended_nothing_is_lost(anna: Visitor) -> None:
    anna.context.clear_cookies(name="sessionid")
    anna.press("2", "4")
    alert = anna.page.get_by_role("alert")
    expect(alert).to_contain_text("Not saved: you are signed out. Sign in again; what you chose is kept here.")
    alert.get_by_role("link", name="Sign in").click()
    anna.page.get_by_label("Name").fill("anna")
    anna.page.get_by_label("Password").fill(study.PASSWORD)
    anna.page.get_by_role("button", name="Sign in").click()
    expect(anna.page.get_by_role("radio", name="changes the meaning")).to_be_checked()
    anna.answer("4")
    assert stored() == [("change", 4)]
    assert [complaint for complaint in anna.complaints if "401" not in complaint] == []
    anna.complaints.clear()


def test_the_back_button_and_a_second_tab_give_the_first_result(anna: Visitor) -> None:
    second = anna.context.new_page()
    second.goto(anna.page.url)
    anna.answer("1", "5")
    for key in ("2", "3", "Enter"):
        second.keyboard.press(key)
    expect(second.get_by_role("status").filter(has_text="You had answered")).to_contain_text("Your first answer stands")
    assert stored() == [("preserve", 5)]


def test_without_script_everything_can_be_answered(campaign: Campaign, visitor: Callable[..., Visitor]) -> None:
    organiser = User.objects.get(username="olga")
    from annotation.services.people import invite

    guest = visitor(java_script_enabled=False)
    guest.join(guest.address + f"/join/{invite(campaign=campaign, by=organiser)}/", "anna")
    page = guest.page
    assert (page.locator("kbd").first.is_visible(), page.get_by_text("Hide differences").is_visible()) == (False, False)
    page.get_by_role("radio", name="makes no sense").check()
    page.locator("[data-group=confidence]").get_by_role("radio", name="2").check()
    page.get_by_role("button", name="Submit and continue").click()
    expect(page.locator("#work h1")).to_have_text("Item 2 of 15")
    assert stored() == [("no_sense", 2)]
    page.get_by_role("link", name="Guidelines and keys").click()
    expect(page.get_by_role("heading", name="Guidelines")).to_be_visible()
