"""What was chosen reaches the server once, whatever happens on the way: slow and broken lines, ended sessions, two tabs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Route, expect

from annotation.models import Campaign, Claim, Judgement, User
from annotation.services.campaigns import close_campaign
from annotation.services.people import invite
from tests.browser import study
from tests.browser.conftest import Visitor

from .conftest import WORK, draft, stored

pytestmark = pytest.mark.browser


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
    expect(anna.page.get_by_role("alert")).to_contain_text("Not sent: no connection. What you entered is still here")
    expect(anna.page.locator("#work h1")).to_have_text("Item 1 of 15")
    anna.page.unroute(f"**{WORK}*/")
    anna.answer()
    assert stored() == [("preserve", 5)]
    anna.complaints.clear()


def test_a_draft_that_is_saved_later_does_not_take_back_that_the_answer_was_not_sent(anna: Visitor) -> None:
    held: list[Route] = []
    anna.page.route(f"**{WORK}*/draft/", lambda route: held.append(route))
    anna.press("1", "5")
    anna.page.route(f"**{WORK}*/", lambda route: route.abort())
    anna.press("Enter")
    alert = anna.page.get_by_role("alert")
    expect(alert).to_contain_text("Not sent: no connection.")
    anna.page.unroute(f"**{WORK}*/draft/")
    for route in held:
        route.continue_()
    expect(anna.page.locator("#saved")).to_contain_text("Saved ")
    expect(alert).to_contain_text("Not sent: no connection.")
    anna.page.unroute(f"**{WORK}*/")
    anna.answer()
    assert stored() == [("preserve", 5)]
    anna.complaints.clear()


def test_an_item_that_is_not_theirs_any_more_is_no_problem_of_the_server(anna: Visitor) -> None:
    Claim.objects.all().delete()
    anna.press("1", "5", "Enter")
    alert = anna.page.get_by_role("alert")
    expect(alert).to_contain_text("Not sent: this item is not yours any more")
    expect(alert.get_by_role("link", name="See where you are")).to_be_visible()
    anna.complaints.clear()


def test_after_the_session_has_ended_nothing_is_lost(anna: Visitor) -> None:
    anna.context.clear_cookies(name="sessionid")
    anna.press("2")
    dialog = anna.page.get_by_role("dialog", name="You are signed out")
    expect(dialog).to_be_visible()
    anna.press("1")
    dialog.get_by_label("Name").fill("anna")
    dialog.get_by_label("Password").fill("wrong")
    anna.press("Enter")
    expect(dialog.get_by_role("alert")).to_have_text("This name and password do not go together.")
    dialog.get_by_label("Password").fill(study.PASSWORD)
    anna.press("Enter")
    expect(dialog).to_be_hidden()
    expect(anna.page.locator("#saved")).to_contain_text("Saved ")
    assert draft() == {"label": "change"}
    anna.answer("4")
    assert stored() == [("change", 4)]
    assert [complaint for complaint in anna.complaints if "401" not in complaint] == []
    anna.complaints.clear()


def test_signed_out_while_sending_the_answer_is_sent_after_signing_in(anna: Visitor) -> None:
    anna.press("1", "5")
    expect(anna.page.locator("#saved")).to_contain_text("Saved ")
    anna.context.clear_cookies(name="sessionid")
    anna.press("Enter")
    dialog = anna.page.get_by_role("dialog", name="You are signed out")
    expect(dialog).to_be_visible()
    assert stored() == []
    second = anna.context.new_page()
    second.goto(anna.address + "/signin/")
    second.get_by_label("Name").fill("anna")
    second.get_by_label("Password").fill(study.PASSWORD)
    second.get_by_role("button", name="Sign in").click()
    second.get_by_role("button", name="Sign out").wait_for()
    dialog.get_by_role("button", name="I have signed in elsewhere").click()
    expect(anna.page.locator("#work h1")).to_have_text("Item 2 of 15")
    anna.answer("2", "3")
    assert stored() == [("preserve", 5), ("change", 3)]
    anna.complaints.clear()


def test_two_enters_in_one_instant_are_one_answer(anna: Visitor) -> None:
    anna.press("1", "5")
    anna.page.evaluate(
        """() => { for (const _ of [1, 2, 3]) document.querySelector("form[data-answer] button[type=submit]").click() }"""
    )
    expect(anna.page.locator("#work h1")).to_have_text("Item 2 of 15")
    anna.page.wait_for_timeout(300)
    assert stored() == [("preserve", 5)]
    assert Claim.objects.filter(state=Claim.State.LIVE).count() == 1


def test_the_campaign_closed_meanwhile_and_the_answer_is_kept(anna: Visitor, campaign: Campaign) -> None:
    anna.press("3", "4")
    expect(anna.page.locator("#saved")).to_contain_text("Saved ")
    close_campaign(campaign=campaign)
    anna.press("Enter")
    expect(anna.page.locator("#work h1")).to_have_text("This campaign is closed")
    expect(anna.page.get_by_role("status").filter(has_text="It is kept, marked as late")).to_be_visible()
    assert [(row.label.key, row.uncounted) for row in Judgement.objects.select_related("label")] == [("no_sense", "closed")]


def test_control_and_enter_send_from_the_comment(visitor: Callable[..., Visitor], campaign: Campaign) -> None:
    Campaign.objects.update(settings={**campaign.settings, "comment": True})
    study.enlist(campaign, "carl")
    carl = visitor()
    carl.sign_in("carl")
    carl.open(WORK)
    carl.press("1", "5")
    expect(carl.page.locator("#saved")).to_contain_text("Saved ")
    # Not the answer to what the keys have saved, which may come as late.
    with carl.page.expect_response(lambda answer: "/draft/" in answer.url and "second" in (answer.request.post_data or "")):
        carl.page.get_by_label("Comment").fill("a second\nline")
    assert draft() == {"label": "preserve", "confidence": "5", "comment": "a second\r\nline"}
    carl.press("Control+Enter")
    expect(carl.page.locator("#work h1")).to_have_text("Item 2 of 15")
    assert Judgement.objects.get().comment == "a second\nline"


def test_an_item_about_to_go_back_says_so_and_is_kept_by_one_click(anna: Visitor) -> None:
    keep = anna.page.get_by_role("button", name="Keep it longer")
    expect(keep).to_be_hidden()
    soon = timezone.now() + timedelta(minutes=2)
    Claim.objects.update(expires_at=soon)
    anna.page.evaluate("at => { document.querySelector('form[data-answer]').dataset.expires = at }", soon.isoformat())
    expect(anna.page.get_by_text("This item goes back to the others in 2 minutes.")).to_be_visible()
    keep.click()
    expect(keep).to_be_hidden()
    assert Claim.objects.get().expires_at > timezone.now() + timedelta(minutes=50)


def test_time_in_front_of_the_page_is_stored_and_never_longer_than_by_the_servers_clock(anna: Visitor) -> None:
    anna.page.wait_for_timeout(1500)
    anna.answer("1", "5")
    judgement = Judgement.objects.get()
    assert judgement.active_seconds is not None and judgement.seconds is not None
    assert 1.0 < judgement.active_seconds <= judgement.seconds


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


ANSWER_AT_ONCE = """document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id !== "work" || window.answered) return;
  window.answered = true;
  queueMicrotask(() => {
    const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    ["2", "4", "Enter"].forEach(press);
  });
})"""


def test_an_answer_in_the_instant_after_the_swap_is_sent_without_loading_a_new_page(anna: Visitor) -> None:
    # A form that htmx does not know yet would be sent by the browser itself; keys pressed before the new page's scripts are lost.
    anna.page.evaluate(ANSWER_AT_ONCE)
    anna.press("1", "5", "Enter")
    expect(anna.page.locator("#work h1")).to_have_text("Item 3 of 15")
    assert anna.page.evaluate("window.answered")
    assert stored() == [("preserve", 5), ("change", 4)]
