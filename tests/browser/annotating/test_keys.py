"""Keys are pressed in a browser, and what counts is what the database then holds."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotation.models import Claim, EarlierAnswer, Flag
from tests.browser.conftest import Visitor

from .conftest import WORK, stored

pytestmark = pytest.mark.browser


def test_every_digit_stores_what_its_button_says(anna: Visitor) -> None:
    labels = {"1": "preserve", "2": "change", "3": "no_sense"}
    wanted = []
    for key, label in labels.items():
        for confidence in "12345":
            anna.answer(key, confidence)
            wanted.append((label, int(confidence)))
            expect(anna.page.locator("#work h1")).to_be_focused()  # from there the digits mean the answers again
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


FRAME = """group => getComputedStyle(document.querySelector(`[data-group=${group}]`)).outlineStyle === "solid" """


def framed(guest: Visitor) -> list[str]:
    """The questions that look as if digits answered them."""
    return [group for group in ("label", "confidence") if guest.page.evaluate(FRAME, group)]


def test_one_key_goes_back_to_the_answers_and_digits_mean_them_again(anna: Visitor) -> None:
    assert framed(anna) == ["label"]
    anna.press("3")
    assert framed(anna) == ["confidence"]
    printed = anna.page.get_by_role("button", name="Back to the answers").locator("kbd")
    expect(printed).to_have_text("Backspace")
    anna.press("Backspace")
    expect(anna.page.get_by_role("radio", name="makes no sense")).to_be_focused()
    assert framed(anna) == ["label"]
    anna.answer("2", "5")
    assert stored() == [("change", 5)]


def test_back_to_the_answers_changes_nothing_that_was_chosen(anna: Visitor) -> None:
    anna.press("3", "4")
    anna.page.get_by_role("button", name="Back to the answers").click()
    anna.answer()
    assert stored() == [("no_sense", 4)]


def test_a_digit_without_a_button_does_nothing(anna: Visitor) -> None:
    anna.press("4", "9", "0")
    assert anna.page.locator("form[data-answer] :checked").count() == 0


def test_enter_before_the_answer_is_complete_says_what_is_missing(anna: Visitor) -> None:
    anna.press("2", "Enter")
    expect(anna.page.get_by_role("alert")).to_have_text("Say how sure you are, from 1 to 5.")
    assert anna.page.locator("dialog [aria-invalid]").count() == 0
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
    assert (anna.page.locator("form[data-answer] :checked").count(), anna.page.locator(".plain").count()) == (0, 0)
    anna.press("Escape")
    expect(dialog).to_be_hidden()
    assert stored() == []


def test_keys_are_off_with_modifiers_while_composing_and_in_text_fields(anna: Visitor) -> None:
    anna.press("Control+1", "Alt+2", "Meta+3")
    anna.page.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '1', isComposing: true, bubbles: true}))")
    anna.page.evaluate("document.querySelector('form[data-answer]').append(document.createElement('textarea'))")
    field = anna.page.locator("form[data-answer] textarea")
    field.focus()
    anna.press("1", "Enter", "2", "u", "s", "f", "d", "?")
    assert anna.page.locator("form[data-answer] :checked").count() == 0
    assert field.input_value() == "1\n2usfd?"
    assert anna.page.get_by_role("dialog").count() == 0
    assert stored() == []


def test_enter_on_another_button_presses_that_button(anna: Visitor) -> None:
    anna.press("1", "1")
    anna.page.get_by_role("button", name="Hide differences").focus()
    anna.press("Enter")
    expect(anna.page.get_by_role("button", name="Show differences")).to_be_visible()
    assert stored() == []


def test_u_opens_the_last_answer_and_the_new_one_counts(anna: Visitor) -> None:
    anna.answer("1", "5")
    anna.press("2")
    expect(anna.page.locator("#saved")).to_contain_text("Saved ")
    anna.press("u")
    expect(anna.page.get_by_role("radio", name="keeps the meaning")).to_be_checked()
    expect(anna.page.locator("[data-group=confidence] :checked")).to_have_value("5")
    anna.page.wait_for_load_state()
    anna.press("3", "2", "Enter")
    expect(anna.page.get_by_role("status").filter(has_text="Your answer was changed.")).to_be_visible()
    expect(anna.page.get_by_role("radio", name="changes the meaning")).to_be_checked()
    assert stored() == [("no_sense", 2)]
    assert list(EarlierAnswer.objects.values_list("number", "label__key", "confidence")) == [(1, "preserve", 5)]


def test_u_twice_leaves_the_answer_as_it_was(anna: Visitor) -> None:
    anna.answer("1", "5")
    anna.press("u")
    expect(anna.page.get_by_role("button", name="Store the changed answer")).to_be_visible()
    anna.page.wait_for_load_state()  # its scripts come after what they work on
    anna.press("u")
    expect(anna.page.locator("#work h1")).to_have_text("Item 2 of 15")
    assert (stored(), EarlierAnswer.objects.count()) == ([("preserve", 5)], 0)


def test_control_and_enter_send_a_flag_from_its_text(anna: Visitor) -> None:
    anna.press("f")
    anna.page.keyboard.type("half is missing")
    anna.press("Control+Enter")
    expect(anna.page.get_by_role("status").filter(has_text="Thank you.")).to_be_visible()
    assert list(Flag.objects.values_list("text", flat=True)) == ["half is missing"]


def test_the_window_of_guidelines_and_keys_opens_at_its_top(anna: Visitor) -> None:
    anna.page.set_viewport_size({"width": 360, "height": 480})
    anna.press("?")
    dialog = anna.page.get_by_role("dialog", name="Guidelines")
    expect(dialog.get_by_role("heading", name="Guidelines")).to_be_focused()
    text = dialog.get_by_role("region", name="Guidelines")
    assert text.evaluate("it => [it.scrollTop, it.scrollHeight > it.clientHeight]") == [0, True]


@pytest.mark.parametrize("size", [(1280, 800), (360, 740), (360, 480)], ids=str)
def test_close_and_the_heading_stay_in_view_while_the_guidelines_scroll(anna: Visitor, size: tuple[int, int]) -> None:
    anna.page.set_viewport_size({"width": size[0], "height": size[1]})
    anna.press("?")
    dialog = anna.page.get_by_role("dialog", name="Guidelines")
    close, heading = dialog.get_by_role("button", name="Close"), dialog.get_by_role("heading", name="Guidelines")
    for keys in ((), ("End",)):
        anna.press(*keys)
        expect(close).to_be_in_viewport(ratio=1)
        expect(heading).to_be_in_viewport(ratio=1)
    expect(dialog.get_by_text("closes it")).to_be_in_viewport(ratio=1)
    assert dialog.evaluate("it => it.scrollHeight == it.clientHeight")
    example = dialog.locator(".excerpt").first
    example.evaluate("it => it.scrollIntoView()")  # beneath the heading, where it must not show through
    at = example.bounding_box()
    assert at is not None
    place = [at["x"] + 40, at["y"] + 10]
    assert anna.page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", place) == "guidelines-title"
    close.click()
    expect(dialog).to_be_hidden()


def test_a_note_on_a_page_of_its_own_is_sent_in_the_same_way(anna: Visitor) -> None:
    claim = Claim.objects.get(state=Claim.State.LIVE)
    anna.open(f"{WORK}{claim.pk}/skip/").get_by_label("Note").fill("dull")
    anna.press("Control+Enter")
    expect(anna.page.get_by_role("status").filter(has_text="Skipped.")).to_be_visible()
    claim.refresh_from_db()
    assert claim.skip_note == "dull"


@pytest.mark.parametrize(("window", "button"), [("", "Submit and continue"), ("s", "Skip it"), ("f", "Tell the organisers")])
def test_the_key_that_sends_is_printed_on_the_button(anna: Visitor, window: str, button: str) -> None:
    anna.press(*window)
    printed = anna.page.get_by_role("button", name=button).locator("kbd")
    expect(printed).to_have_text("Ctrl Enter" if window == "f" else "Enter")


def test_s_and_enter_skip_without_a_reason(anna: Visitor) -> None:
    skipped = Claim.objects.get(state=Claim.State.LIVE)
    anna.press("s", "Enter")
    expect(anna.page.get_by_role("status").filter(has_text="Skipped.")).to_be_visible()
    skipped.refresh_from_db()
    assert (skipped.state, skipped.skip_reason, skipped.skip_note) == ("skipped", "", "")


def test_s_skips_with_a_reason_by_keyboard_alone(anna: Visitor) -> None:
    skipped = Claim.objects.get(state=Claim.State.LIVE)
    anna.press("s")
    expect(anna.page.get_by_role("dialog", name="Skip this item")).to_be_visible()
    anna.press("ArrowDown", "ArrowDown", "Tab")
    anna.page.keyboard.type("too much 1 2 s")
    anna.press("Control+Enter")
    expect(anna.page.get_by_role("status").filter(has_text="Skipped.")).to_be_visible()
    skipped.refresh_from_db()
    assert (skipped.state, skipped.skip_reason, skipped.skip_note) == ("skipped", "distressing", "too much 1 2 s")
    assert skipped.slot.state == "open"
    assert Claim.objects.get(state=Claim.State.LIVE).item != skipped.item
    assert stored() == []


def test_f_flags_and_the_item_stays_with_what_was_chosen(anna: Visitor) -> None:
    item = Claim.objects.get(state=Claim.State.LIVE).item
    anna.press("2")
    expect(anna.page.locator("#saved")).to_contain_text("Saved ")
    anna.press("f")
    expect(anna.page.get_by_role("dialog")).to_be_visible()
    anna.page.keyboard.type("Half of it is missing")
    anna.press("Tab", "Enter")
    expect(anna.page.get_by_role("status").filter(has_text="Thank you.")).to_be_visible()
    expect(anna.page.get_by_role("radio", name="changes the meaning")).to_be_checked()
    assert list(Flag.objects.values_list("item", "text")) == [(item.pk, "Half of it is missing")]


def test_a_key_that_still_comes_to_a_closed_window_is_meant_for_the_page(anna: Visitor) -> None:
    """Closing gives the focus back a moment later, and who types fast is faster."""
    window = anna.page.get_by_role("dialog", name="Skip this item")
    anna.page.evaluate(
        "document.querySelector('#skip textarea').dispatchEvent(new KeyboardEvent('keydown', { key: 's', bubbles: true }))"
    )
    expect(window).to_be_visible()


def test_the_window_for_skipping_is_empty_again_at_the_next_item_and_sends_that_one(anna: Visitor) -> None:
    first = Claim.objects.get(state=Claim.State.LIVE)
    window = anna.page.get_by_role("dialog", name="Skip this item")
    anna.press("s")
    window.get_by_label("Note").fill("dull")
    anna.press("Escape")
    expect(window).to_be_hidden()
    anna.press("s")
    expect(window.get_by_label("Note")).to_have_value("dull")
    anna.press("Escape")
    expect(window).to_be_hidden()
    anna.answer("1", "5")
    second = Claim.objects.get(state=Claim.State.LIVE)
    anna.press("s")
    expect(window.get_by_label("Note")).to_have_value("")
    anna.press("Enter")
    expect(anna.page.get_by_role("status").filter(has_text="Skipped.")).to_be_visible()
    expect(window).to_be_hidden()
    for claim, state in ((first, "answered"), (second, "skipped")):
        claim.refresh_from_db()
        assert claim.state == state
