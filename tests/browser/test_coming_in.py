"""Inviting people, and their pages at the ends, as a browser lays them out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from annotation.models import Campaign, Claim, User
from annotation.services.crowd import set_entrance
from annotation.services.practice import set_gold
from annotation.services.revising import skip

from . import study
from .conftest import Visitor
from .examination import faults
from .test_pages import SCREENS

pytestmark = pytest.mark.browser

HERE = "/campaigns/meaning"
PROLIFIC = {
    "platform": "prolific",
    "participant_parameter": "PROLIFIC_PID",
    "study_parameter": "STUDY_ID",
    "session_parameter": "SESSION_ID",
}


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    return study.make_campaign(study.make_organiser(), "meaning")


def on_one_line(button: Locator) -> bool:
    box = button.bounding_box()
    assert box is not None
    return box["height"] < 45 < box["width"]


@pytest.mark.parametrize("screen", SCREENS)
def test_what_is_to_be_copied_stands_beside_a_button_that_can_be_read(
    screen: str, campaign: Campaign, visitor: Callable[..., Visitor]
) -> None:
    set_entrance(campaign=campaign, kind="crowd", by=User.objects.get(username="olga"), **PROLIFIC)
    host = visitor(**SCREENS[screen])
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.sign_in("olga")
    host.open("/tokens/").get_by_label("What will use it").fill("laptop")
    host.page.get_by_role("button", name="Make the token").click()
    host.page.get_by_label("Try it").wait_for()
    host.photograph(f"token-{screen}")
    names = {"Copy the token": "passable_", "Copy the line": 'curl -H "Authorization: Token passable_'}
    _copy(host, names)
    host.open(f"{HERE}/people/").get_by_role("button", name="Make a link").click()
    host.page.get_by_label("The invitation link.").wait_for()
    host.photograph(f"invited-{screen}")
    _copy(host, {"Copy the link": f"{host.address}/join/", "Copy it": f"{host.address}/crowd/meaning/?PROLIFIC_PID={{{{%"})


def _copy(host: Visitor, names: dict[str, str]) -> None:
    for number, (name, beginning) in enumerate(names.items(), start=1):
        button = host.page.get_by_role("button", name=name)
        for size in ({"width": 360, "height": 740}, {"width": 1280, "height": 800}):
            host.page.set_viewport_size(size)
            assert on_one_line(button)
        button.click()
        expect(host.page.get_by_role("button", name="Copied")).to_have_count(number)
        assert host.page.evaluate("navigator.clipboard.readText()").startswith(beginning)


@pytest.mark.parametrize("screen", SCREENS)
def test_only_what_belongs_to_the_chosen_way_in_is_asked(
    screen: str, campaign: Campaign, visitor: Callable[..., Visitor]
) -> None:
    host = visitor(**SCREENS[screen], java_script_enabled=False)
    host.sign_in("olga")
    page = host.open(f"{HERE}/entrance/")
    code, pay = page.get_by_label("Completion code"), page.get_by_label("Pay for each answer")
    host.photograph(f"entrance-{screen}")
    for choice, seen in (
        ("Only by invitation link", (False, False)),
        ("Anybody may register", (False, True)),
        ("A crowd", (True, True)),
    ):
        page.get_by_label(choice).check()
        assert (code.is_visible(), pay.is_visible()) == seen


@pytest.mark.parametrize("screen", SCREENS)
def test_only_annotators_are_asked_for_a_quota(screen: str, campaign: Campaign, visitor: Callable[..., Visitor]) -> None:
    study.enlist(campaign, "anna")
    host = visitor(**SCREENS[screen])
    host.sign_in("olga")
    page = host.open(f"{HERE}/people/{campaign.memberships.get(user__username='anna').pk}/")
    quota = page.get_by_label("Most answers wanted")
    expect(quota).to_be_visible()
    host.photograph(f"member-{screen}")
    page.get_by_label("Role").select_option("organiser")
    expect(quota).to_be_hidden()


@pytest.mark.parametrize("screen", SCREENS)
def test_on_narrow_pages_everything_begins_at_one_edge(screen: str, campaign: Campaign, visitor: Callable[..., Visitor]) -> None:
    anna: User = study.enlist(campaign, "anna")
    study.answer(campaign, anna, "preserve")
    guest = visitor(**SCREENS[screen])
    guest.sign_in("anna")
    guest.open(f"{HERE}/work/")
    skip(claim_id=Claim.objects.get(state="live").pk, annotator=anna)
    study.answer(campaign, anna, "change")
    for name, address in (("end", f"{HERE}/work/"), ("history", f"{HERE}/work/history/")):
        page = guest.open(address)
        edges = [page.locator(where).bounding_box() for where in ("#work h1", ".foot")]
        assert edges[0] is not None and edges[1] is not None and edges[0]["x"] == edges[1]["x"]
        guest.photograph(f"{name}-{screen}")
        assert list(faults(page)) == []


@pytest.mark.parametrize("screen", SCREENS)
def test_before_practice_its_terms_can_be_read(screen: str, campaign: Campaign, visitor: Callable[..., Visitor]) -> None:
    by, label = campaign.created_by, campaign.labels.get(key="preserve")
    assert by is not None
    for number, use in ((1, "training"), (2, "test")):
        set_gold(item=campaign.items.get(number=number), by=by, label=label, use=use)
    anna = study.enlist(campaign, "anna")
    guest = visitor(**SCREENS[screen])
    guest.sign_in("anna")
    for use, begins in (("training", "First some training: 1 item."), ("test", "Now a test: 1 item,")):
        page = guest.open(f"{HERE}/work/")
        expect(page.get_by_role("note")).to_contain_text(begins)
        guest.photograph(f"before-{use}-{screen}")
        study.answer(campaign, anna, "preserve")
