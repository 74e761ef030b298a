"""An annotator in front of the first of fifteen items, and what the database holds of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from annotation.models import Campaign, Claim, Judgement
from tests.browser import study
from tests.browser.conftest import Visitor

WORK = "/campaigns/meaning/work/"
NUMBERED = [(f"Ship number {n} waits for the tide.", f"Ship number {n} waits for the tied.") for n in range(15)]


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    return study.make_campaign(study.make_organiser(), "meaning", NUMBERED)


@pytest.fixture
def anna(campaign: Campaign, visitor: Callable[..., Visitor]) -> Visitor:
    study.enlist(campaign, "anna")
    guest = visitor()
    guest.sign_in("anna")
    # Before the page is opened: the requests of a page that is already there may slip past its first route.
    guest.page.route("**/*", lambda route: route.fallback())
    guest.open(WORK)
    return guest


def stored() -> list[tuple[str, int | None]]:
    return list(Judgement.objects.order_by("pk").values_list("label__key", "confidence"))


def draft() -> dict[str, str]:
    kept = Claim.objects.get(state=Claim.State.LIVE).draft
    return {name: value for name, value in kept.items() if name != "active_seconds"}
