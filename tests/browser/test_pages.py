"""Every page in light and dark, wide and on a phone: nothing for axe to find, nothing wider than the screen, no complaint."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from annotation.models import Campaign, User
from annotation.services.people import invite

from . import study
from .conftest import Visitor, screenshots

pytestmark = pytest.mark.browser

WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
SCREENS = {
    "light-1280": {"color_scheme": "light", "viewport": WIDE},
    "dark-360": {"color_scheme": "dark", "viewport": PHONE, "has_touch": True},
    "zoomed-to-200": {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
}
if screenshots():
    # For the eye only: these layouts and these colours are looked over above, in the other pairing.
    SCREENS["dark-1280"] = {"color_scheme": "dark", "viewport": WIDE}
    SCREENS["light-360"] = {"color_scheme": "light", "viewport": PHONE, "has_touch": True}
EXAMINED = ("light-1280", "dark-360")
"""Screens on which axe looks too: each colour scheme and each layout once."""

ORGANISERS = {
    "start-organiser": "/",
    "overview": "/campaigns/meaning/",
    "overview-suspicion": "/campaigns/suspicion/",
    "items": "/campaigns/meaning/items/",
    "items-disagreed": "/campaigns/meaning/items/?show=disagreed",
    "agreement": "/campaigns/meaning/agreement/",
    "agreement-suspicion": "/campaigns/suspicion/agreement/",
    "agreement-preference": "/campaigns/preference/agreement/",
    "export": "/campaigns/meaning/export/",
    "new-campaign": "/campaigns/new/",
    "models": "/models/",
    "attacks": "/attacks/",
    "sheet-organiser": "/campaigns/meaning/sheet/",
}
ANNOTATORS = {
    "start-annotator": "/",
    "sheet": "/campaigns/meaning/sheet/",
    "withdraw": "/campaigns/meaning/withdraw/",
    "password": "/password/",
    "work-meaning": "/campaigns/meaning/work/",
    "work-suspicion": "/campaigns/suspicion/work/",
    "work-preference": "/campaigns/preference/work/",
    "work-nothing-now": "/campaigns/answered/work/",
}


@pytest.fixture
def organiser(transactional_db: None) -> User:
    """With a campaign of each protocol, some answers, a conflict, and the sample study under way."""
    organiser = study.make_organiser()
    meaning = study.make_campaign(organiser, "meaning")
    for name, labels in (("anna", ("preserve", "preserve", "change")), ("boris", ("preserve", "no_sense", "change"))):
        study.answer(meaning, study.enlist(meaning, name), *labels)
    preference = study.make_campaign(organiser, "preference")
    study.answer(preference, study.enlist(preference, "petra"), "first", "second")
    suspicion = study.make_campaign(organiser, "suspicion")
    for name in ("stella", "sven"):
        study.answer(suspicion, study.enlist(suspicion, name), "4", "2")
    study.running_study()
    return organiser


@pytest.fixture
def annotator(organiser: User) -> User:
    """Who has something to do in each campaign but one."""
    answered = study.make_campaign(organiser, "meaning", study.TEXTS[:1], name="answered")
    user = study.enlist(answered, "nora")
    study.answer(answered, user, "preserve")
    for campaign in Campaign.objects.exclude(name="answered"):
        study.enrol(campaign, user)
    return user


def look_over(visitor: Visitor, name: str, screen: str) -> list[str]:
    """What is wrong with the page that is open."""
    visitor.page.evaluate("document.fonts.ready")
    visitor.photograph(f"{name}-{screen}")
    violations = Axe().run(visitor.page).response["violations"] if screen in EXAMINED else []
    wrong = [f"{name}: {found['id']}: {node['html']}" for found in violations for node in found["nodes"]]
    width = visitor.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    return wrong + ([f"{name} is {width[0]} wide on a screen of {width[1]}"] if width[0] > width[1] else [])


@pytest.mark.parametrize("screen", SCREENS)
def test_pages_of_organisers(screen: str, organiser: User, visitor: Callable[..., Visitor]) -> None:
    host = visitor(**SCREENS[screen])
    host.sign_in("olga")
    wrong = []
    for name, path in ORGANISERS.items():
        host.open(path)
        wrong += look_over(host, name, screen)
        if name == "items":
            host.page.locator("summary").first.click()
            wrong += look_over(host, "items-opened", screen)
        if name == "people":
            host.page.get_by_role("button", name="Make a link").click()
            host.page.get_by_label("The invitation link.").wait_for()
            wrong += look_over(host, "people-invited", screen)
    assert wrong == []


@pytest.mark.parametrize("screen", SCREENS)
def test_pages_of_annotators(screen: str, annotator: User, visitor: Callable[..., Visitor]) -> None:
    guest = visitor(**SCREENS[screen])
    guest.sign_in("nora")
    wrong = []
    for name, path in ANNOTATORS.items():
        guest.open(path)
        if name == "work-meaning":
            guest.press("2", "4")
            guest.page.locator("#saved").filter(has_text="Saved ").wait_for()
            wrong += look_over(guest, name, screen)
            _readme(guest, screen)
            guest.press("?")
            guest.page.get_by_role("dialog").wait_for()
            wrong += look_over(guest, "guidelines", screen)
        else:
            wrong += look_over(guest, name, screen)
    assert wrong == []


@pytest.mark.parametrize("screen", SCREENS)
def test_pages_of_strangers(screen: str, organiser: User, visitor: Callable[..., Visitor]) -> None:
    stranger = visitor(**SCREENS[screen])
    link = f"/join/{invite(campaign=Campaign.objects.get(name='meaning'), by=organiser)}/"
    wrong = []
    for name, path in {"start": "/", "sign-in": "/signin/", "join": link}.items():
        stranger.open(path)
        wrong += look_over(stranger, name, screen)
    stranger.page.get_by_label("Name").fill("olga")
    stranger.page.get_by_label("Password").fill("12345678")
    stranger.page.get_by_role("button", name="Make an account and join").click()
    stranger.page.get_by_role("alert").wait_for()
    wrong += look_over(stranger, "join-refused", screen)
    stranger.open("/nowhere/")
    wrong += look_over(stranger, "not-found", screen)
    assert wrong == []
    assert len(stranger.complaints) == 2, "the browser reports the two refusals and nothing else"
    stranger.complaints.clear()


def _readme(guest: Visitor, screen: str) -> None:
    """The README's picture is this very page."""
    folder = screenshots()
    if folder and screen == "light-1280":
        images = Path(__file__).parents[2] / "docs" / "images"
        images.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / "work-meaning-light-1280.png", images / "annotate.png")
