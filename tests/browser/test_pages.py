"""Pages as a study of several protocols fills them, and what comes up on them: nothing for axe to find, nothing wider than the
screen, no complaint. `test_every_page` visits all the others."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.models import Campaign, User
from annotation.services.people import invite

from . import study
from .conftest import Visitor, screenshots
from .examination import faults

pytestmark = pytest.mark.browser

EXAMINED = "light-1280"
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
SCREENS = {EXAMINED: {"color_scheme": "light", "viewport": WIDE}}
if screenshots():
    # For the eye only: the examination itself goes through widths and colours.
    SCREENS["dark-1280"] = {"color_scheme": "dark", "viewport": WIDE}
    SCREENS["light-360"] = {"color_scheme": "light", "viewport": PHONE, "has_touch": True}
    SCREENS["dark-360"] = {"color_scheme": "dark", "viewport": PHONE, "has_touch": True}

ORGANISERS = {
    "start-organiser": "/",
    "overview": "/campaigns/meaning/",
    "people": "/campaigns/meaning/people/",
    "overview-suspicion": "/campaigns/suspicion/",
    "items": "/campaigns/meaning/items/",
    "items-disagreed": "/campaigns/meaning/items/?show=disagreed",
    "agreement": "/campaigns/meaning/agreement/",
    "agreement-suspicion": "/campaigns/suspicion/agreement/",
    "agreement-preference": "/campaigns/preference/agreement/",
    "report": "/campaigns/meaning/report/?plots",
    "report-suspicion": "/campaigns/suspicion/report/?plots",
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
    if screen != EXAMINED:
        return []
    wrong = [f"{name} {fault}" for fault in faults(visitor.page)]
    visitor.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    visitor.page.emulate_media(color_scheme="light")
    return wrong


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
    if folder and screen == EXAMINED:
        images = Path(__file__).parents[2] / "docs" / "images"
        images.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / "work-meaning-light-1280.png", images / "annotate.png")
