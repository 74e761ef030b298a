"""From a constraint study to people and back: its pairs become a campaign, five people vote, the study says what they prefer."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Campaign, Item, User
from annotation.services.answering import submit
from annotation.services.claiming import claim_next
from annotation.services.people import invite, join
from tests.annotation.studies_made import finished_study, small_material

from .conftest import PASSWORD, Visitor

pytestmark = pytest.mark.browser


def test_from_a_study_to_votes_and_back(
    transactional_db: None,
    settings: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    visitor: Callable[..., Visitor],
) -> None:
    small_material(settings, tmp_path, monkeypatch)
    organiser = User.objects.create_user(username="olga", password=PASSWORD, is_organiser=True)
    finished_study(organiser)
    host = visitor()
    host.sign_in("olga")
    page = host.open("/studies/")
    page.get_by_role("link", name="held").click()
    page.locator("#study-tables svg.plot").first.wait_for()
    host.photograph("study")
    page.get_by_role("link", name="Ask people about the pairs").click()
    page.get_by_label("Limit").select_option("3")
    page.get_by_role("button", name="Show what it comes to").click()
    assert "3 pairs beside 33 that the test needs" in page.locator("#plan").inner_text()
    host.photograph("study-plan")
    # Clicked twice, it is made once.
    page.get_by_role("button", name="Make the campaign").evaluate(
        "button => { button.click(); setTimeout(() => button.click(), 30); }"
    )
    page.get_by_role("button", name="Open the campaign").click()
    campaign = Campaign.objects.get()
    for number in range(4):
        _votes(campaign, organiser, f"reader-{number}")

    reader = visitor()
    reader.join(f"{host.address}/join/{invite(campaign=campaign, by=organiser)}/", "anna")
    for _ in range(5):
        shown = reader.page.locator("[data-texts]").inner_text()
        reader.answer("1" if "qx" in shown else "2")
    assert reader.page.locator("h1").inner_text() == "All done"

    page = host.open("/studies/")
    page.get_by_role("link", name="held").click()
    asked = page.locator("[data-asked]")
    assert re.search(r"5 annotators · \d+ of 10 known answers right", asked.inner_text())
    assert "3 pairs decided of 3; 33 were planned: fewer than planned" in asked.locator("[data-standing]").inner_text()
    assert asked.locator("[data-figure^=preferred-] .figure").inner_text() == "100.0 %"
    assert page.locator("#examples li").first.locator(".chip").inner_text() in (
        "4 of 5 for the held text",
        "5 of 5 for the held text",
    )
    host.photograph("study-with-votes")


def _votes(campaign: Campaign, organiser: User, name: str) -> None:
    """Somebody takes the first variant of each item for a person's: the held text, or the original."""
    person = User.objects.create_user(name)
    join(token=invite(campaign=campaign, by=organiser), user=person)
    for _ in range(Item.objects.filter(campaign=campaign).count()):
        submit(claim_id=claim_next(campaign=campaign, annotator=person).pk, annotator=person, data={"label": "first"})
